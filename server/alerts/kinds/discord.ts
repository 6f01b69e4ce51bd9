import { writeText } from "../message-text.ts";
import type { Kind, Message, Target } from "../sender.ts";
import { defuse } from "../../base/syntax/text.ts";
import { createSender, MAX_LENGTH, writeLines } from "./chat.ts";

const escape = (text: string) =>
  defuse(text).replaceAll(/[\\*_~`|<>[\]()#]/g, (sign) => `\\${sign}`);

/** A notification shows only the content. An embed has the rest of the message. */
function writeBody(message: Message, { language }: Target): object {
  const { title, lines } = writeText(message, language);
  const [first = [], ...rest] = lines;
  const content = writeLines([title, first], escape);
  const embedded = rest.length > 0 ? rest : [title];
  return {
    content,
    embeds: [{ description: writeLines(embedded, escape, MAX_LENGTH - content.length) }],
    allowed_mentions: { parse: [] },
  };
}

export const discord: Kind = {
  name: { fr: "Discord", en: "Discord" },
  field: {
    fr: "URL d'un webhook Discord, dans « Intégrations > Webhooks » du salon",
    en: "URL of a Discord webhook, under the channel's “Integrations > Webhooks”",
  },
  send: createSender(writeBody),
};
