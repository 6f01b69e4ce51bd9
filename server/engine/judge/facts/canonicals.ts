import type { Evidence } from "../../evidence/evidence.ts";
import { parseLinks } from "../../../base/syntax/http.ts";
import { pageHeader } from "../../evidence/accessors.ts";

/** A canonical address as stated; `line` is null for one in a Link header. */
export interface Canonical {
  readonly url: string;
  readonly line: number | null;
}

/** The canonical addresses of the page, from its Link header (RFC 8288) and its head. */
export function listCanonicals(evidence: Evidence): Canonical[] {
  const links = pageHeader(evidence, "link").flatMap(parseLinks);
  const sent = links.filter(({ relations }) => relations.includes("canonical"));
  return [
    ...sent.map(({ url }) => ({ url, line: null })),
    ...(evidence.page.body?.html?.canonicals ?? []),
  ];
}
