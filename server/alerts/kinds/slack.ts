import { writeText } from "../message-text.ts";
import type { Kind, Message, Target } from "../sender.ts";
import { defuse } from "../../base/syntax/text.ts";
import { sendTo, writeLines } from "./chat.ts";

const escape = (text: string) =>
  defuse(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Plain text, and the same as a block; nothing in it is a link, a mention or a format. */
function writeBody(message: Message, { language }: Target): object {
  const { title, lines } = writeText(message, language);
  const text = writeLines([title, ...lines], escape);
  return {
    text,
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [{ type: "section", text: { type: "plain_text", text, emoji: false } }],
  };
}

export const slack: Kind = {
  name: { fr: "Slack", en: "Slack" },
  field: {
    fr: "URL d'un « Incoming Webhook » de Slack",
    en: "URL of a Slack “Incoming Webhook”",
  },
  send: sendTo(writeBody),
};
