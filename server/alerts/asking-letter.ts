import { composeLetter, type Letter } from "../access/link-letters.ts";
import type { Language, Text } from "../base/language.ts";
import { defuse } from "../base/syntax/foreign-text.ts";

interface Asking {
  /** The e-mail address of the account that asks; undefined for the operator. */
  sender: string | undefined;
  /** The address of the page that asks for an answer. */
  link: string;
}

const SUBJECT: Text = {
  fr: "Recevoir des alertes par e-mail ?",
  en: "Do you want alerts by e-mail?",
};

const describe = ({ sender, link }: Asking): Text => {
  const { host } = new URL(link);
  const shown = sender && defuse(sender);
  return {
    fr: `${shown ? `« ${shown} »` : "L'exploitant du serveur"} veut vous envoyer des alertes par e-mail, depuis le serveur shipscore de ${host}. Pour accepter :`,
    en: `${shown ? `“${shown}”` : "The operator of the server"} wants to send you alerts by e-mail, from the shipscore server at ${host}. To accept:`,
  };
};

const OTHERWISE: Text = {
  fr: "Si vous n'acceptez pas, plus rien ne vous est envoyé.",
  en: "Unless you accept, nothing else is sent to you.",
};

/** Writes the one e-mail that somebody gets before they have accepted a project's alerts. Nothing in it is the project's. */
export const writeAsking = (asking: Asking, language: Language): Letter =>
  composeLetter(SUBJECT, [describe(asking), asking.link, OTHERWISE], language);
