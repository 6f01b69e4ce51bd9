import { type Message, type Sender, type Target, post } from "../sender.ts";
import type { Line } from "../message-text.ts";

/** The maximum length of a message together with its embed, in characters. */
export const MAX_LENGTH = 2000;

/** Escapes foreign text so that a chat shows it as plain text. */
type Escaper = (text: string) => string;

const writeLine = (line: Line, escape: Escaper): string =>
  line.map((part) => (typeof part === "string" ? part : escape(part.foreign))).join("");

export function writeLines(
  lines: readonly Line[],
  escape: Escaper,
  maxLength = MAX_LENGTH,
): string {
  let text = "";
  for (const line of lines) {
    const longer = text === "" ? writeLine(line, escape) : `${text}\n${writeLine(line, escape)}`;
    if (longer.length > maxLength) break;
    text = longer;
  }
  return text;
}

export const createSender =
  (writeBody: (message: Message, target: Target) => object): Sender =>
  (deps, target, message, signal) => {
    const body = JSON.stringify(writeBody(message, target));
    return post(deps, { url: target.to, headers: {}, body }, message.triedAt, signal);
  };
