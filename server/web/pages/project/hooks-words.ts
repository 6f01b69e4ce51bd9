import { factsOf, type HookProvider } from "../../../base/hook-providers.ts";
import type { Text } from "../../../../shared/language.ts";
import { MAX_HOOKS } from "../../../projects/hooks.ts";
import { PREVIEWS_AN_HOUR, SHIPS_AN_HOUR } from "../../../projects/deployments.ts";

export const HOOKS = {
  help: { fr: "Mode d'emploi", en: "How it works" },
  title: { fr: "Déploiements entrants", en: "Hooks" },
  lead: {
    fr: "Votre hébergeur ou votre CI annonce ici chaque déploiement en production ; l'adresse du projet est alors vérifiée et notée.",
    en: "Your host or CI reports each deployment to production here; the project's address is then checked and gets its score.",
  },
  provider: { fr: "Hébergeur", en: "Provider" },
  add: { fr: "Ajouter", en: "Add" },
  addName: { fr: "Ajouter des déploiements entrants", en: "Add the hook" },
  hook: { fr: "Hébergeur", en: "Hook" },
  last: { fr: "Dernier événement", en: "Last event" },
  none: { fr: "Aucun pour l'instant", en: "None yet" },
} satisfies Record<string, Text>;

/** A hook by its provider and the end of its id. */
export const nameHook = ({ id, provider }: { id: string; provider: HookProvider }): Text => {
  const { fr, en } = factsOf(provider).label;
  return { fr: `${fr} …${id.slice(-4)}`, en: `${en} …${id.slice(-4)}` };
};

/** What the page of one hook says. */
export const HOOK = {
  address: { fr: "Adresse", en: "Address" },
  steps: { fr: "Mise en place", en: "Set-up" },
  theAddress: { fr: "l'adresse ci-dessus", en: "the address above" },
  theSecret: { fr: "le secret", en: "the secret" },
  paste: (provider: Text) => ({
    fr: `${provider.fr} affiche alors un secret, une seule fois : collez-le plus bas.`,
    en: `${provider.en} then shows a secret, only once: paste it below.`,
  }),
  inJob: {
    fr: "Après chaque déploiement en production, votre tâche de CI exécute ces lignes. SHIPSCORE_HOOK_URL est l'adresse ci-dessus, SHIPSCORE_HOOK_SECRET le secret, en variable masquée.",
    en: "After each deployment to production, your CI job runs these lines. SHIPSCORE_HOOK_URL is the address above, SHIPSCORE_HOOK_SECRET the secret, as a masked variable.",
  },
  lines: { fr: "les lignes", en: "the lines" },
  events: { fr: "Événements reçus", en: "Events received" },
  waiting: { fr: "En attente du premier événement", en: "Waiting for the first event" },
  reload: { fr: "Recharger", en: "Reload" },
  event: { fr: "Événement", en: "Event" },
  when: { fr: "Quand", en: "When" },
  outcome: { fr: "Suite donnée", en: "Outcome" },
  test: { fr: "Tester", en: "Test" },
  testName: { fr: "Tester les déploiements entrants", en: "Test the hook" },
  secret: { fr: "Changer le secret", en: "Change the secret" },
  newSecret: { fr: "Nouveau secret", en: "New secret" },
  givenHint: (provider: Text) => ({
    fr: `Celui que ${provider.fr} affiche. L'ancien reste accepté pendant 24 heures.`,
    en: `The one that ${provider.en} shows. A former one is accepted for 24 hours.`,
  }),
  secretHint: {
    fr: "Laissez vide pour en générer un nouveau. L'ancien reste accepté pendant 24 heures.",
    en: "Leave empty to have a new one generated. The former one is accepted for 24 hours.",
  },
  save: { fr: "Enregistrer", en: "Save" },
  saveName: { fr: "Enregistrer le secret", en: "Save the hook's secret" },
  remove: { fr: "Retirer", en: "Remove" },
  removal: {
    fr: "Ce qui est envoyé à cette adresse est refusé. Le secret, les événements reçus et les réglages des statuts sont perdus.",
    en: "Everything sent to this address is refused. The secret, the received events and the settings of statuses are lost.",
  },
  handedOver: {
    fr: "Un ancien propriétaire connaît le secret. Changez-le, puis donnez-le à l'hébergeur.",
    en: "A former owner knows the secret. Change it, then give it to the provider.",
  },
  noSecret: { fr: "Il manque le secret de l'hébergeur.", en: "The provider's secret is missing." },
  secretOf: { fr: "Secret des déploiements entrants", en: "Secret of the hook" },
  addedHint: {
    fr: "Copiez-le maintenant : il n'est affiché que cette fois.",
    en: "Copy it now: it is shown only once.",
  },
  rotatedHint: {
    fr: "Copiez-le maintenant : il n'est affiché que cette fois. Pendant 24 heures, l'ancien reste accepté.",
    en: "Copy it now: it is shown only once. For 24 hours the former one is accepted too.",
  },
} satisfies Record<string, Text | ((provider: Text) => Text)>;

export const HOOK_PROBLEMS = {
  tooMany: {
    fr: `Ce projet a déjà ${MAX_HOOKS} adresses pour déploiements entrants, le maximum. Retirez-en une d'abord.`,
    en: `This project has ${MAX_HOOKS} hooks already, the most it can have. Remove one first.`,
  },
  noKey: {
    fr: "Ce serveur n'a pas de clé pour chiffrer les secrets. Son exploitant doit définir SHIPSCORE_SECRET_KEY.",
    en: "This server has no key to encrypt secrets with. Its operator has to set SHIPSCORE_SECRET_KEY.",
  },
  provider: { fr: "Choisissez un hébergeur de la liste.", en: "Choose a provider from the list." },
  secret: {
    fr: "Un secret est une ligne de 1 à 500 caractères sans espace ; après whsec_, c'est du base64.",
    en: "A secret is one line of 1 to 500 characters without spaces; after whsec_ it is base64.",
  },
} satisfies Record<string, Text>;

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
