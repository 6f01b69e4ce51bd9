import { factsOf, type HookProvider } from "../../../base/hook-providers.ts";
import type { Text } from "../../../../shared/language.ts";
import { MAX_HOOKS } from "../../../projects/hooks.ts";
import { PREVIEWS_AN_HOUR, SHIPS_AN_HOUR } from "../../../projects/deployments.ts";

export const HOOKS = {
  help: { fr: "Documentation", en: "Documentation" },
  title: { fr: "Webhooks entrants", en: "Incoming webhooks" },
  lead: {
    fr: "Votre fournisseur (GitHub, GitLab, Vercel…) ou votre CI signale ici chaque déploiement en production ; l'URL du projet est alors vérifiée et reçoit un score.",
    en: "Your provider or CI reports each production deployment here; the project's URL is then checked and scored.",
  },
  provider: { fr: "Fournisseur", en: "Provider" },
  add: { fr: "Ajouter", en: "Add" },
  addName: { fr: "Ajouter le webhook entrant", en: "Add the incoming webhook" },
  hook: { fr: "Webhook entrant", en: "Incoming webhook" },
  last: { fr: "Dernier événement", en: "Last event" },
  none: { fr: "Aucun pour l'instant", en: "None yet" },
} satisfies Record<string, Text>;

export const nameHook = ({ id, provider }: { id: string; provider: HookProvider }): Text => {
  const { fr, en } = factsOf(provider).label;
  return { fr: `${fr} …${id.slice(-4)}`, en: `${en} …${id.slice(-4)}` };
};

export const HOOK = {
  address: { fr: "URL", en: "URL" },
  steps: { fr: "Configuration", en: "Setup" },
  theAddress: { fr: "l'URL ci-dessus", en: "the URL above" },
  theSecret: { fr: "le secret", en: "the secret" },
  paste: (provider: Text) => ({
    fr: `${provider.fr} affiche alors un secret, une seule fois : collez-le plus bas.`,
    en: `${provider.en} then shows a secret, only once: paste it below.`,
  }),
  inJob: {
    fr: "Après chaque déploiement en production, votre tâche de CI doit exécuter ces lignes. SHIPSCORE_HOOK_URL est l'URL ci-dessus, et SHIPSCORE_HOOK_SECRET le secret, à placer dans une variable masquée.",
    en: "After each production deployment, your CI job runs these lines. SHIPSCORE_HOOK_URL is the URL above, and SHIPSCORE_HOOK_SECRET the secret, as a masked variable.",
  },
  lines: { fr: "les lignes", en: "the lines" },
  events: { fr: "Événements reçus", en: "Received events" },
  waiting: { fr: "En attente du premier événement", en: "Waiting for the first event" },
  reload: { fr: "Recharger", en: "Reload" },
  event: { fr: "Événement", en: "Event" },
  when: { fr: "Date", en: "Time" },
  outcome: { fr: "Résultat", en: "Result" },
  test: { fr: "Tester", en: "Test" },
  testName: { fr: "Tester le webhook entrant", en: "Test the incoming webhook" },
  secret: { fr: "Changer le secret", en: "Change the secret" },
  newSecret: { fr: "Nouveau secret", en: "New secret" },
  givenHint: (provider: Text) => ({
    fr: `Celui que ${provider.fr} affiche. L'ancien reste accepté pendant 24 heures.`,
    en: `The secret that ${provider.en} shows. The previous one is accepted for 24 hours.`,
  }),
  secretHint: {
    fr: "Laissez vide pour en générer un nouveau. L'ancien reste accepté pendant 24 heures.",
    en: "Leave empty to generate a new one. The previous one is accepted for 24 hours.",
  },
  save: { fr: "Enregistrer", en: "Save" },
  saveName: { fr: "Enregistrer le secret", en: "Save the secret" },
  remove: { fr: "Retirer", en: "Remove" },
  removal: {
    fr: "Tout ce qui est envoyé à cette URL sera refusé. Le secret, les événements reçus et les réglages des statuts seront perdus.",
    en: "Everything sent to this URL will be refused. The secret, the received events and the status settings will be lost.",
  },
  handedOver: {
    fr: "Un ancien propriétaire connaît le secret. Changez-le ici, puis chez le fournisseur.",
    en: "A former owner knows the secret. Change it here, then at the provider.",
  },
  noSecret: {
    fr: "Le secret du fournisseur est manquant.",
    en: "The provider's secret is missing.",
  },
  secretOf: { fr: "Secret du webhook entrant", en: "Secret of the incoming webhook" },
  addedHint: {
    fr: "Copiez-le maintenant : il ne s'affiche qu'une fois.",
    en: "Copy it now: it is shown only once.",
  },
  rotatedHint: {
    fr: "Copiez-le maintenant : il ne s'affiche qu'une fois. Pendant 24 heures, l'ancien reste accepté.",
    en: "Copy it now: it is shown only once. For 24 hours the previous one is accepted too.",
  },
} satisfies Record<string, Text | ((provider: Text) => Text)>;

export const HOOK_PROBLEMS = {
  tooMany: {
    fr: `Ce projet a déjà ${MAX_HOOKS} webhooks entrants : c'est le maximum. Retirez-en un d'abord.`,
    en: `This project already has ${MAX_HOOKS} incoming webhooks, which is the limit. Remove one first.`,
  },
  noKey: {
    fr: "Ce serveur n'a pas de clé pour chiffrer les secrets. Son administrateur doit définir SHIPSCORE_SECRET_KEY.",
    en: "This server has no key for encrypting secrets. Its administrator has to set SHIPSCORE_SECRET_KEY.",
  },
  provider: {
    fr: "Choisissez un fournisseur dans la liste.",
    en: "Choose a provider from the list.",
  },
  secret: {
    fr: "Un secret est une ligne de 1 à 500 caractères sans espace ; ce qui suit whsec_ doit être en base64.",
    en: "A secret is one line of 1 to 500 characters without spaces; what follows whsec_ must be base64.",
  },
} satisfies Record<string, Text>;

export interface OutcomeWords {
  kind: "recorded" | "tested" | "ignored" | "refused";
  why: Text | null;
}

const REFUSED: Readonly<Record<string, Text>> = {
  signature: {
    fr: "La signature est absente, ou a été calculée avec un autre secret.",
    en: "The signature is missing, or was not made with this secret.",
  },
  clock: {
    fr: "Signature de plus de 5 minutes, ou horloge de l'expéditeur déréglée.",
    en: "Signed over 5 minutes ago, or the sender's clock is wrong.",
  },
  "handed over": {
    fr: "Projet transféré : un nouveau secret est nécessaire.",
    en: "Project transferred: the webhook needs a new secret.",
  },
  "no secret": {
    fr: "Le secret n'est pas encore défini.",
    en: "The webhook has no secret yet.",
  },
  "no JSON": { fr: "L'événement n'est pas du JSON.", en: "The event is not JSON." },
  [`more than ${SHIPS_AN_HOUR} ships an hour`]: {
    fr: `Plus de ${SHIPS_AN_HOUR} déploiements du projet en une heure.`,
    en: `More than ${SHIPS_AN_HOUR} deployments of the project in an hour.`,
  },
  [`more than ${PREVIEWS_AN_HOUR} previews an hour`]: {
    fr: `Plus de ${PREVIEWS_AN_HOUR} aperçus du projet en une heure.`,
    en: `More than ${PREVIEWS_AN_HOUR} previews of the project in an hour.`,
  },
};

/** Only the plain form has test events. */
const TESTED = "ignored: test";

const IGNORED: Readonly<Record<string, Text>> = {
  repeated: { fr: "Déjà reçu.", en: "Already received." },
  incomplete: {
    fr: "L'événement ne décrit aucun déploiement.",
    en: "The event describes no deployment.",
  },
  "already the last ship": {
    fr: "C'est déjà le dernier déploiement en production.",
    en: "It is already the last production deployment.",
  },
};

/** The first word of a reason. The rest is in the provider's own words. */
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

/** `outcome`: such as `recorded`, `ignored: state pending` or `refused: clock`. */
export function describeOutcome(outcome: string): OutcomeWords {
  const [kind = "", reason = ""] = outcome.split(/: (.*)/s, 2);
  if (kind === "recorded") return { kind, why: null };
  if (outcome === TESTED) return { kind: "tested", why: null };
  if (kind === "ignored") return { kind, why: describeIgnored(reason) };
  return { kind: "refused", why: find(REFUSED, reason) ?? { fr: reason, en: reason } };
}
