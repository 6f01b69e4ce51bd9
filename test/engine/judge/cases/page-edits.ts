import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import type { Hop, Oddity, Stop } from "../../../../server/engine/evidence/exchange.ts";
import type { Html } from "../../../../server/engine/evidence/html.ts";
import { pageBody, pageHop, pageHtml, setHeader, setMeta } from "../evidence-fixtures.ts";
import type { Edit } from "./rule-case.ts";

export const all =
  (...edits: readonly Edit[]): Edit =>
  (evidence) => {
    for (const edit of edits) edit(evidence);
  };
export const header =
  (name: string, ...values: string[]): Edit =>
  (evidence) =>
    setHeader(evidence, name, ...values);
export const meta =
  (name: string, ...contents: string[]): Edit =>
  (evidence) =>
    setMeta(evidence, name, ...contents);
export const html =
  (edit: Partial<Html>): Edit =>
  (evidence) =>
    Object.assign(pageHtml(evidence), structuredClone(edit));
export const body =
  (edit: Partial<NonNullable<Evidence["page"]["body"]>>): Edit =>
  (evidence) =>
    Object.assign(pageBody(evidence), structuredClone(edit));
export const lastHop =
  (edit: Partial<Hop>): Edit =>
  (evidence) =>
    Object.assign(pageHop(evidence), structuredClone(edit));
/** One of the page's files: 0 is a script, 1 an image. */
export const asset =
  (index: number, edit: Partial<Evidence["assets"][number]>): Edit =>
  ({ assets }) =>
    Object.assign(assets[index] ?? {}, structuredClone(edit));

export const refuseDns: Edit = (evidence) => {
  evidence.dns = { ...evidence.dns, refusal: "not_found", addresses: [] };
  evidence.page = { ...evidence.page, hops: [], tls: null, body: null };
};

/** Nothing listens: no hop, no handshake, no body. */
export const refuseConnection: Edit = (evidence) => {
  const failure = { phase: "connect" as const, code: "ECONNREFUSED", detail: "" };
  evidence.page = { ...evidence.page, hops: [], failure, tls: null, body: null, attempts: 2 };
};

export const failWith = (
  phase: "check" | "deadline" | "response" | "tls" | "connect" | "http1",
  code: string,
): Edit => all(refuseConnection, (e) => (e.page.failure = { phase, code, detail: "" }));

/** A page too long to be read whole. */
export const cutPage = body({ state: "over_limit" });
export const cutHead = all(cutPage, html({ isHeadWhole: false }));

export const refuseHttp1 = failWith("http1", "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL");

/** Browsers refuse the headers of the redirect. */
export const refuseRedirect = (code: string): Edit =>
  all(lastHop({ status: 302 }), ({ page }) => {
    page.stop = { url: "https://www.example.com/", reason: "headers", refusal: null };
    page.failure = { phase: "response", code, detail: "" };
    page.body = null;
  });

/** Answers whose syntax is invalid, and which browsers show. */
export const answerOddly =
  (oddities: Oddity[], url?: string, offersHttp2 = false): Edit =>
  (evidence) => {
    evidence.oddAnswers.push({ url: url ?? pageHop(evidence).url, offersHttp2, oddities });
  };

export const stopAt = (reason: Stop["reason"]): Edit =>
  all(lastHop({ status: 302 }), ({ page }) => {
    const refusal = reason === "refused" ? ("private" as const) : null;
    page.stop = { url: "http://www.example.com/", reason, refusal };
    page.body = null;
  });

/** Puts so many redirects before the page. */
export const redirectTimes =
  (count: number): Edit =>
  (evidence) => {
    const last = pageHop(evidence);
    const before = Array.from({ length: count }, (_, index) => ({
      ...last,
      url: `https://www.example.com/${index}`,
      status: 301,
      headers: [],
    }));
    evidence.page.hops = [...before, last];
  };
