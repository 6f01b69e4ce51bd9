import { say } from "../../shared/report/words.ts";
import type { Language, Text } from "../base/language.ts";
import { defuse, plainName } from "../base/syntax/foreign-text.ts";
import type { Letter } from "../access/link-letters.ts";

/** An alert that was paused, as its owner is told. */
export interface PausedAlert {
  projectName: string;
  kind: string;
  host: string;
  /** The address of the page on which it can be tried again. */
  page: string;
}

const SUBJECT: Text = { fr: "Une alerte est en pause", en: "An alert is paused" };

const describe = ({ projectName, kind, host: foreign }: PausedAlert): Text => {
  const name = plainName(projectName);
  const host = defuse(foreign);
  return {
    fr: `Le projet${name && ` « ${name} »`} n'arrive plus à prévenir ${host} (${kind}) : depuis 5 jours, tous les envois échouent. L'alerte est en pause : plus rien n'est envoyé.`,
    en: `The project${name && ` “${name}”`} cannot tell ${host} (${kind}) anything: every message has failed for 5 days. The alert is paused, and nothing more is sent.`,
  };
};

const WHAT_TO_DO: Text = {
  fr: "Corrigez la destination, puis appuyez sur « Tester » : si l'essai aboutit, l'alerte reprend. Les messages non remis sont listés sur la même page, et peuvent être renvoyés. La page :",
  en: "Fix the target, then press “Test”: if the test gets through, the alert resumes. Messages that were not delivered are listed on the same page, and can be sent again. The page:",
};

/** Writes the e-mail that tells the owner of a project that one of its alerts is paused. */
export function writePausedLetter(paused: PausedAlert, language: Language): Letter {
  return {
    subject: say(SUBJECT, language),
    text: [
      say(describe(paused), language),
      say(WHAT_TO_DO, language),
      paused.page,
      "-- \nshipscore",
    ].join("\n\n"),
  };
}
