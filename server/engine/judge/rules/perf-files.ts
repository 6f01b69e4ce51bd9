import type { Text } from "../../../../shared/language.ts";
import type { Asset, Evidence } from "../../evidence/evidence.ts";
import type { Resource } from "../../evidence/html.ts";
import { areOfOneDomain } from "../../../base/syntax/host-pattern.ts";
import { readContentType } from "../facts/content-type.ts";
import { findWholeHtml, headerValues, ownHosts, pageUrl, urlOf } from "../../evidence/accessors.ts";
import { findPlatform } from "../facts/platforms.ts";
import { COMPRESSORS, withDirectives } from "../facts/web-server.ts";
import { describeReferences } from "../facts/references.ts";
import { describeTestedFiles, labelTested } from "../facts/tested.ts";
import { type Rule, fail, notApplicable, pageHtml, pass, unknown } from "../rule.ts";
import { callsFiles } from "./asset-broken.ts";
import { UNREAD_HTML } from "./html-document.ts";

const MAX_IMAGE_BYTES = 1_000_000;
const MAX_SCRIPT_BYTES = 500_000;
const MAX_ALL_BYTES = 5_000_000;
/** The size of one network packet. Compressing a smaller file saves nothing. */
export const MIN_COMPRESSIBLE_BYTES = 1400;
const COMPRESSIBLE =
  /^text\/|^application\/(?:x-)?(?:javascript|ecmascript|json|xml)$|\+(?:json|xml)$/;

/** `bytes`: the declared size on the wire, otherwise the size of the part that was read, otherwise 0. */
interface Weighed extends Asset {
  readonly bytes: number;
}

function weighFiles(assets: readonly Asset[]): Weighed[] {
  const served = assets.filter(({ status }) => status !== null && status >= 200 && status < 300);
  return served.map((asset) => {
    const [length = ""] = headerValues(asset.headers, "content-length");
    return {
      ...asset,
      bytes: /^\d{1,15}$/.test(length) ? Number(length) : (asset.file?.wireBytes ?? 0),
    };
  });
}

function isCompressed({ headers }: Asset): boolean {
  return !/^\s*(?:identity\s*)?$/i.test(headerValues(headers, "content-encoding").join(","));
}

function isHeavyImage({ headers, bytes }: Weighed): boolean {
  return bytes > MAX_IMAGE_BYTES && readContentType(headers).essence.startsWith("image/");
}

/** The site cannot change how other hosts send files. */
function isUncompressed(file: Weighed, own: readonly string[]): boolean {
  return (
    file.bytes > MIN_COMPRESSIBLE_BYTES &&
    !isCompressed(file) &&
    COMPRESSIBLE.test(readContentType(file.headers).essence) &&
    own.includes(urlOf(file.url).hostname)
  );
}

function isHeavyScript({ kind, bytes, url }: Weighed, page: URL): boolean {
  const isHeavy = bytes > MAX_SCRIPT_BYTES && (kind === "script" || kind === "module");
  return isHeavy && areOfOneDomain(urlOf(url).hostname, page.hostname);
}

/** Browsers fetch fonts with CORS, so a preload without `crossorigin` fetches the font a second time. */
function findDoubleFonts({ page }: Evidence): Resource[] {
  const fonts = (page.body?.html?.resources ?? []).filter(
    ({ tag, kind }) => tag === "link" && kind === "font",
  );
  return fonts.filter(({ crossorigin }) => crossorigin === null);
}

const FONT_FIX = {
  fr: "Ajoutez l'attribut crossorigin à ce <link>, même si la police est sur votre hôte.",
  en: "Add the crossorigin attribute to this <link>, even if the font is on your own host.",
};

const SCRIPT_FIX = {
  fr: "Divisez ce script : chargez à la demande, par import(), ce que le premier affichage n'utilise pas, et retirez les bibliothèques inutiles.",
  en: "Split this script: load what the first view does not use on demand, with import(), and remove unused libraries.",
};

function describeFiles(files: readonly Weighed[], what: Text): Text {
  return describeReferences(
    files.map((file) => ({ ...file, answer: weighs(file.bytes) })),
    what,
  );
}

const sum = (files: readonly Weighed[]): number =>
  files.reduce((total, { bytes }) => total + bytes, 0);

function weighs(bytes: number): Text {
  const kilobytes = Math.ceil(bytes / 1000);
  if (kilobytes < 1000) return { fr: `${kilobytes} ko`, en: `${kilobytes} kB` };
  const megabytes = (Math.ceil(kilobytes / 100) / 10).toFixed(1);
  return { fr: `${megabytes.replace(".", ",")} Mo`, en: `${megabytes} MB` };
}

const GZIP =
  "gzip on; gzip_types text/css application/javascript text/javascript application/json image/svg+xml;";
const COMPRESSION_WORDS = {
  fr: "Compressez aussi les scripts, les feuilles de style et les SVG",
  en: "Compress scripts, style sheets and SVG too",
};

export const files: Rule = {
  id: "perf.files",
  title: { fr: "Taille et compression des fichiers", en: "File size and compression" },
  measures: {
    fr: "Parmi les fichiers testés (50 au plus) dont la taille est connue, aucune image ne dépasse 1 Mo. Aucun script du site ne dépasse 500 ko une fois compressé. Tout texte du même hôte (script, feuille de style, SVG, JSON) de plus de 1 400 octets est compressé. Le total, sans les images différées (lazy), est de 5 Mo au plus. Une police préchargée l'est avec crossorigin : sinon, elle est récupérée deux fois.",
    en: "Among up to 50 tested files of known size, no image is over 1 MB. No script of the site is over 500 kB once compressed. Any text file on the same host (script, style sheet, SVG, JSON) over 1,400 bytes is compressed. The total without lazy images is at most 5 MB. A font is preloaded with crossorigin; otherwise it is fetched twice.",
  },
  why: {
    fr: "Sur un réseau mobile, chaque mégaoctet coûte des secondes, et parfois de l'argent.",
    en: "On a mobile network, each megabyte costs seconds, and sometimes money.",
  },
  fix: {
    fr: "Convertissez les grandes images en WebP ou en AVIF, à leur taille d'affichage, et retirez les fichiers inutilisés.",
    en: "Convert large images to WebP or AVIF, at the size at which they are displayed, and remove unused files.",
  },
  standard: {
    name: "web.dev, payloads",
    url: "https://developer.chrome.com/docs/lighthouse/performance/total-byte-weight",
  },
  parents: pageHtml,
  judge(evidence) {
    const assets = evidence.assets.filter(({ load }) => load !== "variant");
    if (assets.length === 0 && !callsFiles(evidence))
      return findWholeHtml(evidence)
        ? notApplicable({
            fr: "La page ne charge aucun fichier que la vérification teste.",
            en: "The page loads no file that the check tests.",
          })
        : UNREAD_HTML;
    const weighed = weighFiles(assets);
    const tested = describeTestedFiles(evidence);
    const describe = (found: readonly Weighed[], what: Text) =>
      describeFiles(found, labelTested(what, tested));
    const plain = weighed.filter((file) => isUncompressed(file, ownHosts(evidence)));
    if (plain.length > 0)
      return fail(
        describe(plain, { fr: "Servis sans compression", en: "Served without compression" }),
        findPlatform(plain[0]?.headers)?.compression ??
          withDirectives(COMPRESSION_WORDS, { nginx: GZIP, ...COMPRESSORS }, plain[0]),
      );
    const heavy = weighed.filter(isHeavyImage);
    if (heavy.length > 0)
      return fail(describe(heavy, { fr: "Images de plus de 1 Mo", en: "Images over 1 MB" }));
    const scripts = weighed.filter((file) => isHeavyScript(file, pageUrl(evidence)));
    if (scripts.length > 0)
      return fail(
        describe(scripts, {
          fr: "Scripts de plus de 500 ko une fois compressés",
          en: "Scripts over 500 kB once compressed",
        }),
        SCRIPT_FIX,
      );
    const fonts = findDoubleFonts(evidence);
    if (fonts.length > 0)
      return fail(
        describeReferences(fonts, {
          fr: "Polices préchargées sans crossorigin, donc récupérées deux fois",
          en: "Fonts preloaded without crossorigin, so fetched twice",
        }),
        FONT_FIX,
      );
    const total = sum(weighed.filter(({ load }) => load === "now"));
    const compressed = weighed.filter(isCompressed).length;
    const announced = weighed.filter(({ bytes }) => bytes > 0).length;
    const all = {
      fr: `Fichiers testés : ${tested.fr} ; compressés : ${compressed} ; avec une taille connue : ${announced} (${weighs(total).fr} au total).`,
      en: `Files tested: ${tested.en}; compressed: ${compressed}; with a known size: ${announced} (${weighs(total).en} in total).`,
    };
    if (total > MAX_ALL_BYTES) return fail(all);
    if (compressed + announced > 0) return pass(all);
    return unknown({
      fr: "Aucune réponse n'indique la taille de son fichier.",
      en: "No response states the size of its file.",
    });
  },
};
