import { composeLetter, type Letter, addressOf } from "../access/links.ts";
import type { Language, Text } from "../../shared/language.ts";
import { defuse, plainName, oneLine } from "../base/syntax/text.ts";
import { findAlertWithOwner } from "../db/alerts/recipients.ts";
import type { Deps } from "../deps.ts";
import { renderToString } from "preact-render-to-string";
import { say } from "../../shared/report/words.ts";
import { writeText, type Line } from "./message-text.ts";

interface Asking {
  /** The e-mail address of the account that asks; undefined for the operator. */
  sender: string | undefined;
  /** The address of the page that asks for an answer. */
  link: string;
}

const SUBJECT: Text = {
  fr: "Recevoir des alertes par e-mail ?",
  en: "Do you want alerts by e-mail?",
};

const describeAlert = ({ sender, link }: Asking): Text => {
  const { host } = new URL(link);
  const shown = sender && defuse(sender);
  return {
    fr: `${shown ? `« ${shown} »` : "L'exploitant du serveur"} veut vous envoyer des alertes par e-mail, depuis le serveur shipscore de ${host}. Pour accepter :`,
    en: `${shown ? `“${shown}”` : "The operator of the server"} wants to send you alerts by e-mail, from the shipscore server at ${host}. To accept:`,
  };
};

const OTHERWISE: Text = {
  fr: "Si vous n'acceptez pas, plus rien ne vous est envoyé.",
  en: "Unless you accept, nothing else is sent to you.",
};

/** Writes the one e-mail that somebody gets before they have accepted a project's alerts. Nothing in it is the project's. */
export const writeAsking = (asking: Asking, language: Language): Letter =>
  composeLetter(SUBJECT, [describeAlert(asking), asking.link, OTHERWISE], language);

interface PausedAlert {
  state: "paused" | "waiting";
  projectName: string;
  kind: string;
  target: string;
  /** The address of the page on which it can be tried again. */
  page: string;
}

const SUBJECTS: Record<PausedAlert["state"], Text> = {
  paused: { fr: "Une alerte est en pause", en: "An alert is paused" },
  waiting: { fr: "Une alerte est en attente", en: "An alert is waiting" },
};

const describePausedAlert = ({ state, projectName, kind, target: foreign }: PausedAlert): Text => {
  const name = plainName(projectName);
  const target = defuse(foreign);
  if (state === "waiting")
    return {
      fr: `Le projet${name && ` « ${name} »`} prévenait quelqu'un par e-mail à ${target}, qui n'est plus l'adresse de son propriétaire ni d'un membre. Un e-mail y demande si ses alertes sont toujours voulues ; d'ici là, rien d'autre n'y est envoyé.`,
      en: `The project${name && ` “${name}”`} sent alerts by e-mail to ${target}, which is no longer the address of its owner or a member. An e-mail asks there whether its alerts are still wanted; until somebody accepts, nothing else is sent.`,
    };
  return {
    fr: `Le projet${name && ` « ${name} »`} n'arrive plus à prévenir ${target} (${kind}) : depuis 5 jours, tous les envois échouent. L'alerte est en pause : plus rien n'est envoyé.`,
    en: `The project${name && ` “${name}”`} cannot tell ${target} (${kind}) anything: every message has failed for 5 days. The alert is paused, and nothing more is sent.`,
  };
};

const WHAT_TO_DO: Record<PausedAlert["state"], Text> = {
  waiting: {
    fr: "Pour prévenir une autre adresse, modifiez l'alerte sur sa page. Les messages non remis y sont listés. La page :",
    en: "To tell another address, change the alert on its page. Messages that were not delivered are listed there. The page:",
  },
  paused: {
    fr: "Corrigez la destination, puis appuyez sur « Tester » : si l'essai aboutit, l'alerte reprend. Les messages non remis sont listés sur la même page, et peuvent être renvoyés. La page :",
    en: "Fix the target, then press “Test”: if the test gets through, the alert resumes. Messages that were not delivered are listed on the same page, and can be sent again. The page:",
  },
};

/** Writes the e-mail that tells the owner of a project that one of its alerts is paused, or waits. */
function writePausedLetter(paused: PausedAlert, language: Language): Letter {
  const { state, page } = paused;
  return composeLetter(
    SUBJECTS[state],
    [describePausedAlert(paused), WHAT_TO_DO[state], page],
    language,
  );
}

/** Tells the owner of a project by e-mail, where this server sends any, that an alert is paused, or waits. */
export async function tellOwnerOfPause(
  deps: Deps,
  alertId: string,
  state: PausedAlert["state"],
): Promise<void> {
  if (deps.mailer === undefined) return;
  const alert = await findAlertWithOwner(deps.database.sql, alertId);
  if (alert === undefined) return;
  const page = addressOf(deps, `/projects/${alert.projectId}/alerts/${alertId}`);
  const letter = writePausedLetter({ ...alert, state, page }, alert.language ?? "fr");
  deps.mailer.send({ to: alert.email, ...letter });
}

interface AlertLetter extends Letter {
  html: string;
}

type Message = Parameters<typeof writeText>[0];

interface LetterLinks {
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
