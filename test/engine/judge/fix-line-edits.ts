import type { Headers } from "../../../server/engine/evidence/exchange.ts";
import { pageBody, pageHop, pageHtml, setHeader } from "./evidence-fixtures.ts";
import type { Edit } from "./fix-cases.ts";

export const all =
  (...edits: Edit[]): Edit =>
  (evidence) => {
    for (const edit of edits) edit(evidence);
  };
export const send =
  (name: string, ...values: string[]): Edit =>
  (evidence) =>
    setHeader(evidence, name, ...values);
export const policy = (...values: string[]): Edit => send("content-security-policy", ...values);
export const reported = (...values: string[]): Edit =>
  all(policy(), send("content-security-policy-report-only", ...values));
export const offerHttp1: Edit = (e) => {
  e.alpn = { outcome: "http/1.1", code: null };
};
export const acceptOldTls: Edit = (e) => {
  e.legacyTls = { outcome: "accepted", protocol: "TLSv1.1", code: null };
};
export const answerOverHttp =
  (server?: string): Edit =>
  (e) => {
    const [first] = e.plainHttp?.hops ?? [];
    if (!e.plainHttp || !first) throw new Error("no hop over http");
    const headers: Headers = server ? [["server", server]] : [];
    e.plainHttp.hops = [{ ...first, status: 200, headers }];
  };
export const asType =
  (type: string): Edit =>
  (e) =>
    setHeader(e, "content-type", type);
export const uncompressed: Edit = (e) => {
  pageBody(e).encoding = null;
};
export const canonical =
  (url: string): Edit =>
  (e) => {
    pageHtml(e).canonicals = [{ url, line: 10 }];
  };
export const pageAt =
  (url: string): Edit =>
  (e) => {
    pageHop(e).url = url;
  };
export const sendScript =
  (...headers: Headers): Edit =>
  (e) => {
    const [script] = e.assets;
    if (!script) throw new Error("no script");
    script.headers = headers;
  };
