import type { Text } from "../../../../shared/language.ts";
import type { Asset, Evidence } from "../../evidence/evidence.ts";
import type { Resource } from "../../evidence/html.ts";
import { RefusalCode } from "../../evidence/exchange.ts";
import { readContentType } from "../facts/content-type.ts";
import { HTML_TYPE, JAVASCRIPT } from "../../../base/syntax/media-type.ts";
import { isNosniff } from "../facts/mistyped.ts";
import { addScriptFaults } from "../facts/script-faults.ts";
import { areOfOneDomain } from "../../../base/syntax/host-pattern.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import { isPrivateHost } from "../../../base/syntax/private-hosts.ts";
import { isMissingInBucket } from "../facts/buckets.ts";
import { isSignInPath } from "../facts/domains.ts";
import { concernsClient } from "../facts/limits.ts";
import { findWholeHtml, headerValues, pageUrl, urlOf } from "../../evidence/accessors.ts";
import { phraseRefusal } from "../facts/url-refusals.ts";
import { describeReferences } from "../facts/references.ts";
import { findNeeds } from "../facts/needed-files.ts";
import { isReloader } from "../facts/script-hosts.ts";
import { describeTestedFiles, labelTested } from "../facts/tested.ts";
import {
  type Judgement,
  type Rule,
  fail,
  notApplicable,
  pageHtml,
  partial,
  pass,
  unknownAtWorst,
  htmlPart,
} from "../rule.ts";
import { isPerhapsOwn } from "../own-fault.ts";
import { UNREAD_HTML } from "./html-document.ts";

/** The weights of files. If a file with a higher weight has no clear response, the rule is unknown. */
const ICON = 1;
const GAP = 2;
const VITAL = 3;
const GRADES: ReadonlyMap<number, string> = new Map([
  [ICON, "icons"],
  [GAP, "images"],
]);

/** Browsers ignore a style sheet that is a script, so nothing is missing without it. */
function isScriptAsStyle({ kind, url, headers }: Asset): boolean {
  const isScript = JAVASCRIPT.test(readContentType(headers).essence);
  return kind === "style" && (isScript || /\.m?js$/i.test(urlOf(url).pathname));
}

/** In characters. A page of images has hardly any prose, and little other text for each image. */
const MAX_PROSE = 100;
const MAX_TEXT_OF_IMAGE = 50;

function consistsOfImages({ page }: Evidence): boolean {
  const html = page.body?.html;
  if (!html || html.imageCount < Math.max(1, html.shownCount)) return false;
  const { imageCount, proseLength, textLength } = html;
  return proseLength < MAX_PROSE && textLength < MAX_TEXT_OF_IMAGE * imageCount;
}

const isPicture = ({ kind, tag }: Asset): boolean => kind === "image" && tag !== "link";
const isOfFrameset = ({ tag }: Asset): boolean => tag === "frame";

interface Judged {
  readonly asset: Asset;
  readonly state: State;
  readonly weight: number;
}

function judgeAll(evidence: Evidence, assets: readonly Asset[]): Judged[] {
  const isNeeded = findNeeds(evidence);
  const judged = assets.map((asset) => ({ asset, state: judgeAsset(asset, evidence) }));

  /** Whether all files of a group are missing, or may be. */
  function isLost(state: State, isOfGroup: (asset: Asset) => boolean): boolean {
    const group = judged.filter(({ asset }) => isOfGroup(asset));
    const isSure = group.every((one) => one.state === "broken");
    return state === "broken" ? isSure : group.every((one) => one.state !== "good");
  }

  function weigh(asset: Asset, state: State): number {
    if (isNeeded(asset) && !isScriptAsStyle(asset)) return VITAL;
    if (isOfFrameset(asset) && isLost(state, isOfFrameset)) return VITAL;
    if (isPicture(asset) && consistsOfImages(evidence) && isLost(state, isPicture)) return VITAL;
    return asset.kind === "icon" ? ICON : GAP;
  }

  return judged.map(({ asset, state }) => ({ asset, state, weight: weigh(asset, state) }));
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

/** Finds files that were not requested because their URL has no host, such as one with a template mark in its place. */
function findAddressless(evidence: Evidence): Resource[] {
  return resourcesOf(evidence).filter(
    ({ kind, url, hostClass }) =>
      VITAL_KINDS.includes(kind) &&
      hostClass === "invalid" &&
      urlOf(url).hostname === "" &&
      url.length < CUT_LENGTH,
  );
}

function listCalled(evidence: Evidence): Resource[] {
  return resourcesOf(evidence).filter(
    ({ kind, url }) =>
      SAMPLED_KINDS.includes(kind) && url.startsWith("https:") && !isReloader(urlOf(url)),
  );
}

export const callsFiles = (evidence: Evidence): boolean => listCalled(evidence).length > 0;

/** No file of the page was requested. */
function judgeUnrequested(evidence: Evidence): Judgement {
  const isNeeded = findNeeds(evidence);
  const mayBeVital = (file: Resource) =>
    isNeeded(file) || (file.kind === "image" && consistsOfImages(evidence));
  const called = listCalled(evidence);
  const isIcons = called.every(({ kind }) => kind === "icon");
  const grade = GRADES.get(called.some(mayBeVital) ? VITAL : isIcons ? ICON : GAP);
  return unknownAtWorst(grade === undefined ? {} : { grade }, {
    fr: "Aucun fichier n'a pu être récupéré.",
    en: "No file could be fetched.",
  });
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
/** Statuses that visitors also get. Any other refusal may be meant for robots only. */
const GONE = [404, 410];

function judgeGuarded({ url, failure }: Asset, pageHost: string): State {
  const code = failure?.code ?? "";
  if (OUR_LIMITS.includes(code)) return "unknown";
  // A filter in the check's own DNS answers so for hosts that it blocks.
  const { hostname } = urlOf(url);
  const mayBeFiltered = !areOfOneDomain(hostname, pageHost) && !isPrivateHost(hostname);
  return code === "private" && mayBeFiltered ? "unknown" : "broken";
}

function judgeUnanswered({ failure }: Asset, evidence: Evidence): State {
  if (!failure || failure.phase === "deadline" || failure.phase === "http1") return "unknown";
  const isUnclear = /TIMEOUT|TIMEDOUT|^EHOSTUNREACH$/i.test(failure.code);
  return isUnclear || isPerhapsOwn(failure, evidence) ? "unknown" : "broken";
}

/** A refusal by the page's own host means that the file is broken. Another host, or a frame, may refuse robots only. */
function judgeAsset(asset: Asset, evidence: Evidence): State {
  const { status, failure, url, kind, file } = asset;
  const page = pageUrl(evidence);
  if (failure?.phase === "guard") return judgeGuarded(asset, page.hostname);
  if (status === null) return judgeUnanswered(asset, evidence);
  if (concernsClient(evidence, asset)) return "unknown";
  if (status >= 500) return "broken";
  if (status >= 400) {
    const isOwn = urlOf(url).host === page.host && kind !== "frame";
    return isOwn || GONE.includes(status) || isMissingInBucket(asset) ? "broken" : "unknown";
  }
  const isGood = status >= 300 ? !leadsAway(asset, evidence) : hasSaneType(asset);
  return isGood && !file?.isBroken ? "good" : "broken";
}

/** A file counts as missing if it redirects to a sign-in page, or to the target of an unknown path. */
function leadsAway({ url, kind, headers }: Asset, { notFound }: Evidence): boolean {
  const [location = ""] = headerValues(headers, "location");
  const target = findUrl(location, urlOf(url));
  const isSameHost = urlOf(notFound.url).host === urlOf(url).host;
  const isSignIn = kind !== "frame" && isSignInPath(target?.pathname ?? "");
  return isSignIn || (isSameHost && target?.href === notFound.location);
}

const BROKEN_OFF = {
  fr: "réponse interrompue ou indécodable",
  en: "the response breaks off or cannot be decoded",
};

function describeAnswer({ status, failure, headers, file }: Asset): Text {
  const refusal = failure?.phase === "guard" ? RefusalCode.safeParse(failure.code).data : undefined;
  if (refusal) return phraseRefusal(refusal);
  if (failure) return { fr: failure.code, en: failure.code };
  if (status === null) return { fr: "aucune requête", en: "not requested" };
  if (file?.isBroken) return BROKEN_OFF;
  const { essence } = readContentType(headers);
  if (essence === "" && status < 300)
    return { fr: `${status} sans type`, en: `${status} without a type` };
  const answer = `${status} ${essence}`.trim();
  return { fr: answer, en: answer };
}

const UNUSABLE = { fr: "Manquant ou inutilisable", en: "Missing or unusable" };
const UNCLEAR = { fr: "Sans réponse claire", en: "No clear response" };

function describeAssets(judged: readonly Judged[], what: Text): Text {
  const references = judged.map(({ asset }) => ({ ...asset, answer: describeAnswer(asset) }));
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

function findFix(broken: readonly Judged[]): Text | undefined {
  const assets = broken.map(({ asset }) => asset);
  const vital = assets.filter(({ kind }) => VITAL_KINDS.includes(kind));
  if (vital.some(isSource)) return BUILD_FIX;
  if (assets.length > 0 && assets.every(isScriptAsStyle)) return SCRIPT_LINK_FIX;
  const isServed = assets.every(
    ({ status, file }) => status !== null && status < 300 && !file?.isBroken,
  );
  return isServed && assets.length === vital.length ? TYPE_FIX : undefined;
}

const FILE_FIX = {
  fr: "Déployez ce fichier, corrigez son URL ou retirez l'élément qui le charge.",
  en: "Deploy this file, correct its URL, or remove the element that loads it.",
};

export const brokenAssets: Rule = {
  id: "asset.broken",
  title: { fr: "Fichiers manquants", en: "Missing files" },
  measures: {
    fr: "Jusqu'à 40 fichiers de la page répondent 2xx ou 3xx avec le bon type : d'abord les scripts et les feuilles de style, puis les iframes du même hôte et les images. Il en va de même pour 10 fichiers au plus que nomment ses feuilles de style et son manifeste. Une redirection vers une page de connexion ou une erreur, ou sans fin, compte comme un fichier manquant. S'il ne manque que des images, des polices ou des fichiers inutiles à l'affichage (nomodule, preload, print, statistiques, script async d'un autre site), la règle rapporte 1,5 point. S'il ne manque que des icônes, elle en rapporte 2. Une erreur de syntaxe dans un script en ligne coûte un demi-point.",
    en: "Up to 40 files of the page respond with 2xx or 3xx and the right type: scripts and style sheets first, then frames of the same host and images. So do up to 10 files that its style sheets and its manifest name. A redirect to a sign-in page or an error, or without end, counts as a missing file. If only images or fonts are missing, or files that the display does not need (nomodule, preload, print, analytics, another site's async script), the rule earns 1.5 points. If only icons are missing, it earns 2. A syntax error in an inline script costs half a point.",
  },
  why: {
    fr: "La page s'affiche sans sa mise en forme, sans ses images, sans une partie de son contenu ou sans les fonctions du script.",
    en: "The page appears without its styles, its images, a part of its content or the script's functions.",
  },
  fix: FILE_FIX,
  standard: htmlPart("the script element", "scripting", "the-script-element"),
  capReason: {
    fr: "Il manque à la page un script, une feuille de style, une iframe ou, si c'est une page d'images, toutes ses images. Leur URL est invalide, ne répond pas, ou a un type que les navigateurs refusent.",
    en: "The page lacks a script, style sheet or frame or, if it is a page of images, all of them. Their URL is invalid, dead, or has a type that browsers refuse.",
  },
  parents: pageHtml,
  judge: (evidence) => addScriptFaults(judgeFiles(evidence), evidence, FILE_FIX),
};

function judgeFiles(evidence: Evidence): Judgement {
  const addressless = findAddressless(evidence);
  if (addressless.length > 0)
    return fail(
      describeReferences(
        addressless.map((one) => ({ ...one, answer: NO_ADDRESS })),
        UNUSABLE,
      ),
      ADDRESS_FIX,
    );
  const assets = evidence.assets.filter(
    ({ url }) => !url.startsWith("http:") && !isReloader(urlOf(url)),
  );
  if (assets.length === 0 && !callsFiles(evidence))
    return findWholeHtml(evidence)
      ? notApplicable({
          fr: "La page ne charge aucun fichier que la vérification teste.",
          en: "The page loads no file that the check tests.",
        })
      : UNREAD_HTML;
  const judged = judgeAll(evidence, assets);
  const tested = describeTestedFiles(evidence);
  const broken = judged.filter(({ state }) => state === "broken");
  const vital = broken.filter(({ weight }) => weight === VITAL);
  const unusable = labelTested(UNUSABLE, tested);
  if (vital.length > 0) return fail(describeAssets(vital, unusable), findFix(vital));
  const worst = Math.max(0, ...broken.map(({ weight }) => weight));
  const unclear = judged.filter(({ state, weight }) => state === "unknown" && weight > worst);
  if (unclear.length > 0) {
    const grade = GRADES.get(Math.max(...unclear.map(({ weight }) => weight)));
    const found = describeAssets(unclear, labelTested(UNCLEAR, tested));
    return unknownAtWorst(grade === undefined ? {} : { grade }, found);
  }
  const lesser = GRADES.get(worst);
  if (lesser !== undefined)
    return partial(lesser, describeAssets(broken, unusable), findFix(broken));
  if (assets.length === 0) return judgeUnrequested(evidence);
  return pass({
    fr: `Fichiers testés : ${tested.fr} ; aucun de ceux-ci ne manque.`,
    en: `Files tested: ${tested.en}; none of these is missing.`,
  });
}
