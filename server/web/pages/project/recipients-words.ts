import type { Consent } from "../../../db/alerts/recipients.ts";
import type { Text } from "../../../base/language.ts";

export type Answer = Exclude<Consent, "waiting">;

interface AnswerWords {
  title: Text;
  lead: (project: string) => Text;
  button: Text;
  /** Once it is given. */
  done: Text;
  doneLead: (project: string) => Text;
}

export const ANSWERS: Readonly<Record<Answer, AnswerWords>> = {
  accepted: {
    title: { fr: "Recevoir ces alertes ?", en: "Get these alerts?" },
    lead: (project) => ({
      fr: `Quelqu'un veut envoyer à cette adresse e-mail les alertes du projet « ${project} ». Sans votre accord, rien ne vous est envoyé.`,
      en: `Somebody wants to send the alerts of the project “${project}” to this e-mail address. Unless you accept, nothing is sent to you.`,
    }),
    button: { fr: "Recevoir les alertes", en: "Get the alerts" },
    done: { fr: "Vous recevez les alertes", en: "You get the alerts" },
    doneLead: (project) => ({
      fr: `Les alertes du projet « ${project} » sont envoyées à cette adresse e-mail. Chacune a le lien qui y met fin.`,
      en: `The alerts of the project “${project}” are sent to this e-mail address. Each has the link that ends them.`,
    }),
  },
  ended: {
    title: { fr: "Ne plus recevoir ces alertes", en: "Stop these alerts" },
    lead: (project) => ({
      fr: `Cette adresse e-mail ne recevra plus rien sur le projet « ${project} », même si son propriétaire l'ajoute à nouveau. Vous seul pourrez revenir sur cette décision, sur cette page.`,
      en: `This e-mail address will get nothing more about the project “${project}”, even if its owner adds it again. Only you can undo this, on this page.`,
    }),
    button: { fr: "Me désabonner", en: "Unsubscribe" },
    done: { fr: "Vous êtes désabonné", en: "You are unsubscribed" },
    doneLead: (project) => ({
      fr: `Plus aucune alerte du projet « ${project} » n'est envoyée à cette adresse e-mail. Un message déjà en route peut encore arriver.`,
      en: `No more alerts of the project “${project}” are sent to this e-mail address. One that is on its way may still arrive.`,
    }),
  },
};
