import { say } from "../../shared/report/words.ts";
import type { Language, Text } from "../language.ts";
import { nameInLetter } from "./invitation-letter.ts";
import type { Letter } from "./link-letters.ts";

/** An alert that was paused, as its owner is told. */
export interface PausedAlert {
  projectName: string;
  kind: string;
  host: string;
  /** The address of the page on which it can be tried again. */
  page: string;
}

const SUBJECT: Text = { fr: "Une alerte est en pause", en: "An alert is paused" };

const describe = ({ projectName, kind, host }: PausedAlert): Text => {
  const name = nameInLetter(projectName);
  return {
    fr: `Le projet${name && ` « ${name} »`} ne peut plus rien dire à ${host} (${kind}) : depuis 5 jours, tous les envois échouent. L'alerte est en pause, et rien n'y est plus envoyé.`,
    en: `The project${name && ` “${name}”`} can tell ${host} (${kind}) nothing any more: for 5 days, whatever was sent has failed. The alert is paused, and nothing is sent there any more.`,
  };
};

const WHAT_TO_DO: Text = {
  fr: "Corrigez la destination, puis appuyez sur « Tester » : si l'essai arrive, l'alerte reprend. Ce qui n'a pas été remis est listé là, et peut être renvoyé. La page :",
  en: "Mend the target, then press “Test”: if the test arrives, the alert resumes. What was not delivered is listed there, and can be sent again. The page:",
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
