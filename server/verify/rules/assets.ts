import type { Text } from "../../language.ts";
import { type Evidence, RefusalCode } from "../../probe/evidence.ts";
import { readContentType } from "../content-type.ts";
import { pageUrl } from "../page.ts";
import { describeRefusal } from "../refusals.ts";
import { describeReferences } from "../references.ts";
import { type Rule, fail, notApplicable, pageHtml, partial, pass, text, unknown } from "../rule.ts";

type Asset = Evidence["assets"][number];
type State = "good" | "broken" | "unknown";

const SAMPLED_KINDS = ["script", "style", "image", "icon", "font", "manifest"];
const VITAL_KINDS = ["script", "style"];
const SCRIPT_TYPE = /javascript|ecmascript|^text\/plain$|^application\/(?:octet-stream|wasm)$/;

/** Whether browsers use such a file as what the page takes it for; most often it is an HTML page in its place. */
function hasSaneType({ kind, headers }: Asset): boolean {
  const { essence } = readContentType(headers);
  if (essence === "") return true;
  if (kind === "script") return SCRIPT_TYPE.test(essence);
  if (kind === "style") return essence === "text/css";
  return kind === "other" || kind === "frame" || essence !== "text/html";
}

/** What keeps the check from a file without keeping visitors from it. */
const OUR_LIMITS = ["dns_failure", "dns_timeout", "port"];

/** A refusal on the page's own host is a broken file; elsewhere it may only be the answer to a robot. */
function judgeAsset(asset: Asset, pageHost: string): State {
  const { status, failure, url } = asset;
  if (failure?.phase === "guard") return OUR_LIMITS.includes(failure.code) ? "unknown" : "broken";
  if (status === null) {
    const isTimeout =
      !failure || failure.phase === "deadline" || /TIMEOUT|TIMEDOUT/i.test(failure.code);
    return isTimeout ? "unknown" : "broken";
  }
  if (status === 429) return "unknown";
  if (status === 401 || status === 403)
    return new URL(url).host === pageHost ? "broken" : "unknown";
  if (status >= 400) return "broken";
  return status >= 300 || hasSaneType(asset) ? "good" : "broken";
}

function describeAnswer({ status, failure, headers }: Asset): Text {
  const refusal = failure?.phase === "guard" ? RefusalCode.safeParse(failure.code).data : undefined;
  if (refusal) return describeRefusal(refusal);
  if (failure) return text(failure.code, failure.code);
  if (status === null) return text("non demandé", "not requested");
  const answer = `${status} ${readContentType(headers).essence}`.trim();
  return text(answer, answer);
}

function describeAssets(assets: readonly Asset[]): Text {
  return describeReferences(assets.map((asset) => ({ ...asset, answer: describeAnswer(asset) })));
}

export const brokenAssets: Rule = {
  id: "asset.broken",
  title: text("Fichiers de la page servis", "Files of the page served"),
  measures: text(
    "Jusqu'à 12 fichiers de la page (scripts et styles d'abord) répondent 2xx ou 3xx avec un type juste ; si seules des images manquent, la moitié.",
    "Up to 12 files of the page (scripts and styles first) answer 2xx or 3xx with a right type; where only images are missing, half.",
  ),
  matters: text(
    "La page s'affiche sans ce fichier : sans son style, son image ou ce que fait son script.",
    "The page shows without this file: without its style, its picture, or what its script does.",
  ),
  fix: text(
    "Déployez ce fichier, corrigez son adresse ou retirez l'élément qui l'appelle.",
    "Deploy this file, correct its address, or remove the element that calls it.",
  ),
  standard: {
    name: "HTML, 4.12.1",
    url: "https://html.spec.whatwg.org/multipage/scripting.html#the-script-element",
  },
  capReason: text(
    "Un script ou une feuille de style de la page manque.",
    "A script or style sheet of the page is missing.",
  ),
  parents: pageHtml,
  judge(evidence) {
    const assets = evidence.assets.filter(({ url }) => !url.startsWith("http:"));
    const { host } = pageUrl(evidence);
    const resources = evidence.page.body?.html?.resources ?? [];
    if (
      assets.length === 0 &&
      !resources.some(({ kind, url }) => SAMPLED_KINDS.includes(kind) && url.startsWith("https:"))
    )
      return notApplicable(text("La page n'appelle aucun fichier.", "The page calls no file."));
    const inState = (state: State) => assets.filter((asset) => judgeAsset(asset, host) === state);
    const broken = inState("broken");
    const vital = broken.filter(({ kind }) => VITAL_KINDS.includes(kind));
    if (vital.length > 0) return fail(describeAssets(vital));
    if (broken.length > 0) return partial("images", describeAssets(broken));
    const unclear = inState("unknown");
    if (unclear.length > 0) {
      const { fr, en } = describeAssets(unclear);
      return unknown(text(`Sans réponse claire : ${fr}`, `No clear answer: ${en}`));
    }
    if (assets.length === 0)
      return unknown(text("Aucun fichier n'a pu être demandé.", "No file could be requested."));
    return pass(
      text(
        `Fichiers essayés et bien servis : ${assets.length}.`,
        `Files tried and well served: ${assets.length}.`,
      ),
    );
  },
};
