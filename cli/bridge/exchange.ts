import { timeoutError, unreachableError } from "../client/errors.ts";
import { openSendOpen, type SendOpen } from "../client/http.ts";
import type { Settings } from "../client/settings.ts";
import { TimeLimitError, withTimeLimit } from "../client/time-limit.ts";
import { traceCall } from "../client/trace.ts";
import type { Context } from "../terminal/context.ts";
import type { Io } from "../terminal/io.ts";
import { CliError } from "../terminal/errors.ts";
import { readReceived, type Received } from "./answers.ts";
import { describeInHeaders } from "./headers.ts";
import { isMembers, type Message } from "./message.ts";

/** Opens the way to the server's /mcp, and remembers the revision of the protocol that it agrees to. */
export function openExchange(settings: Settings, note: Io["note"], now: Context["now"]) {
  const { baseUrl, language, proxy, timeoutMs, isVerbose } = settings;
  const url = new URL("mcp", baseUrl);
  let opening: Promise<SendOpen> | undefined;
  let negotiated: string | undefined;

  async function send(message: Message, signal: AbortSignal) {
    opening ??= openSendOpen(proxy);
    const sendOpen = await opening;
    const headers = {
      authorization: `Bearer ${settings.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "accept-encoding": "identity",
      "accept-language": language,
      ...describeInHeaders(message, negotiated),
    };
    const call = { url, method: "POST", headers, body: message.text } as const;
    return traceCall({ io: { note }, isVerbose }, call, () => sendOpen(call, signal));
  }

  /** Sends a message and hands on what comes back, in its order. @throws CliError, or the signal's reason */
  return async (
    message: Message,
    signal: AbortSignal,
    receive: (received: Received) => Promise<void>,
  ): Promise<void> => {
    const work = async (limited: AbortSignal) => {
      const response = await send(message, limited);
      const from = { url: baseUrl, language, now: now() };
      for await (const received of readReceived(response, message.id, from)) {
        const { result } = received;
        if (message.method === "initialize" && isMembers(result))
          negotiated =
            typeof result.protocolVersion === "string" ? result.protocolVersion : undefined;
        await receive(received);
      }
    };
    try {
      await withTimeLimit(signal, timeoutMs, work);
    } catch (error) {
      if (error instanceof CliError) throw error;
      if (error instanceof TimeLimitError) throw timeoutError(baseUrl, timeoutMs);
      throw unreachableError(error, baseUrl, proxy);
    }
  };
}
