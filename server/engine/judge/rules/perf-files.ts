import type { Text } from "../../../base/language.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { readContentType } from "../facts/content-type.ts";
import { findWholeHtml, headerValues, ownHosts, urlOf } from "../../evidence/page.ts";
import { withDirective } from "../facts/web-server.ts";
import { describeReferences } from "../facts/references.ts";
import { type Rule, fail, notApplicable, pageHtml, pass, unknown } from "../rule.ts";
import { callsFiles } from "./asset-broken.ts";
import { UNREAD_HTML } from "./html-document.ts";

type Asset = Evidence["assets"][number];

const MAX_IMAGE_BYTES = 1_000_000;
const MAX_ALL_BYTES = 5_000_000;
/** One network packet; compressing less saves nothing. */
export const MIN_COMPRESSIBLE_BYTES = 1400;
const COMPRESSIBLE =
  /^text\/|^application\/(?:x-)?(?:javascript|ecmascript|json|xml)$|\+(?:json|xml)$/;

/** A file that was served. `bytes` is its size on the wire, 0 if the answer does not say. */
interface Weighed extends Asset {
  readonly bytes: number;
}

function weighFiles({ assets }: Evidence): Weighed[] {
  const served = assets.filter(({ status }) => status !== null && status >= 200 && status < 300);
  return served.map((asset) => {
    const [length = ""] = headerValues(asset.headers, "content-length");
    return { ...asset, bytes: /^\d{1,15}$/.test(length) ? Number(length) : 0 };
  });
}

function isCompressed({ headers }: Asset): boolean {
  return !/^\s*(?:identity\s*)?$/i.test(headerValues(headers, "content-encoding").join(","));
}

function isHeavyImage({ headers, bytes }: Weighed): boolean {
  return bytes > MAX_IMAGE_BYTES && readContentType(headers).essence.startsWith("image/");
}

/** Whether the file should have been compressed; the site cannot change how other hosts send theirs. */
function isUncompressed(file: Weighed, own: readonly string[]): boolean {
  return (
    file.bytes > MIN_COMPRESSIBLE_BYTES &&
    !isCompressed(file) &&
    COMPRESSIBLE.test(readContentType(file.headers).essence) &&
    own.includes(urlOf(file.url).hostname)
  );
}

function describe(files: readonly Weighed[]): Text {
  return describeReferences(files.map((file) => ({ ...file, answer: weighs(file.bytes) })));
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
const COMPRESSION_FIX = {
  fr: `Compressez aussi les scripts, les styles et les SVG (nginx : ${GZIP} — Caddy : encode zstd gzip).`,
  en: `Compress scripts, styles and SVG as well (nginx: ${GZIP} Caddy: encode zstd gzip).`,
};

export const files: Rule = {
  id: "perf.files",
  title: { fr: "Fichiers légers et compressés", en: "Light, compressed files" },
  measures: {
    fr: "Parmi les fichiers essayés (12 au plus) dont la réponse dit le poids : aucune image de plus de 1 Mo, aucun texte du même hôte (script, style, SVG, JSON) de plus de 1400 octets sans compression, et 5 Mo au plus en tout.",
    en: "Up to 12 files are tried, and count where the answer gives their size: no image over 1 MB, no text from the same host (script, style, SVG, JSON) over 1400 bytes without compression, and at most 5 MB in all.",
  },
  matters: {
    fr: "Sur un réseau mobile, chaque mégaoctet se compte en secondes, et parfois en argent.",
    en: "On a mobile network each megabyte takes seconds, and sometimes costs money.",
  },
  fix: {
    fr: "Convertissez les grandes images en WebP ou en AVIF, à la taille où elles s'affichent, et retirez ce qui ne sert pas.",
    en: "Convert large images to WebP or AVIF, at the size they are shown at, and remove what is not used.",
  },
  standard: {
    name: "web.dev, payloads",
    url: "https://developer.chrome.com/docs/lighthouse/performance/total-byte-weight",
  },
  parents: pageHtml,
  judge(evidence) {
    const { assets } = evidence;
    if (assets.length === 0 && !callsFiles(evidence))
      return findWholeHtml(evidence)
        ? notApplicable({ fr: "La page n'appelle aucun fichier.", en: "The page loads no file." })
        : UNREAD_HTML;
    const weighed = weighFiles(evidence);
    const plain = weighed.filter((file) => isUncompressed(file, ownHosts(evidence)));
    if (plain.length > 0) {
      const { fr, en } = describe(plain);
      return fail(
        { fr: `Sans compression : ${fr}`, en: `Uncompressed: ${en}` },
        withDirective(COMPRESSION_FIX, plain[0], {
          nginx: GZIP,
          caddy: "encode zstd gzip",
        }),
      );
    }
    const heavy = weighed.filter(isHeavyImage);
    if (heavy.length > 0) {
      const { fr, en } = describe(heavy);
      return fail({ fr: `Images de plus de 1 Mo : ${fr}`, en: `Images over 1 MB: ${en}` });
    }
    const total = sum(weighed);
    const compressed = weighed.filter(isCompressed).length;
    const announced = weighed.filter(({ bytes }) => bytes > 0).length;
    const all = {
      fr: `Fichiers essayés : ${assets.length} ; compressés : ${compressed} ; dont la taille est annoncée : ${announced}, ${weighs(total).fr} en tout.`,
      en: `Files tried: ${assets.length}; compressed: ${compressed}; whose size is announced: ${announced}, ${weighs(total).en} in all.`,
    };
    if (total > MAX_ALL_BYTES) return fail(all);
    if (compressed + announced > 0) return pass(all);
    return unknown({
      fr: "Aucune réponse n'annonce la taille de son fichier.",
      en: "No answer announces the size of its file.",
    });
  },
};
