import { isHashedName } from "../../../base/syntax/hashed-name.ts";
import { pageUrl, urlOf } from "../../evidence/accessors.ts";
import type { Evidence } from "../../evidence/evidence.ts";

/** Leaves out files of other hosts, because the site cannot set their headers. */
export function hashedAssets(evidence: Evidence): Evidence["assets"] {
  const { host } = pageUrl(evidence);
  return evidence.assets.filter(({ url }) => {
    const file = urlOf(url);
    return file.host === host && isHashedName(file.pathname);
  });
}
