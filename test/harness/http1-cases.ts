import { readFileSync } from "node:fs";
import type { RawAnswerCase } from "./raw-answers.ts";

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{H}\r\n";
const LENGTH = "Content-Length: {LEN}\r\n\r\n{BODY}";
const CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";
const OK = `${HEAD}${LENGTH}`;
const withStatus = (status: string, answer = OK): string => answer.replace("200 OK", status);

const SHOWN: Readonly<Record<string, string>> = {
  "cd-quoted-comma": `${HEAD}Content-Disposition: inline; filename="a,b.html"\r\n${LENGTH}`,
  "cd-unpaired-quote": `${HEAD}Content-Disposition: inline; filename="a,b\r\n${LENGTH}`,
  "loc-twice-same": `${HEAD}Location: /ok\r\nLocation: /ok\r\n${LENGTH}`,
  "head-255-kb": `${HEAD}X-A: ${"a".repeat(261_000)}\r\n${LENGTH}`,
  "head-255-kb-folded": `${HEAD}X-A: a\r\n b${"a".repeat(261_000)}\r\n${LENGTH}`,
  "st-none": OK.replace(" 200 OK", ""),
  "st-word": OK.replace("200 OK", "OK"),
  "st-version-1x": OK.replace("HTTP/1.1", "HTTP/1.x"),
  "st-junk3-http": `ICY${OK}`,
  "cl-negative": `${HEAD}Content-Length: -5\r\n\r\n{BODY}`,
  "cl-empty": `${HEAD}Content-Length:\r\n\r\n{BODY}`,
  "cl-folded": `${HEAD}Content-Length:\r\n {LEN}\r\n\r\n{BODY}`,
  "te-chunked-identity": `${HEAD}Transfer-Encoding: chunked, identity\r\n\r\n{HEX}\r\n{BODY}\r\n0\r\n\r\n`,
  "te-unknown": `${HEAD}Transfer-Encoding: xchunked\r\n\r\n{BODY}`,
  "te-upper-case": `${HEAD}Transfer-Encoding: CHUNKED\r\n\r\n{HEX}\r\n{BODY}\r\n0\r\n\r\n`,
  "chunk-ext-15-kb": `${HEAD}${CHUNKED}{HEX};${"a".repeat(15_000)}\r\n{BODY}\r\n0\r\n\r\n`,
  "name-empty": `${HEAD}: a\r\n${LENGTH}`,
  "fold-after-no-colon": `${HEAD}garbage\r\n X-A: 1\r\n${LENGTH}`,
  "fold-status": `HTTP/1.1 200\r\n OK\r\nContent-Type: text/html; charset=utf-8\r\n${LENGTH}`,
  "lf-cr-lf-cr": `${HEAD}X: 1\n\rContent-Length: {LEN}\r\n\r\n{BODY}`,
  "lf-cr-cr-lf": `${HEAD}Content-Length: {LEN}\n\r\r\n\n{BODY}`,
  "i-101": `HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n${OK}`,
  "i-100-slop": `HTTP/1.1 100 Continue\r\n\r\n\r\n\r\n${OK}`,
};

const REFUSED: Readonly<Record<string, string>> = {
  "cd-comma": `${HEAD}Content-Disposition: inline; filename=a,b.html\r\n${LENGTH}`,
  "cd-twice-diff": `${HEAD}Content-Disposition: inline\r\nContent-Disposition: inline; x=1\r\n${LENGTH}`,
  "cd-empty-and-inline": `${HEAD}Content-Disposition:\r\nContent-Disposition: inline\r\n${LENGTH}`,
  "loc-empty-and-ok": `${HEAD}Location:\r\nLocation: /ok\r\n${LENGTH}`,
  "loc-twice-diff-on-301": withStatus("301 X", `${HEAD}Location: /a\r\nLocation: /b\r\n${LENGTH}`),
  "nul-on-301": withStatus("301 X", `${HEAD}Location: /base\r\nX: a\\x00\r\n${LENGTH}`),
  "nul-first": `\\x00${OK}`,
  "head-257-kb": `${HEAD}X-A: ${"a".repeat(262_200)}\r\n${LENGTH}`,
  "st-101": withStatus("101 Switching Protocols"),
  "st-205": withStatus("205 Reset Content"),
  "st-304": withStatus("304 Not Modified"),
  "cl-list-diff": `${HEAD}Content-Length: {LEN}, 5\r\n\r\n{BODY}`,
  "cl-trailing-comma": `${HEAD}Content-Length: {LEN},\r\n\r\n{BODY}`,
  "cl-diff-te-identity": `${HEAD}Content-Length: {LEN}\r\nContent-Length: 7\r\nTransfer-Encoding: identity\r\n\r\n{BODY}`,
  "chunk-blank-first": `${HEAD}${CHUNKED}\r\n{HEX}\r\n{BODY}\r\n0\r\n\r\n`,
  "chunk-extension-alone": `${HEAD}${CHUNKED};a\r\n{BODY}\r\n0\r\n\r\n`,
  "chunk-space-before": `${HEAD}${CHUNKED} {HEX}\r\n{BODY}\r\n0\r\n\r\n`,
  "chunk-cr-cr-lf": `${HEAD}${CHUNKED}{HEX}\r\r\n{BODY}\r\n0\r\n\r\n`,
  "chunk-end-missing": `${HEAD}${CHUNKED}{HEX}\r\n{BODY}0\r\n\r\n`,
  "i-103-nul": `HTTP/1.1 103 Early Hints\r\nX: a\\x00\r\n\r\n${OK}`,
  "i-103-loc-twice-diff": `HTTP/1.1 103 Early Hints\r\nLocation: /a\r\nLocation: /b\r\n\r\n${OK}`,
};

const casesOf = (
  chromium: RawAnswerCase["chromium"],
  answers: Readonly<Record<string, string>>,
): RawAnswerCase[] =>
  Object.entries(answers).map(([name, answer]) => ({ name, answer, chromium, close: true }));

const LISTED = JSON.parse(
  readFileSync(new URL("../cases/http1.json", import.meta.url), "utf8"),
) as RawAnswerCase[];

export const HTTP1_CASES: readonly RawAnswerCase[] = [
  ...LISTED,
  ...casesOf("shown", SHOWN),
  ...casesOf("refused", REFUSED),
];
/** These answers have no status line. Chromium reads such an answer (HTTP/0.9) on the ports 80 and 443 alone. */
export const WITHOUT_STATUS_LINE: readonly string[] = [
  "st-http09",
  "st-icy",
  "st-sip",
  "st-junk8-first",
];
/** Chromium shows the source of this page, because it does not know its type. */
export const SHOWN_AS_SOURCE = "ctl-content-type";
