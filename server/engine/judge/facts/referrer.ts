import type { Evidence } from "../../evidence/evidence.ts";
import { findMetaReferrerPolicy, findReferrerPolicy } from "../../evidence/referrer.ts";
import { metaContents } from "./metas.ts";
import { pageHeader } from "../../evidence/page.ts";

/** The policy in effect once the page is parsed; undefined if it is the browser's default. */
export function findPageReferrerPolicy(evidence: Evidence): string | undefined {
  return (
    findMetaReferrerPolicy(metaContents(evidence, "referrer")) ??
    findReferrerPolicy(pageHeader(evidence, "referrer-policy"))
  );
}
