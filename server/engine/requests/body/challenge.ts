import type { OwnPage } from "./own-page.ts";
import { CHALLENGES, findSignature } from "./signature.ts";
import { Slice } from "../../net/slice.ts";

/** Most characters of visible text on such a page, in all its languages together. */
const MAX_TEXT = 3000;
const MARKS = new RegExp(CHALLENGES.map(({ mark }) => mark.source).join("|"), "i");

/** Whether a decoded body may be a challenge page: false for most pages, at a fraction of the cost of reading them. */
export function mayShowChallenge(text: string): boolean {
  return MARKS.test(text);
}

/** The name of the gatekeeper whose challenge, block or login page this is; null for the site's own page. */
export async function findChallenge(page: OwnPage, slice = new Slice()): Promise<string | null> {
  if (page.textLength > MAX_TEXT) return null;
  const found = await findSignature(CHALLENGES, page, slice);
  return found?.name ?? null;
}
