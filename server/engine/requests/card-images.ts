import { ACCEPT_ANY } from "./answer.ts";
import type { CardImage } from "../evidence/card-image.ts";
import type { CardImageCandidate } from "./body/html-card-images.ts";
import { readImage } from "./body/image-size.ts";
import { redactUrl } from "./privacy/redact.ts";
import { askSample } from "./samples.ts";
import type { ProbeContext } from "./context.ts";

/** Enough for the size of nearly all images. */
const MAX_START_BYTES = 65_536;

/** R11: the beginning of a sharing card's image; null if no request was left for it. */
export async function askCardImage(
  context: ProbeContext,
  { url, meta }: CardImageCandidate,
): Promise<CardImage | null> {
  const ask = { accept: ACCEPT_ANY, maxBytes: MAX_START_BYTES };
  const sent = await askSample(context, url, ask);
  if (!sent) return null;
  const image = sent.content && readImage(sent.content.bytes);
  return { ...sent.answer, url: redactUrl(url), meta, image };
}
