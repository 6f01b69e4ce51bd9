import type { LinkKind } from "../../db/links.ts";
import type { Text } from "../../language.ts";
import type { MailFormWords } from "./mail-form.tsx";

export const FIELDS = {
  email: { fr: "Adresse e-mail", en: "E-mail address" },
  password: { fr: "Mot de passe", en: "Password" },
  newPassword: { fr: "Nouveau mot de passe", en: "New password" },
} satisfies Readonly<Record<string, Text>>;

export const EMAIL_INVALID: Text = {
  fr: "Ce n'est pas une adresse e-mail. Écrivez-la comme nom@example.com.",
  en: "This is not an e-mail address. Write it like name@example.com.",
};

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
      fr: `Pour ${email}. Vous êtes ensuite connecté ici, et partout ailleurs déconnecté.`,
      en: `For ${email}. You are then signed in here, and signed out everywhere else.`,
    }),
    button: { fr: "Choisir ce mot de passe", en: "Set the password" },
  },
  first_account: {
    title: { fr: "Créer le premier compte", en: "Create the first account" },
    lead: () => ({
      fr: "Ce serveur n'a encore personne qui puisse se connecter. Le premier compte est le vôtre, avec la formule team.",
      en: "Nobody can sign in to this server yet. The first account is yours, with the plan team.",
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
    title: { fr: "Se connecter par un lien", en: "Sign in by a link" },
    lead: (email) => ({ fr: `En tant que ${email}.`, en: `As ${email}.` }),
    button: { fr: "Se connecter", en: "Sign in" },
  },
};

export const SENT = {
  title: { fr: "Regardez vos e-mails", en: "Look at your e-mails" },
  nothing: {
    fr: "Rien n'arrive ? Regardez parmi les indésirables, puis demandez-en un autre : seul le plus récent fonctionne.",
    en: "Nothing arrives? Look among the spam, then ask for another: only the latest works.",
  },
  again: { fr: "Demander un autre lien", en: "Ask for another link" },
} satisfies Readonly<Record<string, Text>>;

const SEND: Text = { fr: "Envoyer le lien", en: "Send the link" };

export const FORGOT: MailFormWords = {
  title: { fr: "Mot de passe oublié", en: "Forgotten password" },
  lead: {
    fr: "Indiquez l'adresse de votre compte : un lien vous y laissera choisir un nouveau mot de passe.",
    en: "Give the address of your account: a link sent there lets you choose a new password.",
  },
  button: SEND,
  sent: {
    fr: "Si l'adresse a un compte, un lien vient d'y partir. Il fonctionne une fois, dans les 30 minutes.",
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
    fr: "Un message vient de partir à votre adresse, avec un lien qui fonctionne une fois, dans les 30 minutes.",
    en: "A message is on its way to your address, with a link that works once, within 30 minutes.",
  },
};

export const NO_MAIL: Text = {
  fr: "Ce serveur n'envoie pas d'e-mails. Son exploitant peut vous faire un lien par cette commande, avec l'adresse de votre compte :",
  en: "This server sends no e-mails. Its operator can make a link for you with this command, with the address of your account:",
};
