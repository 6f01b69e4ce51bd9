import type { Html } from "../../evidence/html.ts";
import { foldWords } from "./stand-ins.ts";

/** A page of its own says more; in characters. */
const MAX_TEXT = 600;
const LOADING =
  /^(?:(?:the )?(?:page|app|site) is )?(?:loading|please wait|chargement(?: en cours)?|veuillez patienter|wird geladen|bitte warten|cargando|caricamento|carregando|laden)[^\p{L}\p{N}]{0,10}(?:please wait)?[^\p{L}\p{N}]{0,10}$/u;
const CONSENT =
  /\b(?:use|uses|using|utilis\p{L}{1,5}|verwende[nt]|nutzen|nutzt|usa|usamos|utiliza|utilizamos|utilizziamo|gebruiken|gebruikt)\b.{0,60}\bcookies?\b|\bcookies?\b.{0,60}\b(?:consent|preferences|settings|consentement|preferences|einstellungen)\b/u;
/** What its buttons and links say. */
const CHOICE =
  /^(?:(?:i )?(?:accept|agree|decline|reject|allow|ok|got it|manage|customi[sz]e|save|close|learn more|read more|accepter|refuser|tout|personnaliser|en savoir plus|akzeptieren|ablehnen|alle|mehr erfahren|aceptar|rechazar|accetta|rifiuta|accepteren|weigeren|cookies?|privacy|settings|policy|all|preferences|parametres|politique|de|confidentialite|and|the|not|mehr)[\s.,!&]*){1,8}$/u;

/** Whether all that a page says is that it loads, or that it would like to set cookies: it shows nothing yet. */
export function isWaiting({ text, textLength }: Pick<Html, "text" | "textLength">): boolean {
  if (textLength > MAX_TEXT) return false;
  const lines = text.split("\n").map((line) => foldWords(line).trim());
  const sentences = lines.filter((line) => line !== "" && !CHOICE.test(line));
  return (
    sentences.length > 0 && sentences.every((line) => LOADING.test(line) || CONSENT.test(line))
  );
}
