import type { Text } from "../../../../shared/language.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Resource } from "../../evidence/html.ts";
import { RefusalCode } from "../../evidence/exchange.ts";
import { readContentType } from "../facts/content-type.ts";
import { isNosniff, JAVASCRIPT } from "../facts/mistyped.ts";
import { areOfOneDomain } from "../../../base/syntax/host-pattern.ts";
import { HTML_TYPE } from "../../../base/syntax/media-type.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import { isPrivateHost } from "../../../base/syntax/private-hosts.ts";
import { isMissingInBucket } from "../facts/buckets.ts";
import { isSignInPath } from "../facts/domains.ts";
import { concernsClient } from "../facts/limits.ts";
import { findWholeHtml, headerValues, pageUrl, urlOf } from "../../evidence/accessors.ts";
import { phraseRefusal } from "../facts/url-refusals.ts";
import { describeReferences } from "../facts/references.ts";
import { isAside } from "../facts/script-hosts.ts";
import { isUnfilled } from "../facts/waiting-text.ts";
import {
  type Rule,
  fail,
  notApplicable,
  pageHtml,
  partial,
  pass,
  unknown,
  htmlPart,
} from "../rule.ts";
import { isPerhapsOwn } from "../own-fault.ts";
import { UNREAD_HTML } from "./html-document.ts";

type Asset = Evidence["assets"][number];
/** The weight of an icon. If a file with a higher weight has no clear response, the rule is unknown. */
const ICON = 1;
const VITAL = 3;
function weigh({ kind, url }: Asset, fillers: ReadonlySet<string>): number {
  const isMissed = VITAL_KINDS.includes(kind) || fillers.has(url);
  if (isMissed && !isAside(urlOf(url))) return VITAL;
  return kind === "icon" ? ICON : 2;
}

/** Scripts that the page waits for, including async scripts and those of other sites. */
function findFillers({ page }: Evidence): ReadonlySet<string> {
  const html = page.body?.html;
  const scripts = html && isUnfilled(html) ? html.resources : [];
  return new Set(scripts.flatMap(({ kind, url }) => (kind === "script" ? [url] : [])));
}

type State = "good" | "broken" | "unknown";

const SAMPLED_KINDS = ["script", "module", "style", "image", "icon", "font", "manifest"];
const VITAL_KINDS = ["script", "module", "style"];
/**
 * Types that browsers never run as scripts (Fetch, 2.9), and HTML, which is usually a page in place of a missing file.
 */
const NO_SCRIPT = /^(?:audio|image|video)\/|^text\/(?:csv|html)$/;
const SOURCE_NAME = /\.(?:[jt]sx|m?ts|vue|svelte)$/i;

function resourcesOf({ page }: Evidence): readonly Resource[] {
  return page.body?.html?.resources ?? [];
}

/** The evidence cuts URLs at this length. */
const CUT_LENGTH = 1024;
const NO_ADDRESS = { fr: "URL invalide", en: "not a valid URL" };

/** Finds files whose URL no browser can load, such as one with a template mark as the host. */
function findAddressless(evidence: Evidence): Resource[] {
  return resourcesOf(evidence).filter(
    ({ kind, url, hostClass }) =>
      VITAL_KINDS.includes(kind) && hostClass === "invalid" && url.length < CUT_LENGTH,
  );
}

export function callsFiles(evidence: Evidence): boolean {
  return resourcesOf(evidence).some(
    ({ kind, url }) => SAMPLED_KINDS.includes(kind) && url.startsWith("https:"),
  );
}

/** A wrong type usually means an HTML page in place of the file. */
function hasSaneType({ kind, headers }: Asset): boolean {
  const { essence } = readContentType(headers);
  const isGuessed = !headerValues(headers, "x-content-type-options").some(isNosniff);
  if (kind === "module") return JAVASCRIPT.test(essence);
  if (kind === "script") return isGuessed ? !NO_SCRIPT.test(essence) : JAVASCRIPT.test(essence);
  if (kind === "style") return essence === "text/css" || (essence === "" && isGuessed);
  return kind === "other" || kind === "frame" || essence !== HTML_TYPE;
}

/** Failures that affect the check, not visitors. */
const OUR_LIMITS = ["dns_failure", "dns_timeout", "port", "too_long"];
/** The codes by which a filter in the check's own DNS blocks hosts. */
const FILTERED = ["private", "not_found"];
/** Statuses that visitors also get. Any other refusal may be meant for robots only. */
const GONE = [404, 410];

function judgeGuarded({ url, failure }: Asset, pageHost: string): State {
  const code = failure?.code ?? "";
  if (OUR_LIMITS.includes(code)) return "unknown";
  const { hostname } = urlOf(url);
  const mayBeFiltered = !areOfOneDomain(hostname, pageHost) && !isPrivateHost(hostname);
  return FILTERED.includes(code) && mayBeFiltered ? "unknown" : "broken";
}

function judgeUnanswered({ failure }: Asset, evidence: Evidence): State {
  if (!failure || failure.phase === "deadline" || failure.phase === "http1") return "unknown";
  const isUnclear = /TIMEOUT|TIMEDOUT|^EHOSTUNREACH$/i.test(failure.code);
  return isUnclear || isPerhapsOwn(failure, evidence) ? "unknown" : "broken";
}

/** A refusal by the page's own host means that the file is broken. Another host may refuse robots only. */
function judgeAsset(asset: Asset, evidence: Evidence): State {
  const { status, failure, url } = asset;
  const page = pageUrl(evidence);
  if (failure?.phase === "guard") return judgeGuarded(asset, page.hostname);
  if (status === null) return judgeUnanswered(asset, evidence);
  if (concernsClient(evidence, asset)) return "unknown";
  if (status >= 500) return "broken";
  if (status >= 400)
    return urlOf(url).host === page.host || GONE.includes(status) || isMissingInBucket(asset)
      ? "broken"
      : "unknown";
  const isGood = status >= 300 ? !leadsAway(asset, evidence) : hasSaneType(asset);
  return isGood ? "good" : "broken";
}

/** A file counts as missing if it redirects to a sign-in page, or to the target of an unknown path. */
function leadsAway({ url, headers }: Asset, { notFound }: Evidence): boolean {
  const [location = ""] = headerValues(headers, "location");
  const target = findUrl(location, urlOf(url));
  const isSameHost = urlOf(notFound.url).host === urlOf(url).host;
  return isSignInPath(target?.pathname ?? "") || (isSameHost && target?.href === notFound.location);
}

function describeAnswer({ status, failure, headers }: Asset): Text {
  const refusal = failure?.phase === "guard" ? RefusalCode.safeParse(failure.code).data : undefined;
  if (refusal) return phraseRefusal(refusal);
  if (failure) return { fr: failure.code, en: failure.code };
  if (status === null) return { fr: "aucune requête", en: "not requested" };
  const { essence } = readContentType(headers);
  if (essence === "" && status < 300)
    return { fr: `${status} sans type`, en: `${status} without a type` };
  const answer = `${status} ${essence}`.trim();
  return { fr: answer, en: answer };
}

const UNUSABLE = { fr: "Manquant ou inutilisable", en: "Missing or unusable" };

function describeAssets(assets: readonly Asset[], what: Text = UNUSABLE): Text {
  const references = assets.map((asset) => ({ ...asset, answer: describeAnswer(asset) }));
  return describeReferences(references, what);
}

function isSource({ url }: Asset): boolean {
  return SOURCE_NAME.test(urlOf(url).pathname);
}

const BUILD_FIX = {
  fr: "Déployez le dossier que produit la compilation (souvent dist ou build), pas les sources.",
  en: "Deploy the folder that the build produces (often dist or build), not the sources.",
};

const TYPE_FIX = {
  fr: "Servez ce fichier avec son type (text/javascript, text/css), ou déployez-le si une page HTML est servie à sa place.",
  en: "Serve this file with its type (text/javascript, text/css), or deploy it if an HTML page is being served instead.",
};

const ADDRESS_FIX = {
  fr: "Corrigez l'URL : souvent, une variable de la compilation ou du modèle n'y a pas été remplacée.",
  en: "Correct the URL: often, a variable of the build or the template was not replaced in it.",
};

const SCRIPT_LINK_FIX = {
  fr: 'Ce fichier est un script : chargez-le avec <script src> à la place de <link rel="stylesheet">, ou retirez ce lien.',
  en: 'This file is a script: load it with <script src> in place of <link rel="stylesheet">, or remove this link.',
};

function isScriptAsStyle({ kind, status, headers }: Asset): boolean {
  return kind === "style" && status === 200 && JAVASCRIPT.test(readContentType(headers).essence);
}

function findFix(vital: readonly Asset[]): Text | undefined {
  if (vital.some(isSource)) return BUILD_FIX;
  if (vital.every(isScriptAsStyle)) return SCRIPT_LINK_FIX;
  const isServed = vital.every(({ status }) => status !== null && status < 300);
  return isServed ? TYPE_FIX : undefined;
}

export const brokenAssets: Rule = {
  id: "asset.broken",
  title: { fr: "Fichiers manquants", en: "Missing files" },
  measures: {
    fr: "Jusqu'à 12 fichiers de la page (d'abord les scripts et les feuilles de style) répondent 2xx ou 3xx avec le bon type. Une redirection vers une page de connexion compte comme un fichier manquant. S'il ne manque que des images ou des fichiers inutiles à l'affichage (nomodule, preload, print, statistiques, script async d'un autre site), la règle rapporte 1,5 point. S'il ne manque que des icônes, elle en rapporte 2.",
    en: "Up to 12 files of the page (scripts and style sheets first) respond with 2xx or 3xx and the right type. A redirect to a sign-in page counts as a missing file. If only images are missing, or files that the display does not need (nomodule, preload, print, analytics, another site's async script), the rule earns 1.5 points. If only icons are missing, it earns 2.",
  },
  why: {
    fr: "La page s'affiche sans sa mise en forme, sans ses images ou sans les fonctions du script.",
    en: "The page appears without its styles, its images or the script's functions.",
  },
  fix: {
    fr: "Déployez ce fichier, corrigez son URL ou retirez l'élément qui le charge.",
    en: "Deploy this file, correct its URL, or remove the element that loads it.",
  },
  standard: htmlPart("the script element", "scripting", "the-script-element"),
  capReason: {
    fr: "Un script ou une feuille de style de la page manque, a une URL invalide, ou est servi avec un type que les navigateurs refusent.",
    en: "A script or style sheet of the page is missing, has an invalid URL, or is served with a type that browsers refuse.",
  },
  parents: pageHtml,
  judge(evidence) {
    const addressless = findAddressless(evidence);
    if (addressless.length > 0)
      return fail(
        describeReferences(
          addressless.map((one) => ({ ...one, answer: NO_ADDRESS })),
          UNUSABLE,
        ),
        ADDRESS_FIX,
      );
    const assets = evidence.assets.filter(({ url }) => !url.startsWith("http:"));
    if (assets.length === 0 && !callsFiles(evidence))
      return findWholeHtml(evidence)
        ? notApplicable({ fr: "La page ne charge aucun fichier.", en: "The page loads no file." })
        : UNREAD_HTML;
    const inState = (state: State) =>
      assets.filter((asset) => judgeAsset(asset, evidence) === state);
    const broken = inState("broken");
    const fillers = findFillers(evidence);
    const weightOf = (asset: Asset) => weigh(asset, fillers);
    const vital = broken.filter((asset) => weightOf(asset) === VITAL);
    if (vital.length > 0) return fail(describeAssets(vital), findFix(vital));
    const worst = Math.max(0, ...broken.map(weightOf));
    const unclear = inState("unknown").filter((asset) => weightOf(asset) > worst);
    if (unclear.length > 0)
      return unknown(
        describeAssets(unclear, { fr: "Sans réponse claire", en: "No clear response" }),
      );
    if (worst > 0) return partial(worst === ICON ? "icons" : "images", describeAssets(broken));
    if (assets.length === 0)
      return unknown({
        fr: "Aucun fichier n'a pu être récupéré.",
        en: "No file could be fetched.",
      });
    return pass({
      fr: `Fichiers testés : ${assets.length} ; aucun ne manque.`,
      en: `Files tested: ${assets.length}; none is missing.`,
    });
  },
};
