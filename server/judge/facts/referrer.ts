import type { Evidence } from "../../evidence/evidence.ts";
import { findMetaReferrerPolicy, findReferrerPolicy } from "../../evidence/referrer.ts";
import { metaContents } from "./metas.ts";
import { pageHeader } from "../../evidence/page.ts";

/** The policy that applies once the page is parsed; undefined where the browser's own does. */
export function findPageReferrerPolicy(evidence: Evidence): string | undefined {
  return (
    findMetaReferrerPolicy(metaContents(evidence, "referrer")) ??
    findReferrerPolicy(pageHeader(evidence, "referrer-policy"))
  );
}
