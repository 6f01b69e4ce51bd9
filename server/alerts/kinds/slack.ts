import { writeText } from "../message-text.ts";
import type { Kind, Message, Target } from "../sender.ts";
import { defuse, sendTo, writeLines, type Chat } from "./chat.ts";

const escapeEntities = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const SLACK: Chat = {
  escape: (text) => escapeEntities(defuse(text)),
  url: escapeEntities,
};

/** Plain text, and the same as a block; nothing in it is a link, a mention or a format. */
function writeBody(message: Message, { language }: Target): object {
  const { title, lines } = writeText(message, language);
  const text = writeLines([title, ...lines], SLACK);
  return {
    text,
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [{ type: "section", text: { type: "plain_text", text, emoji: false } }],
  };
}

export const slack: Kind = { name: { fr: "Slack", en: "Slack" }, send: sendTo(writeBody) };
