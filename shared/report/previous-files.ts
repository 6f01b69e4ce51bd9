import type { PreviousFiles } from "../last-ship.ts";
import type { Text } from "../language.ts";
import { isSingular } from "./words.ts";

export const describePreviousFiles = ({ tried, answered }: PreviousFiles): Text => ({
  fr: `${answered} ${isSingular(answered, "fr") ? "fichier" : "fichiers"} sur ${tried} de la version précédente ${isSingular(answered, "fr") ? "répond" : "répondent"} encore`,
  en: `${answered} of ${tried} ${isSingular(tried, "en") ? "file" : "files"} of the previous build still ${isSingular(answered, "en") ? "answers" : "answer"}`,
});
