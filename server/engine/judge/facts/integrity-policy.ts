import type { Evidence } from "../../evidence/evidence.ts";
import { pageHeader } from "../../evidence/accessors.ts";
import { readDictionary } from "../../../base/syntax/structured-field.ts";

/** Destinations of the standard. Of these, Chromium knows only `script`. */
const DESTINATIONS = ["script", "style"];

/**
 * The destinations that the policy blocks without integrity (Subresource Integrity, 3.9). Undefined if browsers ignore
 * the header. Several headers are one dictionary.
 */
export function readIntegrityPolicy(values: readonly string[]): readonly string[] | undefined {
  const members = readDictionary(values.join(", "));
  const blocked = members?.get("blocked-destinations");
  const sources = members?.get("sources") ?? ["inline"];
  if (!Array.isArray(blocked) || !Array.isArray(sources)) return undefined;
  const known = DESTINATIONS.filter((one) => blocked.includes(one));
  return known.length > 0 && sources.includes("inline") ? known : undefined;
}

/** Browsers agree only on scripts. A policy that only reports blocks nothing. */
export function requiresIntegrity(evidence: Evidence): boolean {
  const values = pageHeader(evidence, "integrity-policy");
  return values.length > 0 && readIntegrityPolicy(values)?.includes("script") === true;
}
