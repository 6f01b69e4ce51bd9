import type { Text } from "../language.ts";

/** What came of a delivery, said in a sentence, and whether that is good. */
export interface OutcomeWords {
  kind: "recorded" | "ignored" | "refused";
  words: Text;
}

const REFUSED: Readonly<Record<string, Text>> = {
  signature: {
    fr: "Refusé : la signature manque, ou n'est pas faite avec ce secret.",
    en: "Refused: the signature is missing, or was not made with this secret.",
  },
  clock: {
    fr: "Refusé : signé il y a plus de 5 minutes, ou l'horloge de l'expéditeur est fausse.",
    en: "Refused: signed over 5 minutes ago, or the sender's clock is wrong.",
  },
  "no JSON": { fr: "Refusé : ce n'est pas du JSON.", en: "Refused: it is not JSON." },
};

const IGNORED: Readonly<Record<string, Text>> = {
  repeated: { fr: "Ignoré : déjà reçu.", en: "Ignored: received before." },
  incomplete: {
    fr: "Ignoré : rien n'y décrit un déploiement.",
    en: "Ignored: nothing in it describes a deployment.",
  },
  "already the last ship": {
    fr: "Ignoré : c'est déjà la dernière mise en production.",
    en: "Ignored: it is the last ship already.",
  },
};

/** What the first word of a reason is about; the rest of it is the provider's own. */
const ABOUT: Readonly<Record<string, Text>> = {
  event: { fr: "événement", en: "event" },
  state: { fr: "état", en: "state" },
  status: { fr: "état", en: "status" },
  target: { fr: "cible", en: "target" },
  context: { fr: "contexte", en: "context" },
  environment: { fr: "environnement", en: "environment" },
};

const find = (words: Readonly<Record<string, Text>>, key: string): Text | undefined =>
  Object.hasOwn(words, key) ? words[key] : undefined;

function describeIgnored(reason: string): Text {
  const [first = "", ...rest] = reason.split(" ");
  const about = find(ABOUT, first);
  if (about === undefined)
    return find(IGNORED, reason) ?? { fr: `Ignoré : ${reason}`, en: `Ignored: ${reason}` };
  const own = rest.join(" ");
  return { fr: `Ignoré : ${about.fr} ${own}`, en: `Ignored: ${about.en} ${own}` };
}

/** `recorded`, `ignored: state pending`, `refused: clock`, as the owner of the hook reads it. */
export function describeOutcome(outcome: string): OutcomeWords {
  const [kind = "", reason = ""] = outcome.split(/: (.*)/s, 2);
  if (kind === "recorded")
    return { kind, words: { fr: "Déploiement enregistré", en: "Deployment recorded" } };
  if (kind === "ignored") return { kind, words: describeIgnored(reason) };
  const words = find(REFUSED, reason) ?? { fr: `Refusé : ${reason}`, en: `Refused: ${reason}` };
  return { kind: "refused", words };
}
