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
  /** What the button does, to the account of this address. */
  lead: (email: string) => Text;
  button: Text;
}

const CREATE: Text = { fr: "Créer le compte", en: "Create the account" };

/** What the page of a link says. */
export const LINK_PAGES: Readonly<Record<LinkKind, LinkPageWords>> = {
  password: {
    title: { fr: "Choisir un nouveau mot de passe", en: "Choose a new password" },
    lead: (email) => ({
      fr: `Pour ${email}. Vous serez ensuite connecté ici, et déconnecté partout ailleurs.`,
      en: `For ${email}. You will then be signed in here, and signed out everywhere else.`,
    }),
    button: { fr: "Choisir ce mot de passe", en: "Set the password" },
  },
  first_account: {
    title: { fr: "Créer le premier compte", en: "Create the first account" },
    lead: () => ({
      fr: "Ce serveur n'a encore personne qui puisse se connecter. Le premier compte est le vôtre, avec l'offre Team.",
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
      fr: `Votre compte aura l'adresse ${email}. La session dans laquelle vous l'avez demandé continue, les autres prennent fin.`,
      en: `Your account will have the address ${email}. The session in which you asked for this goes on, the others end.`,
    }),
    button: { fr: "Confirmer", en: "Confirm" },
  },
  sign_in: {
    title: { fr: "Se connecter par un lien", en: "Sign in with a link" },
    lead: (email) => ({ fr: `En tant que ${email}.`, en: `As ${email}.` }),
    button: { fr: "Se connecter", en: "Sign in" },
  },
};

export const SENT = {
  title: { fr: "Regardez vos e-mails", en: "Check your e-mail" },
  nothing: {
    fr: "Rien n'arrive ? Regardez parmi les indésirables, puis demandez un autre lien : seul le plus récent fonctionne.",
    en: "Nothing there? Look in the spam folder, then ask for another link: only the latest works.",
  },
  again: { fr: "Demander un autre lien", en: "Ask for another link" },
} satisfies Readonly<Record<string, Text>>;

const SEND: Text = { fr: "Envoyer le lien", en: "Send the link" };

export const FORGOT: MailFormWords = {
  title: { fr: "Mot de passe oublié", en: "Forgotten password" },
  lead: {
    fr: "Indiquez l'adresse de votre compte : vous y recevrez un lien pour choisir un nouveau mot de passe.",
    en: "Give the address of your account: a link sent there lets you choose a new password.",
  },
  button: SEND,
  sent: {
    fr: "Si un compte a cette adresse, un lien vient d'y être envoyé. Il fonctionne une fois, dans les 30 minutes.",
    en: "If the address has an account, a link is on its way to it. It works once, within 30 minutes.",
  },
};

export const SIGN_UP: MailFormWords = {
  title: { fr: "Créer un compte", en: "Create an account" },
  lead: {
    fr: "Indiquez votre adresse : un lien qui y est envoyé la confirme, et vous choisissez alors un mot de passe.",
    en: "Give your address: a link sent there confirms it, and you then choose a password.",
  },
  button: SEND,
  sent: {
    fr: "Un message vient d'être envoyé à votre adresse, avec un lien qui fonctionne une fois, dans les 30 minutes.",
    en: "A message is on its way to your address, with a link that works once, within 30 minutes.",
  },
};

export const NO_MAIL: Text = {
  fr: "Ce serveur n'envoie pas d'e-mails. Son exploitant peut créer un lien pour vous avec cette commande, avec l'adresse de votre compte :",
  en: "This server sends no e-mails. Its operator can make a link for you with this command, with the address of your account:",
};
