import { createHash } from "node:crypto";
import { isUrl } from "../../shared/url.ts";

/** The same for the same finding of the same page, in every run. Two queries of one path are two pages. */
export function fingerprintOf(address: string, id: string): string {
  const page = isUrl(address) ? new URL(address).href : address;
  return createHash("sha256").update(`${page}\n${id}`).digest("hex").slice(0, 32);
}
