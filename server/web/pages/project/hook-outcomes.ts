import type { Text } from "../../../base/language.ts";
import { PREVIEWS_AN_HOUR, SHIPS_AN_HOUR } from "../../../projects/deployments.ts";

/** What came of a delivery, and why where that is not plain. */
export interface OutcomeWords {
  kind: "recorded" | "tested" | "ignored" | "refused";
  why: Text | null;
}

const REFUSED: Readonly<Record<string, Text>> = {
  signature: {
    fr: "La signature manque, ou n'est pas faite avec ce secret.",
    en: "The signature is missing, or was not made with this secret.",
  },
  clock: {
    fr: "Signé il y a plus de 5 minutes, ou l'horloge de l'hébergeur est fausse.",
    en: "Signed over 5 minutes ago, or the sender's clock is wrong.",
  },
  "handed over": {
    fr: "Projet cédé : il faut un nouveau secret.",
    en: "Project transferred: the hook needs a new secret.",
  },
  "no secret": {
    fr: "Le secret manque encore.",
    en: "The hook has no secret yet.",
  },
  "no JSON": { fr: "Ce n'est pas du JSON.", en: "It is not JSON." },
  [`more than ${SHIPS_AN_HOUR} ships an hour`]: {
    fr: `Plus de ${SHIPS_AN_HOUR} déploiements du projet en une heure.`,
    en: `More than ${SHIPS_AN_HOUR} deployments of the project within an hour.`,
  },
  [`more than ${PREVIEWS_AN_HOUR} previews an hour`]: {
    fr: `Plus de ${PREVIEWS_AN_HOUR} aperçus du projet en une heure.`,
    en: `More than ${PREVIEWS_AN_HOUR} previews of the project within an hour.`,
  },
};

/** What came of a test, which the plain form has. */
const TESTED = "ignored: test";

const IGNORED: Readonly<Record<string, Text>> = {
  repeated: { fr: "Déjà reçu.", en: "Received before." },
  incomplete: {
    fr: "Rien n'y décrit un déploiement.",
    en: "Nothing in it describes a deployment.",
  },
  "already the last ship": {
    fr: "C'est déjà le dernier déploiement.",
    en: "It is the last deployment already.",
  },
};

/** What the first word of a reason is about; the rest of it is the provider's own. */
const ABOUT: Readonly<Record<string, Text>> = {
  event: { fr: "Événement", en: "Event" },
  state: { fr: "État", en: "State" },
  status: { fr: "État", en: "Status" },
  target: { fr: "Cible", en: "Target" },
  context: { fr: "Contexte", en: "Context" },
  environment: { fr: "Environnement", en: "Environment" },
};

const find = (words: Readonly<Record<string, Text>>, key: string): Text | undefined =>
  Object.hasOwn(words, key) ? words[key] : undefined;

function describeIgnored(reason: string): Text {
  const [first = "", ...rest] = reason.split(" ");
  const about = find(ABOUT, first);
  if (about === undefined) return find(IGNORED, reason) ?? { fr: reason, en: reason };
  const own = rest.join(" ");
  return { fr: `${about.fr} ${own}`, en: `${about.en} ${own}` };
}

/** `recorded`, `ignored: state pending`, `refused: clock`, as the owner of the hook reads it. */
export function describeOutcome(outcome: string): OutcomeWords {
  const [kind = "", reason = ""] = outcome.split(/: (.*)/s, 2);
  if (kind === "recorded") return { kind, why: null };
  if (outcome === TESTED) return { kind: "tested", why: null };
  if (kind === "ignored") return { kind, why: describeIgnored(reason) };
  return { kind: "refused", why: find(REFUSED, reason) ?? { fr: reason, en: reason } };
}
