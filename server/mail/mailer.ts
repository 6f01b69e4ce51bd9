import { setTimeout as sleep } from "node:timers/promises";
import type { NodemailerError } from "nodemailer";
import type { Logger } from "../base/log.ts";
import { openDeadline } from "../engine/net/deadline.ts";
import { oneLine } from "../base/syntax/text.ts";
import type { Work } from "../base/work.ts";
import type { MailSettings } from "./relay.ts";

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
  messageId?: string;
  inReplyTo?: string;
  headers?: Readonly<Record<string, string>>;
}

export interface Mailer {
  /** Runs in the background. Failures go to the log. */
  send(mail: Mail): void;
  /** Sends in a single attempt. Throws a `NodemailerError`. */
  sendOnce(mail: Mail, signal: AbortSignal): Promise<void>;
}

interface MailerDeps {
  readonly log: Logger;
  readonly work: Work;
  readonly stopping: AbortSignal;
}

const PAUSES_MS = [1000, 5000, 30_000];
const ATTEMPT_MS = 30_000;
/** Lets the HTTP response leave first, so that its timing does not reveal whether an e-mail is sent. */
const DELAY_MS = 50;
const MAX_SENDING = 4;
const MAX_WAITING = 1000;
const MAX_SUBJECT_LENGTH = 200;

/** Readers see at first sight which product writes. `Re: ` stays in front, since mail clients recognize replies by it. */
const addProductName = (subject: string) => subject.replace(/^(?:Re: )?/, "$&[shipscore] ");

/** Retries a failed e-mail for about a minute. */
export function createMailer(
  { relay, from }: MailSettings,
  { log, work, stopping }: MailerDeps,
): Mailer {
  const waiting: Mail[] = [];
  const recipients = new Set<string>();
  let sending = 0;

  async function sendOnce(mail: Mail, signal: AbortSignal): Promise<void> {
    const { createTransport } = await import("nodemailer");
    const { to, subject, headers, inReplyTo, ...rest } = mail;
    await createTransport(relay).sendMail({
      ...rest,
      from,
      to: { name: "", address: to },
      subject: oneLine(addProductName(subject), MAX_SUBJECT_LENGTH),
      ...(inReplyTo !== undefined && { inReplyTo, references: inReplyTo }),
      headers: { ...headers, "Auto-Submitted": "auto-generated" },
      signal,
    });
  }

  async function attempt(mail: Mail): Promise<void> {
    const { signal, clear } = openDeadline(stopping, ATTEMPT_MS);
    await sendOnce(mail, signal).finally(clear);
  }

  async function deliver(mail: Mail): Promise<void> {
    for (const pauseMs of PAUSES_MS) {
      const error = await attempt(mail).catch((failure: unknown) => failure as NodemailerError);
      if (!error) return;
      if (error.permanent || stopping.aborted) throw error;
      await sleep(pauseMs, undefined, { signal: stopping });
    }
    await attempt(mail);
  }

  /** Keeps the order of e-mails to one address: of several one-time links, only the latest works. */
  function dequeue(): Mail | undefined {
    const position = waiting.findIndex(({ to }) => !recipients.has(to));
    return position < 0 ? undefined : waiting.splice(position, 1)[0];
  }

  async function sendWaiting(): Promise<void> {
    sending++;
    await sleep(DELAY_MS, undefined, { signal: stopping }).catch(() => {});
    for (let mail = dequeue(); mail; mail = dequeue()) {
      recipients.add(mail.to);
      await deliver(mail).catch(logFailure);
      recipients.delete(mail.to);
    }
    sending--;
  }

  /** Logs only the codes: the relay's words may contain the address. */
  function logFailure({ code, responseCode }: NodemailerError): void {
    log.error({ reason: code, status: responseCode }, "an e-mail was not sent");
  }

  return {
    sendOnce,
    send(mail) {
      if (waiting.length >= MAX_WAITING) return logFailure({ name: "", message: "", code: "FULL" });
      waiting.push(mail);
      if (sending < MAX_SENDING) void work.add(sendWaiting());
    },
  };
}
