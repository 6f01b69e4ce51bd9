import type { HookProvider } from "../../../db/deployments/hooks.ts";
import type { Text } from "../../../base/language.ts";
import { MAX_HOOKS } from "../../../projects/hooks.ts";

export const HOOKS = {
  title: { fr: "Webhooks de déploiement", en: "Deployment hooks" },
  lead: {
    fr: "Votre hébergeur annonce à un webhook chaque déploiement en production ; l'adresse du projet est alors vérifiée et notée. Ajoutez-en un, puis donnez son URL et son secret à l'hébergeur.",
    en: "Your host reports each deployment to production to a hook; the project's address is then verified, and the ship gets its score. Add one, then give its URL and secret to the host.",
  },
  provider: { fr: "Expéditeur", en: "Provider" },
  url: { fr: "URL", en: "URL" },
  add: { fr: "Ajouter", en: "Add" },
  addName: { fr: "Ajouter le webhook de déploiement", en: "Add the deployment hook" },
  remove: { fr: "Retirer", en: "Remove" },
  lastRemoved: {
    fr: "C'est le dernier. Sans lui, plus aucun déploiement n'est annoncé ni noté. Vous pourrez annuler pendant 10 minutes.",
    en: "It is the last one. Without it, no deployment is reported or scored any more. You can undo this for 10 minutes.",
  },
  rotation: { fr: "Changer le secret", en: "Change the secret" },
  hook: { fr: "Webhook", en: "Hook" },
  secret: { fr: "Secret choisi par l'expéditeur", en: "Secret that the provider chose" },
  secretHint: {
    fr: "Vercel choisit le sien : ajoutez le webhook, donnez son URL à Vercel, puis collez ici le secret obtenu. Vide : un nouveau secret vous est montré.",
    en: "Vercel chooses its own: add the hook, give its URL to Vercel, then paste the secret that you get here. Empty: a new secret is shown to you.",
  },
  rotate: { fr: "Renouveler", en: "Rotate" },
  rotateName: { fr: "Renouveler le secret du webhook", en: "Rotate the hook's secret" },
  handedOver: {
    fr: "Un ancien propriétaire connaît son secret. Renouvelez-le plus bas, puis donnez-le à l'expéditeur.",
    en: "A former owner knows its secret. Rotate it below, then give it to the provider.",
  },
  deliveries: { fr: "Derniers événements reçus", en: "Last events received" },
  event: { fr: "Événement", en: "Event" },
  when: { fr: "Quand", en: "When" },
  outcome: { fr: "Suite donnée", en: "Outcome" },
  secretOf: { fr: "Secret du webhook de déploiement", en: "Secret of the deployment hook" },
  addedHint: {
    fr: "Copiez-le maintenant : il n'est affiché que cette fois. Donnez-le à l'expéditeur avec l'URL du webhook plus bas.",
    en: "Copy it now: it is shown only once. Give it to the provider with the hook's URL below.",
  },
  rotatedHint: {
    fr: "Copiez-le maintenant : il n'est affiché que cette fois. Pendant 24 heures, l'ancien reste accepté.",
    en: "Copy it now: it is shown only once. For 24 hours the former one is accepted too.",
  },
} satisfies Record<string, Text>;

/** The question before the last hook of a project is removed. */
export const askToRemoveLast = (project: string): Text => ({
  fr: `Retirer le dernier webhook de déploiement de ${project} ?`,
  en: `Remove the last hook of ${project}?`,
});

export const PROVIDER_NAMES: Readonly<Record<HookProvider, Text>> = {
  github: { fr: "GitHub", en: "GitHub" },
  vercel: { fr: "Vercel", en: "Vercel" },
  netlify: { fr: "Netlify", en: "Netlify" },
  gitlab: { fr: "GitLab", en: "GitLab" },
  plain: { fr: "Autre (Standard Webhooks)", en: "Other (Standard Webhooks)" },
};

export const HOOK_PROBLEMS = {
  tooMany: {
    fr: `Ce projet a déjà ${MAX_HOOKS} webhooks de déploiement, le maximum. Retirez-en un d'abord.`,
    en: `This project has ${MAX_HOOKS} deployment hooks already, the most it can have. Remove one first.`,
  },
  noKey: {
    fr: "Ce serveur n'a pas de clé pour chiffrer les secrets. Son exploitant doit définir SHIPSCORE_SECRET_KEY.",
    en: "This server has no key to encrypt secrets with. Its operator has to set SHIPSCORE_SECRET_KEY.",
  },
  provider: { fr: "Choisissez un expéditeur de la liste.", en: "Choose a provider from the list." },
  secret: {
    fr: "Un secret est une ligne de 1 à 500 caractères sans espace ; après whsec_, c'est du base64.",
    en: "A secret is one line of 1 to 500 characters without spaces; after whsec_ it is base64.",
  },
  gone: {
    fr: "Ce webhook n'existe plus. Choisissez-en un autre.",
    en: "This hook does not exist any more. Choose another.",
  },
} satisfies Record<string, Text>;
