import { renderToString } from "preact-render-to-string";
import { say } from "../../shared/report/words.ts";
import type { Language, Text } from "../base/language.ts";
import { defuse } from "../base/syntax/foreign-text.ts";
import { oneLine } from "../base/syntax/one-line.ts";
import type { Letter } from "../access/link-letters.ts";
import { writeText, type Line } from "./message-text.ts";

export interface AlertLetter extends Letter {
  html: string;
}

type Message = Parameters<typeof writeText>[0];

export interface LetterLinks {
  project: string;
  unsubscribe: string;
}

const WORDS = {
  project: { fr: "Le projet :", en: "The project:" },
  why: {
    fr: "Vous recevez ce message parce que le propriétaire du projet a ajouté votre adresse à ses alertes.",
    en: "You get this message because the owner of the project added your address to its alerts.",
  },
  unsubscribe: { fr: "Ne plus les recevoir :", en: "To get no more of them:" },
} satisfies Record<string, Text>;

const spell = (line: Line): string =>
  line.map((part) => (typeof part === "string" ? part : defuse(part.foreign))).join("");

const LONGEST_URL = 100;

/** The same for all that is said of an incident: mail programs make one thread of one subject. */
function writeSubject({ type, data }: Message, language: Language): string {
  const isReply = type === "incident.closed" || type === "incident.reminder";
  const { title } = writeText({ type: isReply ? "incident.opened" : type, data }, language);
  const url = data.incident && `, ${defuse(oneLine(data.incident.url, LONGEST_URL))}`;
  return `${isReply ? "Re: " : ""}${spell(title)}${url ?? ""}`;
}

interface PageProps {
  title: string;
  lines: readonly string[];
  links: LetterLinks;
  language: Language;
}

const SOFT = "color:#57606a;font-size:14px";

/** Mail programs drop style sheets, so each element has its own style. */
function LetterPage({ title, lines, links, language }: PageProps) {
  const words = (text: Text) => say(text, language);
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
      </head>
      <body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
        <h1 style="margin:0 0 16px;font-size:20px">{title}</h1>
        {lines.map((line) => (
          <p style="margin:0 0 8px;overflow-wrap:anywhere">{line}</p>
        ))}
        <p style="margin:16px 0">
          {words(WORDS.project)} <a href={links.project}>{links.project}</a>
        </p>
        <p style={SOFT}>
          {words(WORDS.why)} {words(WORDS.unsubscribe)}{" "}
          <a href={links.unsubscribe}>{links.unsubscribe}</a>
        </p>
      </body>
    </html>
  );
}

/** Writes a message as an e-mail, as text and as a page that say the same. */
export function writeAlertLetter(
  message: Message,
  language: Language,
  links: LetterLinks,
): AlertLetter {
  const written = writeText(message, language);
  const title = spell(written.title);
  const lines = written.lines.map(spell);
  const words = (text: Text) => say(text, language);
  const text = [
    title,
    lines.join("\n"),
    `${words(WORDS.project)}\n${links.project}`,
    `-- \nshipscore\n${words(WORDS.why)}\n${words(WORDS.unsubscribe)}\n${links.unsubscribe}`,
  ];
  const page = <LetterPage title={title} lines={lines} links={links} language={language} />;
  return {
    subject: writeSubject(message, language),
    text: text.join("\n\n"),
    html: `<!doctype html>${renderToString(page)}`,
  };
}
