import type { Html } from "../../evidence/html.ts";
import table from "./stand-in-phrases.json" with { type: "json" };
import { foldWords } from "./stand-ins.ts";

/** In characters. */
const MAX_TEXT = 600;
const LOADING: ReadonlySet<string> = new Set(table.loading.map(foldWords));
const CONSENT =
  /\b(?:use|uses|using|uzywa\p{L}{0,3}|anvander|bruger|bruker|pouziva\p{L}{0,3}|foloseste|folosim|utilis\p{L}{1,5}|verwende[nt]|nutzen|nutzt|usa|usamos|utiliza|utilizamos|utilizziamo|gebruiken|gebruikt)\b.{0,60}\bcookies?\b|\bcookies?\b.{0,60}\b(?:consent|preferences|settings|consentement|preferences|einstellungen)\b|(?:использу\p{L}{1,4}|χρησιμοποι\p{L}{1,6}|使用|利用).{0,60}(?:cookie|クッキー)|(?:cookie|クッキー).{0,60}(?:使用|利用|を使)|ملفات تعريف الارتباط|\b(?:cerez.{0,30}kullan|kayt.{0,20}evaste|sutik.{0,30}hasznal)|\u110f\u116e\u110f\u1175.{0,30}\u1109\u1161\u110b\u116d\u11bc/u;
const CHOICE =
  /^(?:(?:i )?(?:aceitar|aceito|rejeitar|recusar|todos|todas|akceptuje|akceptuj|odrzuc|wszystkie|acceptera|godkann|neka|avvisa|alla|afvis|tillad|godta|avvis|kabul|et|reddet|tumunu|prijmout|odmitnout|vse|hyvaksy|hylkaa|elfogadom|elutasitom|refuz|toate|\u1103\u1169\u11bc\u110b\u1174|\u1100\u1165\u1107\u116e|accept|agree|decline|reject|allow|ok|got it|manage|customi[sz]e|save|close|learn more|read more|accepter|refuser|tout|personnaliser|en savoir plus|akzeptieren|ablehnen|alle|mehr erfahren|aceptar|rechazar|accetta|rifiuta|accepteren|weigeren|cookies?|privacy|settings|policy|all|preferences|parametres|politique|de|confidentialite|and|the|not|mehr|принять|согласен|同意する|同意|許可|拒否|接受|拒绝|موافق|قبول)[\s.,!&]*){1,8}$/u;

function isLoading(line: string): boolean {
  const parts = line.replace(/\d{1,3} ?%/, "").split(/[^\p{L}\p{N}' ]+/u);
  const words = parts.map((part) => part.trim()).filter((part) => part !== "");
  return words.length > 0 && words.every((part) => LOADING.has(part));
}

export function isWaiting({ text, textLength }: Pick<Html, "text" | "textLength">): boolean {
  if (textLength > MAX_TEXT) return false;
  const lines = text.split("\n").map((line) => foldWords(line).trim());
  const sentences = lines.filter((line) => line !== "" && !CHOICE.test(line));
  return sentences.length > 0 && sentences.every((line) => isLoading(line) || CONSENT.test(line));
}

export function isUnfilled(html: Html): boolean {
  const { textLength, imageCount, shownCount, emptyRootId } = html;
  return emptyRootId !== null || textLength + imageCount + shownCount === 0 || isWaiting(html);
}
