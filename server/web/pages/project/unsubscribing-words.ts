import type { Text } from "../../../base/language.ts";

export const UNSUBSCRIBING = {
  title: { fr: "Ne plus recevoir ces alertes", en: "Stop these alerts" },
  lead: (project: string): Text => ({
    fr: `Cette adresse e-mail ne recevra plus rien sur le projet ${project}. Seul son propriétaire pourra l'ajouter à nouveau.`,
    en: `This e-mail address will get nothing more about the project ${project}. Only its owner can add it again.`,
  }),
  button: { fr: "Me désabonner", en: "Unsubscribe" },
  done: { fr: "Vous êtes désabonné", en: "You are unsubscribed" },
  doneLead: (project: string): Text => ({
    fr: `Plus aucune alerte sur le projet ${project} n'est envoyée à cette adresse e-mail. Un message déjà en route peut encore arriver.`,
    en: `No more alerts about the project ${project} are sent to this e-mail address. One that is on its way may still arrive.`,
  }),
};
