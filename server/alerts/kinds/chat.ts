import { oneLine } from "../../base/syntax/one-line.ts";
import type { Message, Send, Target } from "../sender.ts";
import { post } from "../post.ts";
import type { Line } from "../message-text.ts";

/** The most characters of a message together with its embed. */
export const MAX_LENGTH = 2000;
const MAX_FOREIGN_LENGTH = 300;
const MAX_URL_LENGTH = 500;
/** Between the two characters that would begin a link or a mention; not seen. */
const BREAK = "\u200B";

/** How a chat writes what others chose, so that it is text and nothing else. */
export interface Chat {
  escape(text: string): string;
  url(url: string): string;
}

/** Neither a link nor a mention begins in it. */
export const defuse = (text: string) =>
  oneLine(text, MAX_FOREIGN_LENGTH)
    .replaceAll("://", `:${BREAK}//`)
    .replaceAll("@", `@${BREAK}`)
    .replaceAll(/www\./gi, (www) => `${www.slice(0, 3)}${BREAK}.`);

function write(line: Line, chat: Chat): string {
  return line
    .map((part) => {
      if (typeof part === "string") return part;
      return "url" in part
        ? chat.url(oneLine(part.url, MAX_URL_LENGTH))
        : chat.escape(part.foreign);
    })
    .join("");
}

/** As many lines as fit. */
export function writeLines(lines: readonly Line[], chat: Chat, maxLength = MAX_LENGTH): string {
  let text = "";
  for (const line of lines) {
    const longer = text === "" ? write(line, chat) : `${text}\n${write(line, chat)}`;
    if (longer.length > maxLength) break;
    text = longer;
  }
  return text;
}

/** Posts what a chat shows of a message. */
export const sendTo =
  (writeFor: (message: Message, target: Target) => object): Send =>
  (deps, target, message, signal) => {
    const body = JSON.stringify(writeFor(message, target));
    return post(deps, { url: target.to, headers: {}, body }, message.triedAt, signal);
  };
