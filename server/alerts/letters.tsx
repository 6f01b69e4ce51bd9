import { composeLetter, type Letter, addressOf } from "../access/links.ts";
import type { Language, Text } from "../../shared/language.ts";
import { defuse, plainName, oneLine } from "../base/syntax/text.ts";
import { findAlertWithOwner } from "../db/alerts/recipients.ts";
import type { Deps } from "../deps.ts";
import { renderToString } from "preact-render-to-string";
import { say } from "../../shared/report/words.ts";
import { writeText, type Line } from "./message-text.ts";

interface ConsentRequest {
  /** The e-mail address of the account that added the alert; undefined for the operator. */
  sender: string | undefined;
  link: string;
}

const SUBJECT: Text = {
  fr: "Recevoir des alertes par e-mail ?",
  en: "Do you want alerts by e-mail?",
};

const describeRequest = ({ sender, link }: ConsentRequest): Text => {
  const { host } = new URL(link);
  const shown = sender && defuse(sender);
  return {
    fr: `${shown ? `« ${shown} »` : "L'administrateur du serveur"} souhaite vous envoyer des alertes par e-mail, depuis le serveur shipscore ${host}. Pour accepter :`,
    en: `${shown ? `“${shown}”` : "The administrator of the server"} wants to send you alerts by e-mail, from the shipscore server at ${host}. To accept:`,
  };
};

const OTHERWISE: Text = {
  fr: "Si vous n'acceptez pas, vous ne recevrez aucun autre message.",
  en: "If you do not accept, you will get no further messages.",
};

/** Writes the only e-mail before consent. It contains no text from the project, since an owner could use such text for spam. */
export const writeConsentRequest = (request: ConsentRequest, language: Language): Letter =>
  composeLetter(SUBJECT, [describeRequest(request), request.link, OTHERWISE], language);

interface PausedAlert {
  state: "paused" | "waiting";
  projectName: string;
  kind: string;
  target: string;
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
      fr: `Le projet${name && ` « ${name} »`} envoyait des alertes par e-mail à ${target}, qui n'est plus l'adresse du propriétaire ni d'un membre. Un e-mail envoyé à cette adresse demande si ces alertes sont toujours souhaitées ; tant que personne n'a accepté, elle ne reçoit rien d'autre.`,
      en: `The project${name && ` “${name}”`} sent alerts by e-mail to ${target}, which is no longer the address of its owner or a member. An e-mail sent to this address asks whether the alerts are still wanted. Until someone accepts, nothing else is sent there.`,
    };
  return {
    fr: `Le projet${name && ` « ${name} »`} ne peut plus prévenir ${target} (${kind}) : tous les envois échouent depuis 5 jours. L'alerte est en pause et plus rien n'est envoyé.`,
    en: `The project${name && ` “${name}”`} cannot reach ${target} (${kind}): every message has failed for 5 days. The alert is paused, and nothing more is sent.`,
  };
};

const WHAT_TO_DO: Record<PausedAlert["state"], Text> = {
  waiting: {
    fr: "Pour prévenir une autre adresse, modifiez l'alerte sur sa page. Les messages non remis y sont listés. Page de l'alerte :",
    en: "To notify another address, change the alert on its page. Messages that were not delivered are listed there. Alert page:",
  },
  paused: {
    fr: "Corrigez la destination, puis cliquez sur « Tester » : si le message de test est remis, l'alerte est réactivée. Les messages non remis sont listés sur la même page et peuvent être renvoyés. Page de l'alerte :",
    en: "Fix the target, then press “Test”: if the test message is delivered, the alert resumes. Messages that were not delivered are listed on the same page, and can be sent again. Alert page:",
  },
};

function writePausedLetter(paused: PausedAlert, language: Language): Letter {
  const { state, page } = paused;
  return composeLetter(
    SUBJECTS[state],
    [describePausedAlert(paused), WHAT_TO_DO[state], page],
    language,
  );
}

export async function notifyOwnerOfPause(
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
  project: { fr: "Projet :", en: "Project:" },
  why: {
    fr: "Vous recevez ce message parce que le propriétaire du projet a ajouté votre adresse aux alertes.",
    en: "You get this message because the project's owner added your address to its alerts.",
  },
  unsubscribe: { fr: "Se désabonner :", en: "Unsubscribe:" },
} satisfies Record<string, Text>;

const writeLine = (line: Line): string =>
  line.map((part) => (typeof part === "string" ? part : defuse(part.foreign))).join("");

const LONGEST_URL = 100;

/** All e-mails about an incident have one subject, since mail programs group threads by subject. */
function writeSubject({ type, data }: Message, language: Language): string {
  const isReply = type === "incident.closed" || type === "incident.reminder";
  const { title } = writeText({ type: isReply ? "incident.opened" : type, data }, language);
  const url = data.incident && `, ${defuse(oneLine(data.incident.url, LONGEST_URL))}`;
  return `${isReply ? "Re: " : ""}${writeLine(title)}${url ?? ""}`;
}

interface PageProps {
  title: string;
  lines: readonly string[];
  links: LetterLinks;
  language: Language;
}

const SOFT = "color:#57606a;font-size:14px";

/** Mail programs drop style sheets, so each element has a `style`. */
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

export function writeAlertLetter(
  message: Message,
  language: Language,
  links: LetterLinks,
): AlertLetter {
  const written = writeText(message, language);
  const title = writeLine(written.title);
  const lines = written.lines.map(writeLine);
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
