import type { LinkKind } from "../../../db/accounts/links.ts";
import type { Text } from "../../../../shared/language.ts";
import type { MailFormWords } from "./mail-forms.tsx";

export const FIELDS = {
  email: { fr: "Adresse e-mail", en: "E-mail address" },
  password: { fr: "Mot de passe", en: "Password" },
  newPassword: { fr: "Nouveau mot de passe", en: "New password" },
} satisfies Readonly<Record<string, Text>>;

interface LinkPageWords {
  title: Text;
  lead: (email: string) => Text;
  button: Text;
}

const CREATE: Text = { fr: "Créer le compte", en: "Create the account" };

export const LINK_PAGES: Readonly<Record<LinkKind, LinkPageWords>> = {
  password: {
    title: { fr: "Choisir un nouveau mot de passe", en: "Choose a new password" },
    lead: (email) => ({
      fr: `Pour ${email}. Une session s'ouvrira ici, et toutes vos autres sessions seront fermées.`,
      en: `For ${email}. You will then be signed in here, and signed out everywhere else.`,
    }),
    button: { fr: "Définir le mot de passe", en: "Set the password" },
  },
  first_account: {
    title: { fr: "Créer le premier compte", en: "Create the first account" },
    lead: () => ({
      fr: "Personne ne peut encore se connecter à ce serveur. Le premier compte est le vôtre, avec l'offre Team.",
      en: "Nobody can sign in to this server yet. The first account is yours, on the Team plan.",
    }),
    button: CREATE,
  },
  sign_up: {
    title: { fr: "Créer votre compte", en: "Create your account" },
    lead: (email) => ({
      fr: `L'adresse ${email} est confirmée. Choisissez un mot de passe.`,
      en: `The address ${email} is confirmed. Choose a password.`,
    }),
    button: CREATE,
  },
  email: {
    title: { fr: "Confirmer votre nouvelle adresse", en: "Confirm your new address" },
    lead: (email) => ({
      fr: `Votre compte aura l'adresse ${email}. La session où vous avez fait cette demande reste ouverte, les autres sont fermées.`,
      en: `Your account will have the address ${email}. The session in which you asked for this stays open; the others are signed out.`,
    }),
    button: { fr: "Confirmer", en: "Confirm" },
  },
  sign_in: {
    title: { fr: "Se connecter avec un lien", en: "Sign in with a link" },
    lead: (email) => ({ fr: `En tant que ${email}.`, en: `As ${email}.` }),
    button: { fr: "Se connecter", en: "Sign in" },
  },
};

export const SENT = {
  title: { fr: "Consultez vos e-mails", en: "Check your e-mail" },
  nothing: {
    fr: "Rien reçu ? Vérifiez vos courriers indésirables, puis demandez un autre lien : seul le plus récent est valable.",
    en: "Nothing there? Look in the spam folder, then ask for another link: only the latest one works.",
  },
  again: { fr: "Demander un autre lien", en: "Ask for another link" },
} satisfies Readonly<Record<string, Text>>;

const SEND: Text = { fr: "Envoyer le lien", en: "Send the link" };

export const FORGOT: MailFormWords = {
  title: { fr: "Mot de passe oublié ?", en: "Forgot your password?" },
  lead: {
    fr: "Saisissez l'adresse de votre compte : vous y recevrez un lien pour choisir un nouveau mot de passe.",
    en: "Enter the address of your account: a link sent there lets you choose a new password.",
  },
  button: SEND,
  sent: {
    fr: "Si un compte est associé à cette adresse, un lien vient d'y être envoyé. Il est utilisable une seule fois, pendant 30 minutes.",
    en: "If there is an account for this address, a link is on its way to it. It can be used once, within 30 minutes.",
  },
};

export const SIGN_UP: MailFormWords = {
  title: { fr: "Créer un compte", en: "Create an account" },
  lead: {
    fr: "Saisissez votre adresse : vous la confirmerez avec le lien que vous y recevrez, puis vous choisirez un mot de passe.",
    en: "Enter your address: a link sent there confirms it, and you then choose a password.",
  },
  button: SEND,
  sent: {
    fr: "Un message vient d'être envoyé à votre adresse, avec un lien utilisable une seule fois, pendant 30 minutes.",
    en: "A message is on its way to your address, with a link that can be used once, within 30 minutes.",
  },
};

export const NO_MAIL: Text = {
  fr: "Ce serveur n'envoie pas d'e-mail. Son administrateur peut créer un lien pour vous avec cette commande et l'adresse de votre compte :",
  en: "This server sends no e-mail. Its administrator can create a link for you with this command and the address of your account:",
};
