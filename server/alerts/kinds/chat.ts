import { type Message, type Send, type Target, post } from "../sender.ts";
import type { Line } from "../message-text.ts";

/** The most characters of a message together with its embed. */
export const MAX_LENGTH = 2000;

/** Writes what others chose so that a chat shows it as text and nothing else. */
type Escape = (text: string) => string;

const write = (line: Line, escape: Escape): string =>
  line.map((part) => (typeof part === "string" ? part : escape(part.foreign))).join("");

/** As many lines as fit. */
export function writeLines(lines: readonly Line[], escape: Escape, maxLength = MAX_LENGTH): string {
  let text = "";
  for (const line of lines) {
    const longer = text === "" ? write(line, escape) : `${text}\n${write(line, escape)}`;
    if (longer.length > maxLength) break;
    text = longer;
  }
  return text;
}

export const sendTo =
  (writeFor: (message: Message, target: Target) => object): Send =>
  (deps, target, message, signal) => {
    const body = JSON.stringify(writeFor(message, target));
    return post(deps, { url: target.to, headers: {}, body }, message.triedAt, signal);
  };
