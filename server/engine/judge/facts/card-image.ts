import type { Text } from "../../../../shared/language.ts";
import type { CardImage, Evidence } from "../../evidence/evidence.ts";
import { headerValues } from "../../evidence/accessors.ts";
import { cut, partial, type Judgement, unknownAtWorst } from "../rule.ts";
import { readContentType } from "./content-type.ts";
import { isMissingInBucket } from "./buckets.ts";

const MIN_SIDE = 200;
const MAX_BYTES = 8_000_000;

export function isImageMissing({ cardImages }: Evidence): boolean {
  return cardImages.some((answer) => answer.meta === "og:image" && isMissing(answer));
}

function isMissing(answer: CardImage): boolean {
  const { status, failure, image, headers } = answer;
  if (failure?.phase === "guard") return failure.code === "not_found";
  if (status === 404 || status === 410 || isMissingInBucket(answer)) return true;
  const isServed = status !== null && status >= 200 && status < 300 && !failure;
  return isServed && !image && !readContentType(headers).essence.startsWith("image/");
}

function findFault({ image, headers }: CardImage): Text | undefined {
  if (!image) return undefined;
  const { type, width, height } = image;
  if (type === "svg") return { fr: "est un SVG", en: "is an SVG" };
  if (width !== null && height !== null && Math.min(width, height) < MIN_SIDE)
    return { fr: `mesure ${width} × ${height} pixels`, en: `measures ${width} × ${height} pixels` };
  const [length = ""] = headerValues(headers, "content-length");
  if (/^\d{1,15}$/.test(length) && Number(length) > MAX_BYTES) {
    const megabytes = Math.round(Number(length) / 1_000_000);
    return { fr: `pèse ${megabytes} Mo`, en: `is ${megabytes} MB` };
  }
  return undefined;
}

const IMAGE_FIX = {
  fr: "Utilisez une image PNG, JPEG ou WebP de 1200 × 630 pixels et de moins de 8 Mo. La plupart des réseaux n'affichent ni les SVG, ni les images de moins de 200 × 200 pixels.",
  en: "Use a PNG, JPEG or WebP image of 1200 × 630 pixels and under 8 MB. Most networks show no SVG, and no image below 200 × 200 pixels.",
};
const MISSING_FIX = {
  fr: "Déployez cette image ou corrigez son URL.",
  en: "Deploy this image or correct its URL.",
};

export function judgeImages({ cardImages }: Evidence): Judgement | undefined {
  for (const answer of cardImages) {
    const shown = `${answer.meta} (${cut(answer.url, 120)})`;
    if (isMissing(answer)) {
      const found = {
        fr: `${shown} ne renvoie pas d'image.`,
        en: `${shown} does not return an image.`,
      };
      return partial("image", found, MISSING_FIX);
    }
    const fault = findFault(answer);
    if (fault) {
      const found = { fr: `${shown} ${fault.fr}.`, en: `${shown} ${fault.en}.` };
      return partial("image", found, IMAGE_FIX);
    }
  }
  const unclear = cardImages.find(isUnclear);
  if (!unclear) return undefined;
  const { status, failure, meta } = unclear;
  const outcome = failure?.code ?? status ?? "";
  return unknownAtWorst(
    { grade: "image" },
    {
      fr: `${meta} n'a pas pu être chargée par la vérification (${outcome}).`,
      en: `${meta} could not be loaded by the check (${outcome}).`,
    },
  );
}

/** A refusal may be meant only for robots, and a late answer is no proof. Redirects are not followed. */
function isUnclear({ status, failure, skipped }: CardImage): boolean {
  return !skipped && (status === null || status >= 400 || failure?.phase === "body");
}
