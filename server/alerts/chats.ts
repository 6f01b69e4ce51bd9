import { oneLine } from "../syntax/one-line.ts";
import type { Message, Send, Target } from "./kinds.ts";
import { post } from "./post.ts";
import { tell, type Line } from "../words/told.ts";

const MAX_LENGTH = 2000;
const MAX_FOREIGN_LENGTH = 300;
const MAX_URL_LENGTH = 500;
/** Between the two characters that would begin a link or a mention; not seen. */
const BREAK = "\u200B";

/** How a chat writes what others chose, so that it is text and nothing else. */
interface Chat {
  escape(text: string): string;
  url(url: string): string;
}

/** Neither a link nor a mention begins in it. */
const defuse = (text: string) =>
  oneLine(text, MAX_FOREIGN_LENGTH)
    .replaceAll("://", `:${BREAK}//`)
    .replaceAll("@", `@${BREAK}`)
    .replaceAll(/www\./gi, (www) => `${www.slice(0, 3)}${BREAK}.`);

const escapeEntities = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const SLACK: Chat = {
  escape: (text) => escapeEntities(defuse(text)),
  url: escapeEntities,
};

const DISCORD: Chat = {
  escape: (text) => defuse(text).replaceAll(/[\\*_~`|<>[\]()#]/g, (sign) => `\\${sign}`),
  // In angle brackets a link has no preview, which the site would choose.
  url: (url) => `<${url}>`,
};

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
function writeLines(lines: readonly Line[], chat: Chat, maxLength = MAX_LENGTH): string {
  let text = "";
  for (const line of lines) {
    const longer = text === "" ? write(line, chat) : `${text}\n${write(line, chat)}`;
    if (longer.length > maxLength) break;
    text = longer;
  }
  return text;
}

/** The body for Slack: plain text, and the same as a block; nothing in it is a link, a mention or a format. */
function writeForSlack(message: Message, { language }: Target): object {
  const { title, lines } = tell(message, language);
  const text = writeLines([title, ...lines], SLACK);
  return {
    text,
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [{ type: "section", text: { type: "plain_text", text, emoji: false } }],
  };
}

/** The body for Discord: plain text, which is all that a notification shows, and an embed with the rest. */
function writeForDiscord(message: Message, { language }: Target): object {
  const { title, lines } = tell(message, language);
  const [first = [], ...rest] = lines;
  const content = writeLines([title, first], DISCORD);
  const embedded = rest.length > 0 ? rest : [title];
  return {
    content,
    embeds: [{ description: writeLines(embedded, DISCORD, MAX_LENGTH - content.length) }],
    allowed_mentions: { parse: [] },
  };
}

const sendTo =
  (writeFor: (message: Message, target: Target) => object): Send =>
  (deps, target, message, signal) => {
    const body = JSON.stringify(writeFor(message, target));
    return post(deps, { url: target.to, headers: {}, body }, message.triedAt, signal);
  };

export const sendToSlack = sendTo(writeForSlack);
export const sendToDiscord = sendTo(writeForDiscord);
