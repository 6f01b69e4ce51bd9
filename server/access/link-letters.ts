import { say } from "../../shared/report/words.ts";
import { LANGUAGES, type Language, type Text } from "../base/language.ts";

export interface Letter {
  subject: string;
  text: string;
}

interface LetterWords {
  subject: Text;
  /** What the link does; or, without a link, what happened. */
  purpose: Text;
  /** What somebody does who did not expect it. */
  otherwise: Text;
}

export type LetterKind = keyof typeof LETTERS;

const IGNORE: Text = {
  fr: "Si vous n'avez rien demandé, ignorez ce message : rien n'a changé.",
  en: "If you did not ask for this, ignore this message: nothing has changed.",
};
const CALL_THE_OPERATOR: Text = {
  fr: "Si ce n'était pas vous, prévenez tout de suite l'exploitant du serveur.",
  en: "If this was not you, tell the operator of the server at once.",
};

const LETTERS = {
  password: {
    subject: { fr: "Choisir un nouveau mot de passe", en: "Choose a new password" },
    purpose: {
      fr: "Ce lien vous connecte et vous permet de choisir un nouveau mot de passe :",
      en: "This link signs you in and lets you choose a new password:",
    },
    otherwise: IGNORE,
  },
  sign_up: {
    subject: { fr: "Créer votre compte", en: "Create your account" },
    purpose: {
      fr: "Ce lien confirme votre adresse et crée votre compte :",
      en: "This link confirms your address and creates your account:",
    },
    otherwise: IGNORE,
  },
  has_account: {
    subject: { fr: "Vous avez déjà un compte", en: "You already have an account" },
    purpose: {
      fr: "Quelqu'un, sans doute vous, a demandé un compte pour cette adresse, qui en a déjà un. Connectez-vous, ou choisissez un nouveau mot de passe si vous l'avez oublié :",
      en: "Somebody, probably you, asked for an account for this address, which already has one. Sign in, or choose a new password if you have forgotten it:",
    },
    otherwise: IGNORE,
  },
  email: {
    subject: { fr: "Confirmer votre nouvelle adresse", en: "Confirm your new address" },
    purpose: {
      fr: "Ce lien fait de cette adresse celle de votre compte :",
      en: "This link makes this the address of your account:",
    },
    otherwise: IGNORE,
  },
  email_taken: {
    subject: { fr: "Cette adresse a déjà un compte", en: "This address already has an account" },
    purpose: {
      fr: "Quelqu'un a voulu donner cette adresse à un autre compte. Elle en a déjà un, et le garde. Pour la donner à l'autre, connectez-vous d'abord et supprimez celui qu'elle a :",
      en: "Somebody wanted to give this address to another account. It already has one, and keeps it. To give it to the other one, first sign in and delete the one it has:",
    },
    otherwise: IGNORE,
  },
  email_changed: {
    subject: {
      fr: "L'adresse de votre compte a changé",
      en: "The address of your account has changed",
    },
    purpose: {
      fr: "Votre compte a maintenant une autre adresse, et les messages n'arrivent plus à celle-ci. La page de connexion :",
      en: "Your account has another address now, and e-mails no longer go to this one. The sign-in page:",
    },
    otherwise: CALL_THE_OPERATOR,
  },
} satisfies Readonly<Record<string, LetterWords>>;

const ONCE: Text = {
  fr: "Il fonctionne une fois, dans les 30 minutes.",
  en: "It works once, within 30 minutes.",
};

const IS_ONE_TIME: ReadonlySet<LetterKind> = new Set(["password", "sign_up", "email"]);

/** Writes an e-mail of these paragraphs; null: in both languages. */
export function composeLetter(
  subject: Text,
  paragraphs: readonly (Text | string)[],
  language: Language | null,
): Letter {
  const languages = language ? [language] : LANGUAGES;
  const write = (each: Language) =>
    paragraphs.map((text) => (typeof text === "string" ? text : say(text, each)));
  return {
    subject: languages.map((each) => say(subject, each)).join(" / "),
    text: [...languages.flatMap(write), "-- \nshipscore"].join("\n\n"),
  };
}

/** Writes an e-mail about a link of this server: a one-time link, or the page to open; null: in both languages. */
export function writeLetter(kind: LetterKind, link: string, language: Language | null): Letter {
  const { subject, purpose, otherwise } = LETTERS[kind];
  const once = IS_ONE_TIME.has(kind) ? [ONCE] : [];
  return composeLetter(subject, [purpose, link, ...once, otherwise], language);
}
