import type { PreviousFiles } from "../../../../shared/last-ship.ts";
import { HTML_TYPE } from "../../../base/syntax/media-type.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { readContentType } from "./content-type.ts";
import { hashedAssets } from "./hashed-assets.ts";

type Answered = Pick<Evidence["previousFiles"][number], "status" | "headers">;

/** Many hosts send the start page, with status 200, in place of a missing file. */
const isServed = ({ status, headers }: Answered): boolean =>
  status !== null &&
  status >= 200 &&
  status < 300 &&
  readContentType(headers).essence !== HTML_TYPE;

/** The files that the page of this evidence loaded from its host, with a hash in their name. */
export function listServedFiles(evidence: Evidence): string[] {
  const isFetchable = (url: string) => url.startsWith("https:") && !url.includes("***");
  return hashedAssets(evidence)
    .filter((asset) => isServed(asset) && isFetchable(asset.url))
    .map(({ url }) => url);
}

/** Null if no file was requested, or none got an answer. */
export function countPreviousFiles({ previousFiles }: Evidence): PreviousFiles | null {
  const tried = previousFiles.filter(({ status }) => status !== null);
  if (tried.length === 0) return null;
  return { tried: tried.length, answered: tried.filter(isServed).length };
}
