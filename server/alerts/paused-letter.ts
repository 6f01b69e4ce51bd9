import { addressOf } from "../access/links.ts";
import { composeLetter, type Letter } from "../access/link-letters.ts";
import type { Language, Text } from "../base/language.ts";
import { defuse, plainName } from "../base/syntax/foreign-text.ts";
import { findOwnersAlert } from "../db/alerts/recipients.ts";
import type { Deps } from "../deps.ts";

export interface PausedAlert {
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

const describe = ({ state, projectName, kind, target: foreign }: PausedAlert): Text => {
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
export function writePausedLetter(paused: PausedAlert, language: Language): Letter {
  const { state, page } = paused;
  return composeLetter(SUBJECTS[state], [describe(paused), WHAT_TO_DO[state], page], language);
}

/** Tells the owner of a project by e-mail, where this server sends any, that an alert is paused, or waits. */
export async function tellOwnerOfPause(
  deps: Deps,
  alertId: string,
  state: PausedAlert["state"],
): Promise<void> {
  if (deps.mailer === undefined) return;
  const alert = await findOwnersAlert(deps.database.sql, alertId);
  if (alert === undefined) return;
  const page = addressOf(deps, `/projects/${alert.projectId}/alerts/${alertId}`);
  const letter = writePausedLetter({ ...alert, state, page }, alert.language ?? "fr");
  deps.mailer.send({ to: alert.email, ...letter });
}
