import { EventEmitter, once } from "node:events";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { SMTPServer, type SMTPServerAddress, type SMTPServerDataStream } from "smtp-server";

export interface ReceivedMail {
  to: string[];
  headers: Readonly<Record<string, string>>;
  subject: string;
  text: string;
  /** The HTML part; empty if there is none. */
  html: string;
  links: string[];
}

export interface MailRelay {
  /** The settings of a server that sends its e-mails here. */
  readonly env: Readonly<Record<string, string>>;
  readonly received: readonly ReceivedMail[];
  lastTo(address: string, count?: number): Promise<ReceivedMail>;
  /** Rejects the next messages with these replies. */
  refuse(replies: readonly number[]): void;
  close(): Promise<void>;
}

/** The parts of a text that mail programs and chats turn into links. */
export const findLinks = (text: string): string[] =>
  text
    .split(/[\s\u200B]+/)
    .filter((word) => /\w:\/\/\S|^www\.\S|@\w|[\p{L}\p{N}][.。．｡]\p{L}{2}/iu.test(word));

/** Removes the characters that prevent links from a text. */
export const withoutBreaks = (text: string): string => text.replaceAll("\u200B", "");

function decodeQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}

function decodeBody(body: string, encoding: string | undefined): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString();
  return encoding === "quoted-printable" ? decodeQuotedPrintable(body) : body;
}

const decodeWords = (value: string) =>
  value
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === "B"
        ? Buffer.from(word, "base64").toString()
        : decodeQuotedPrintable(word.replaceAll("_", " ")),
    );

interface Part {
  headers: Record<string, string>;
  body: string;
}

function readPart(raw: string): Part {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = "", ...value] = line.split(":");
      return [name.toLowerCase(), value.join(":").trim()];
    }),
  );
  const body = rest.join("\r\n\r\n");
  return { headers, body };
}

/** The part itself, or its subparts. */
function partsOf(part: Part): Part[] {
  const [, boundary] = /boundary="([^"]+)"/.exec(part.headers["content-type"] ?? "") ?? [];
  if (boundary === undefined) return [part];
  const parts = part.body.split(`--${boundary}`).slice(1, -1);
  return parts.map((raw) => readPart(raw.replace(/^\r\n/, "")));
}

function textOf(parts: readonly Part[], type: string): string {
  const part = parts.find(({ headers }) => headers["content-type"]?.startsWith(type));
  if (part === undefined) return "";
  const text = decodeBody(part.body, part.headers["content-transfer-encoding"]);
  return text.replaceAll("\r\n", "\n").trim();
}

function readMail(raw: string, to: string[]): ReceivedMail {
  const whole = readPart(raw);
  const { headers } = whole;
  const parts = partsOf(whole);
  const [text, html] = [textOf(parts, "text/plain"), textOf(parts, "text/html")];
  const links = text.match(/https?:\/\/\S+\/links\/[\w?=%.-]+/g) ?? [];
  return { to, headers, subject: decodeWords(headers["subject"] ?? ""), text, html, links };
}

/** Starts a relay that stores the e-mails it receives. */
export async function startMailRelay(): Promise<MailRelay> {
  const received: ReceivedMail[] = [];
  const replies: number[] = [];
  const arrivals = new EventEmitter().setMaxListeners(0);
  const take = async (stream: SMTPServerDataStream, to: readonly SMTPServerAddress[]) => {
    const raw = await readText(stream);
    const reply = replies.shift();
    if (reply !== undefined) return Object.assign(new Error("refused"), { responseCode: reply });
    received.push(
      readMail(
        raw,
        to.map(({ address }) => address),
      ),
    );
    arrivals.emit("mail");
    return undefined;
  };
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    async onData(stream, session, done) {
      done(await take(stream, session.envelope.rcptTo));
    },
  });
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    env: {
      SHIPSCORE_SMTP_URL: `smtp://127.0.0.1:${port}`,
      SHIPSCORE_MAIL_FROM: "Shipscore <shipscore@example.com>",
    },
    received,
    async lastTo(address, count = 1) {
      for (;;) {
        const own = received.filter(({ to }) => to.includes(address));
        const last = own[count - 1];
        if (last !== undefined) return last;
        await once(arrivals, "mail");
      }
    },
    refuse: (refusals) => void replies.push(...refusals),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
