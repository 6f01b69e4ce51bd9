import { writeText } from "../message-text.ts";
import type { Kind, Message, Target } from "../sender.ts";
import { defuse } from "../../base/syntax/text.ts";
import { createSender, writeLines } from "./chat.ts";

const escape = (text: string) =>
  defuse(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Slack turns none of this text into a link, a mention or formatting. */
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
    fr: "URL d'un webhook entrant de Slack",
    en: "URL of a Slack incoming webhook",
  },
  send: createSender(writeBody),
};
