import { promises as timers } from "node:timers";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import type { Text } from "../../shared/language.ts";
import { say } from "../../shared/report/words.ts";
import { CliError, networkCode, untranslated, usageError } from "../terminal/errors.ts";
import { openSend } from "../client/http.ts";
import { readProxy } from "../client/settings.ts";
import { TimeLimitError, withTimeLimit } from "../client/time-limit.ts";
import type { Context } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { isUrl } from "../../shared/url.ts";

const PAUSE_MS = 1000;
const ATTEMPT_MS = 10_000;
const NOTE_MS = 5000;
/** Statuses of a gateway that reaches no server; 520 to 529 are Cloudflare's. */
const NO_SERVER = /^(?:50[234]|52\d)$/;
const NO_ANSWER = "";

/** Milliseconds by cause: a status, an error code or `NO_ANSWER`. */
type Causes = Map<string, number>;

const describeCause = (cause: string): Text =>
  cause === NO_ANSWER ? { fr: "sans réponse", en: "no response" } : untranslated(cause);

function findLongest(causes: Causes): string {
  const [longest] = [...causes].toSorted(([, a], [, b]) => b - a);
  return longest?.[0] ?? NO_ANSWER;
}

async function tryPage(request: () => Promise<{ readonly status: number }>) {
  try {
    const { status } = await request();
    return status === 404 || status >= 500 ? String(status) : undefined;
  } catch (error) {
    if (error instanceof TimeLimitError) return NO_ANSWER;
    // The page answered, even if this command cannot read the answer, for example because it is too large.
    return error instanceof CliError ? undefined : networkCode(error);
  }
}

/**
 * The requests carry no secret, so any certificate will do. After the limit, a page with a bad status is still checked, so
 * that its report says why. A gateway that reaches no server is an error instead.
 * @throws CliError 2 for a URL that is not https, 3 when the time is over
 */
export async function waitUntilReady(
  address: string,
  limitMs: number,
  { env, io, signal }: Context,
): Promise<void> {
  const url = isUrl(address) ? new URL(address) : undefined;
  const shown = withoutSecrets(address);
  if (url?.protocol !== "https:")
    throw usageError(
      {
        fr: `${shown} n'est pas une URL https : impossible de l'attendre`,
        en: `${shown} is not an https URL, so the command cannot wait for it`,
      },
      { fr: "Indiquez l'URL d'une page", en: "Use the URL of a page" },
    );
  const send = await openSend(readProxy(env, url), { rejectUnauthorized: false });
  const call = { url, method: "GET" as const, headers: {}, body: null };
  const start = performance.now();
  const causes: Causes = new Map();
  let last = NO_ANSWER;

  const limit = limitMs / 1000;
  const noting = setInterval(() => {
    const passed = Math.round((performance.now() - start) / 1000);
    const cause = describeCause(last);
    const state = {
      fr: `en attente de ${shown} : ${cause.fr} (${passed} s sur ${limit}).`,
      en: `waiting for ${shown}: ${cause.en} (${passed} of ${limit} s).`,
    };
    void io.note(`shipscore: ${say(state, io.language)}`);
  }, NOTE_MS);
  try {
    for (;;) {
      const triedAt = performance.now();
      const leftMs = Math.ceil(start + limitMs - triedAt);
      if (leftMs <= 0) break;
      const cause = await tryPage(() =>
        withTimeLimit(signal, Math.min(leftMs, ATTEMPT_MS), (limited) => send(call, limited)),
      );
      signal.throwIfAborted();
      if (cause === undefined) return;
      last = cause;
      const pauseMs = Math.min(PAUSE_MS, Math.max(0, start + limitMs - performance.now()));
      await timers.setTimeout(pauseMs, undefined, { signal });
      causes.set(cause, (causes.get(cause) ?? 0) + performance.now() - triedAt);
    }
  } finally {
    clearInterval(noting);
  }
  if (/^\d+$/.test(last) && !NO_SERVER.test(last)) {
    const state = {
      fr: `${shown} renvoie toujours ${last} après ${limit} s et sera vérifiée en l'état.`,
      en: `${shown} still returns ${last} after ${limit} s and will be checked as is.`,
    };
    return io.note(`shipscore: ${say(state, io.language)}`);
  }
  const longest = describeCause(findLongest(causes));
  throw new CliError(
    EXIT.noAnswer,
    {
      fr: `${shown} n'était pas prête au bout de ${limit} s (le plus souvent : ${longest.fr}) ; elle n'a pas été vérifiée`,
      en: `${shown} was not ready within ${limit} s (mostly: ${longest.en}); it was not checked`,
    },
    {
      fr: "Examinez son déploiement, ou attendez plus longtemps avec --wait-for-ready SECONDES",
      en: "Check its deployment, or wait longer with --wait-for-ready SECONDS",
    },
  );
}
