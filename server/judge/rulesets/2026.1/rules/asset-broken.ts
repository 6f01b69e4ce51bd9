import type { Text } from "../../../../language.ts";
import type { Evidence } from "../../../../evidence/evidence.ts";
import { RefusalCode } from "../../../../evidence/failure.ts";
import { readContentType } from "../content-type.ts";
import { headerValues, pageUrl, urlOf } from "../page.ts";
import { describeRefusal } from "../refusals.ts";
import { describeReferences } from "../../../facts/references.ts";
import {
  type Rule,
  fail,
  notApplicable,
  pageHtml,
  partial,
  pass,
  text,
  unknown,
} from "../../../rule.ts";

const isNosniff = (value: string): boolean => value.trim().toLowerCase() === "nosniff";

type Asset = Evidence["assets"][number];
/** How much a page misses a file; one without a clear answer may yet prove worse than all that are broken. */
const ICON = 1;
const VITAL = 3;
function weigh({ kind }: Asset): number {
  if (VITAL_KINDS.includes(kind)) return VITAL;
  return kind === "icon" ? ICON : 2;
}

type State = "good" | "broken" | "unknown";

const SAMPLED_KINDS = ["script", "module", "style", "image", "icon", "font", "manifest"];
const VITAL_KINDS = ["script", "module", "style"];
/** MIME Sniffing, 4.6. */
const JAVASCRIPT =
  /^(?:(?:application|text)\/(?:x-)?(?:java|ecma)script|text\/(?:javascript1\.[0-5]|jscript|livescript))$/;
/** What is run as no script, whatever its bytes (Fetch, 2.9), and the page that stands in for a missing file. */
const NO_SCRIPT = /^(?:audio|image|video)\/|^text\/(?:csv|html)$/;
const SOURCE_NAME = /\.(?:[jt]sx|m?ts|vue|svelte)$/i;

/** Whether browsers use such a file as what the page takes it for; most often it is an HTML page in its place. */
function hasSaneType({ kind, headers }: Asset): boolean {
  const { essence } = readContentType(headers);
  const isGuessed = !headerValues(headers, "x-content-type-options").some(isNosniff);
  if (kind === "module") return JAVASCRIPT.test(essence);
  if (kind === "script") return isGuessed ? !NO_SCRIPT.test(essence) : JAVASCRIPT.test(essence);
  if (kind === "style") return essence === "text/css" || (essence === "" && isGuessed);
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
  if (status === 401 || status === 403) return urlOf(url).host === pageHost ? "broken" : "unknown";
  if (status >= 400) return "broken";
  return status >= 300 || hasSaneType(asset) ? "good" : "broken";
}

function describeAnswer({ status, failure, headers }: Asset): Text {
  const refusal = failure?.phase === "guard" ? RefusalCode.safeParse(failure.code).data : undefined;
  if (refusal) return describeRefusal(refusal);
  if (failure) return text(failure.code, failure.code);
  if (status === null) return text("non demandé", "not requested");
  const { essence } = readContentType(headers);
  if (essence === "" && status < 300)
    return text(`${status} sans type`, `${status} without a type`);
  const answer = `${status} ${essence}`.trim();
  return text(answer, answer);
}

function describeAssets(assets: readonly Asset[]): Text {
  return describeReferences(assets.map((asset) => ({ ...asset, answer: describeAnswer(asset) })));
}

function isSource({ url }: Asset): boolean {
  return SOURCE_NAME.test(urlOf(url).pathname);
}

const BUILD_FIX = text(
  "Déployez le dossier que produit la compilation (souvent dist ou build), pas les sources.",
  "Deploy the folder that the build produces (often dist or build), not the sources.",
);

const TYPE_FIX = text(
  "Servez ce fichier avec son type (text/javascript, text/css), ou déployez-le si une page répond à sa place.",
  "Serve this file with its type (text/javascript, text/css), or deploy it if a page answers in its place.",
);

function findFix(vital: readonly Asset[]): Text | undefined {
  if (vital.some(isSource)) return BUILD_FIX;
  const isServed = vital.every(({ status }) => status !== null && status < 300);
  return isServed ? TYPE_FIX : undefined;
}

export const brokenAssets: Rule = {
  id: "asset.broken",
  title: text("Fichiers de la page servis", "Page files served"),
  measures: text(
    "Jusqu'à 12 fichiers de la page (scripts et styles d'abord) répondent 2xx ou 3xx avec un type juste ; s'il ne manque que des images ou des fichiers dont l'affichage se passe (nomodule, preload, print), la moitié ; si ce ne sont que des icônes, trois quarts.",
    "Up to 12 files of the page (scripts and styles first) answer 2xx or 3xx with the right type; where only images or files that the page is shown without (nomodule, preload, print) are missing, half; where only icons are, three quarters.",
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
    "Un script ou une feuille de style de la page manque, ou arrive sous un type que les navigateurs refusent.",
    "A script or style sheet of the page is missing, or is served with a type that browsers refuse.",
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
    const vital = broken.filter((asset) => weigh(asset) === VITAL);
    if (vital.length > 0) return fail(describeAssets(vital), findFix(vital));
    const worst = Math.max(0, ...broken.map(weigh));
    const unclear = inState("unknown").filter((asset) => weigh(asset) > worst);
    if (unclear.length > 0) {
      const { fr, en } = describeAssets(unclear);
      return unknown(text(`Sans réponse claire : ${fr}`, `No clear answer: ${en}`));
    }
    if (worst > 0) return partial(worst === ICON ? "icons" : "images", describeAssets(broken));
    if (assets.length === 0)
      return unknown(text("Aucun fichier n'a pu être demandé.", "No file could be requested."));
    return pass(
      text(
        `Fichiers essayés, dont aucun ne manque : ${assets.length}.`,
        `Files tried, none of them missing: ${assets.length}.`,
      ),
    );
  },
};
