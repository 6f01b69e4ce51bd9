import type { Evidence } from "../../evidence/evidence.ts";
import { parseLinks } from "../../../base/syntax/http.ts";
import { pageHeader } from "../../evidence/accessors.ts";

export interface Canonical {
  readonly url: string;
  readonly line: number | null;
}

/** Lists the canonical URLs of the Link header (RFC 8288) and of the head element. */
export function listCanonicals(evidence: Evidence): Canonical[] {
  const links = pageHeader(evidence, "link").flatMap(parseLinks);
  const sent = links.filter(({ relations }) => relations.includes("canonical"));
  return [
    ...sent.map(({ url }) => ({ url, line: null })),
    ...(evidence.page.body?.html?.canonicals ?? []),
  ];
}
