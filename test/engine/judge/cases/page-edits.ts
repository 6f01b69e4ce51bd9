import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import { pageBody, pageHop } from "../evidence-fixtures.ts";

export function refuseDns(evidence: Evidence): void {
  evidence.dns = { ...evidence.dns, refusal: "not_found", addresses: [] };
  evidence.page = { ...evidence.page, hops: [], tls: null, body: null };
}

/** Nothing listens: no hop, no handshake, no body. */
export function refuseConnection(evidence: Evidence): void {
  const failure = { phase: "connect" as const, code: "ECONNREFUSED", detail: "" };
  evidence.page = { ...evidence.page, hops: [], failure, tls: null, body: null, attempts: 2 };
}

/** A page too long to be read whole. */
export function cutPage(evidence: Evidence): void {
  pageBody(evidence).state = "over_limit";
}

export function refuseHttp1(evidence: Evidence): void {
  refuseConnection(evidence);
  const code = "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL";
  evidence.page.failure = { phase: "tls", code, detail: "" };
}

export function stopAt(
  reason: "downgrade" | "loop" | "too_many" | "refused",
): (evidence: Evidence) => void {
  return (evidence) => {
    pageHop(evidence).status = 302;
    const refusal = reason === "refused" ? ("private" as const) : null;
    evidence.page.stop = { url: "http://www.example.com/", reason, refusal };
    evidence.page.body = null;
  };
}

/** Puts so many redirects before the page. */
export function redirectTimes(count: number): (evidence: Evidence) => void {
  return ({ page }) => {
    const [last] = page.hops;
    if (!last) throw new Error("this evidence has no hop");
    const before = Array.from({ length: count }, (_, index) => ({
      ...last,
      url: `https://www.example.com/${index}`,
      status: 301,
      headers: [],
    }));
    page.hops = [...before, last];
  };
}
