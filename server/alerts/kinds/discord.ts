import { writeText } from "../message-text.ts";
import type { Kind, Message, Target } from "../sender.ts";
import { defuse, MAX_LENGTH, sendTo, writeLines, type Chat } from "./chat.ts";

const DISCORD: Chat = {
  escape: (text) => defuse(text).replaceAll(/[\\*_~`|<>[\]()#]/g, (sign) => `\\${sign}`),
  // In angle brackets a link has no preview, which the site would choose.
  url: (url) => `<${url}>`,
};

/** Plain text, which is all that a notification shows, and an embed with the rest. */
function writeBody(message: Message, { language }: Target): object {
  const { title, lines } = writeText(message, language);
  const [first = [], ...rest] = lines;
  const content = writeLines([title, first], DISCORD);
  const embedded = rest.length > 0 ? rest : [title];
  return {
    content,
    embeds: [{ description: writeLines(embedded, DISCORD, MAX_LENGTH - content.length) }],
    allowed_mentions: { parse: [] },
  };
}

export const discord: Kind = { name: { fr: "Discord", en: "Discord" }, send: sendTo(writeBody) };
