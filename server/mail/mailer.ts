import { setTimeout as sleep } from "node:timers/promises";
import type { NodemailerError } from "nodemailer";
import type { Logger } from "../base/log.ts";
import { openDeadline } from "../engine/net/deadline.ts";
import { oneLine } from "../base/syntax/text.ts";
import type { Work } from "../base/work.ts";
import type { MailSettings } from "./relay.ts";

/** An e-mail to one address. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The same as a page. */
  html?: string;
  /** Its own Message-ID; a new one by default. */
  messageId?: string;
  /** The Message-ID of the e-mail that it answers. */
  inReplyTo?: string;
  headers?: Readonly<Record<string, string>>;
}

export interface Mailer {
  /** Returns at once; the e-mail is sent in the background, or the log says that it was not. */
  send(mail: Mail): void;
  /** Gives the e-mail to the relay, in one try. Throws a `NodemailerError`. */
  sendOnce(mail: Mail, signal: AbortSignal): Promise<void>;
}

interface MailerDeps {
  readonly log: Logger;
  readonly work: Work;
  readonly stopping: AbortSignal;
}

const PAUSES_MS = [1000, 5000, 30_000];
const TRY_MS = 30_000;
/** The answer to the request that led to an e-mail is sent first, so that its time does not tell of the e-mail. */
const BEFORE_MS = 50;
const AT_ONCE = 4;
const MAX_WAITING = 1000;
const MAX_SUBJECT_LENGTH = 200;

/** Sends e-mails through the operator's relay, a few at once. A failed one is tried again for about a minute. */
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
      subject: oneLine(subject, MAX_SUBJECT_LENGTH),
      ...(inReplyTo !== undefined && { inReplyTo, references: inReplyTo }),
      headers: { ...headers, "Auto-Submitted": "auto-generated" },
      signal,
    });
  }

  async function trySending(mail: Mail): Promise<void> {
    const { signal, clear } = openDeadline(stopping, TRY_MS);
    await sendOnce(mail, signal).finally(clear);
  }

  async function deliver(mail: Mail): Promise<void> {
    for (const pauseMs of PAUSES_MS) {
      const error = await trySending(mail).catch((failure: unknown) => failure as NodemailerError);
      if (!error) return;
      if (error.permanent || stopping.aborted) throw error;
      await sleep(pauseMs, undefined, { signal: stopping });
    }
    await trySending(mail);
  }

  /** The first one that overtakes none to the same address: of several links there only the latest works. */
  function takeNext(): Mail | undefined {
    const position = waiting.findIndex(({ to }) => !recipients.has(to));
    return position < 0 ? undefined : waiting.splice(position, 1)[0];
  }

  async function sendWaiting(): Promise<void> {
    sending++;
    await sleep(BEFORE_MS, undefined, { signal: stopping }).catch(() => {});
    for (let mail = takeNext(); mail; mail = takeNext()) {
      recipients.add(mail.to);
      await deliver(mail).catch(logFailure);
      recipients.delete(mail.to);
    }
    sending--;
  }

  /** Only the codes: the relay's words may repeat the address. */
  function logFailure({ code, responseCode }: NodemailerError): void {
    log.error({ reason: code, status: responseCode }, "an e-mail was not sent");
  }

  return {
    sendOnce,
    send(mail) {
      if (waiting.length >= MAX_WAITING) return logFailure({ name: "", message: "", code: "FULL" });
      waiting.push(mail);
      if (sending < AT_ONCE) void work.add(sendWaiting());
    },
  };
}
