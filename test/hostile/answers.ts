import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Answer } from "./hostile-site.ts";
import { answerOf, flood, head } from "./writing.ts";
import { noise } from "../harness/noise.ts";

/** What is expected: statuses of findings, and how the body was read where there is one. */
export interface Expected {
  findings: Record<string, string>;
  body?: string;
}

export interface Case {
  name: string;
  answer: Answer;
  expected: Expected;
}

const PAGE = `<!doctype html><html lang="en"><title>Hello</title><p>${"Hello there. ".repeat(20)}`;
const HTML = "content-type: text/html; charset=utf-8";
const CHUNKED = head("200 OK", HTML, "transfer-encoding: chunked");

const says =
  (bytes: string | Buffer): Answer =>
  (socket) =>
    void socket.write(bytes);
const ends =
  (bytes: string | Buffer): Answer =>
  (socket) =>
    void socket.end(bytes);

const cases = (expected: Expected, answers: Record<string, Answer>): Case[] =>
  Object.entries(answers).map(([name, answer]) => ({ name, answer, expected }));

/** No answer: whatever hangs on it is blocked, and the score is 0. */
const DOWN: Expected = { findings: { "reach.connect": "fail", "reach.status": "blocked" } };
/** An answer whose body was read like this. */
const read = (body: string): Expected => ({
  findings: { "reach.connect": "pass", "reach.status": "pass" },
  body,
});
const WHOLE: Expected = {
  findings: { "reach.connect": "pass", "reach.status": "pass", "reach.html": "pass" },
  body: "whole",
};

/** An answer that only the lenient reader reads. */
const ODD: Expected = {
  findings: { ...WHOLE.findings, "hdr.valid": "partial" },
  body: "whole",
};

const zeros = (megabytes: number) => Buffer.alloc(megabytes * 1_048_576, "<p>");
const gzipBomb = gzipSync(zeros(100));
const brotliBomb = brotliCompressSync(zeros(100), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
});
const tenGzips = Array.from({ length: 10 }).reduce<Buffer>(
  (inner) => gzipSync(inner),
  Buffer.from(PAGE),
);

const headers: Case[] = [
  ...cases(DOWN, {
    "headers without end": (s) => flood(s, "HTTP/1.1 200 OK\r\n", "x: y\r\n".repeat(1000)),
    "a header without end": (s) => flood(s, "HTTP/1.1 200 OK\r\nx: ", "y".repeat(10_000)),
    "a header's name without end": (s) => flood(s, "HTTP/1.1 200 OK\r\n", "y".repeat(10_000)),
    "a status line without end": (s) => flood(s, "HTTP/1.1 200 ", "y".repeat(10_000)),
    "a header of 1 MB": says(head("200 OK", `x: ${"y".repeat(1_048_576)}`) + PAGE),
    "100,000 headers": says(
      head("200 OK", ...Array.from({ length: 100_000 }, (_, i) => `x${i}: y`)),
    ),
    "a million cookies": (s) =>
      flood(s, "HTTP/1.1 200 OK\r\n", "set-cookie: a=b; secure\r\n".repeat(1000)),
  }),
  ...cases(WHOLE, {
    "headers just short of 256 KB": says(
      answerOf(PAGE, ...Array.from({ length: 1300 }, () => `x-robots-tag: ${'"\\'.repeat(90)}`)),
    ),
    "65,000 empty headers": says(answerOf(PAGE, ...Array.from({ length: 50_000 }, () => "x:"))),
    "cookies as many as fit": says(
      answerOf(PAGE, ...Array.from({ length: 3000 }, (_, i) => `set-cookie: c${i}=v`)),
    ),
  }),
];

const bodies: Case[] = [
  ...cases(read("over_limit"), {
    "a body without end": (s) =>
      flood(s, head("200 OK", HTML, "connection: close"), "<p>".repeat(10_000)),
    "chunks without end": (s) => flood(s, CHUNKED, "1000\r\n" + "a".repeat(4096) + "\r\n"),
    "a gzip bomb": says(answerOf(gzipBomb, "content-encoding: gzip")),
    "a brotli bomb": says(answerOf(brotliBomb, "content-encoding: br")),
  }),
  ...cases(read("whole"), {
    "empty gzip members without end": (s) =>
      flood(
        s,
        head("200 OK", HTML, "content-encoding: gzip", "connection: close"),
        Buffer.concat(Array<Buffer>(500).fill(gzipSync(""))),
      ),
    "gzip of gzip, announced as one": says(
      answerOf(gzipSync(gzipSync(PAGE)), "content-encoding: gzip"),
    ),
  }),
  ...cases(WHOLE, {
    "gzip then br": says(
      answerOf(brotliCompressSync(gzipSync(PAGE)), "content-encoding: gzip, br"),
    ),
    "ten gzips": says(answerOf(tenGzips, `content-encoding: ${Array(10).fill("gzip").join(", ")}`)),
    "ten gzips in headers of their own": says(
      answerOf(tenGzips, ...Array(10).fill("content-encoding: gzip")),
    ),
  }),
  ...cases(WHOLE, {
    "a gzip, then noise": says(
      answerOf(Buffer.concat([gzipSync(PAGE), noise(500)]), "content-encoding: gzip"),
    ),
  }),
  ...cases(read("undecodable"), {
    "noise as gzip": says(answerOf(noise(5000), "content-encoding: gzip")),
    "eleven gzips": says(
      answerOf(gzipSync(tenGzips), `content-encoding: ${Array(11).fill("gzip").join(", ")}`),
    ),
  }),
  ...cases(read("cut_short"), {
    "a Content-Length that is too long": ends(head("200 OK", HTML, "content-length: 99999") + PAGE),
    "an extension of a chunk without end": (s) => flood(s, CHUNKED + "5;", "x".repeat(10_000)),
    "trailers without end": (s) =>
      flood(s, CHUNKED + "5\r\nhello\r\n0\r\n", "x: y\r\n".repeat(1000)),
  }),
  ...cases(WHOLE, {
    "a Content-Length that is too short": says(head("200 OK", HTML, "content-length: 60") + PAGE),
  }),
  ...cases(DOWN, {
    "chunks of a size that is none": says(CHUNKED + "zz\r\nhello\r\n0\r\n\r\n"),
    "a chunk of a negative size": says(CHUNKED + "-5\r\nhello\r\n0\r\n\r\n"),
    "a chunk of 2 to the 80 bytes": says(CHUNKED + "fffffffffffffffffffff\r\nhello\r\n0\r\n\r\n"),
    "a chunk longer than its size": says(CHUNKED + "2\r\nhello\r\n0\r\n\r\n"),
    "two Content-Lengths": says(
      head("200 OK", HTML, "content-length: 5", "content-length: 6") + PAGE,
    ),
  }),
  ...cases(ODD, {
    "a negative Content-Length": ends(head("200 OK", HTML, "content-length: -5") + PAGE),
    "a Content-Length of 30 digits": ends(
      head("200 OK", HTML, `content-length: ${"9".repeat(30)}`) + PAGE,
    ),
    "a Content-Length with chunks": says(
      head("200 OK", HTML, "content-length: 5", "transfer-encoding: chunked") +
        `${PAGE.length.toString(16)}\r\n${PAGE}\r\n0\r\n\r\n`,
    ),
  }),
];

/** Bytes that only the second, lenient try reads. */
const lenient: Case[] = [
  ...cases(ODD, {
    "headers folded over lines": says(answerOf(PAGE, "server: a\r\n b")),
    "a header folded 60,000 times": says(answerOf(PAGE, `x: a${"\r\n b".repeat(50_000)}`)),
    "100,000 lines without a colon": says(answerOf(PAGE, "a\n".repeat(100_000))),
    "a header of 200 KB of spaces": says(answerOf(PAGE, `x y: a${" ".repeat(200_000)}b`)),
    "200 KB of unpaired quotes": says(
      answerOf(PAGE, "x y: a", `content-disposition: inline;${'"\\'.repeat(100_000)}`),
    ),
    "bare line feeds": says(`HTTP/1.1 200 OK\n${HTML}\ncontent-length: ${PAGE.length}\n\n${PAGE}`),
    "headers and body, byte by byte": (s) => {
      for (const byte of answerOf(PAGE, "x y: a", "z: b")) s.write(Buffer.of(byte));
    },
    "chunks of a byte": says(
      head("200 OK", HTML, "x y: a", "transfer-encoding: chunked") +
        `${Array.from(PAGE, (byte) => `1\n${byte}\n`).join("")}0\n\n`,
    ),
  }),
  ...cases(
    { ...read("over_limit") },
    {
      "a body without end, after an odd header": (s) =>
        flood(s, head("200 OK", HTML, "x y: a"), "<p>".repeat(10_000)),
      "odd chunks without end": (s) =>
        flood(
          s,
          head("200 OK", HTML, "x y: a", "transfer-encoding: chunked"),
          `1000\n${"a".repeat(4096)}\n`,
        ),
      "a gzip bomb, after an odd header": says(
        answerOf(gzipBomb, "x y: a", "content-encoding: gzip"),
      ),
    },
  ),
  ...cases(DOWN, {
    "odd headers without end": (s) => flood(s, "HTTP/1.1 200 OK\n", "x y\n".repeat(1000)),
    "odd interim answers without end": (s) =>
      flood(s, "", "HTTP/1.1 103 Early Hints\nx y: a\n\n".repeat(100)),
    "an odd chunk line without end": (s) =>
      flood(s, head("200 OK", HTML, "x y: a", "transfer-encoding: chunked"), "0".repeat(10_000)),
    "carriage returns alone": (s) => flood(s, "HTTP/1.1 200 OK\r", "x: y\r".repeat(1000)),
    "null bytes in the headers": says(head("200 OK", "server: a\0b") + PAGE),
    "a null byte in the reason": says(head("200 O\0K", HTML) + PAGE),
    "two Locations": says(head("200 OK", HTML, "location: /a", "location: /b") + PAGE),
  }),
  ...cases(read("cut_short"), {
    "odd trailers without end": (s) =>
      flood(
        s,
        head("200 OK", HTML, "x y: a", "transfer-encoding: chunked") + "5\nhello\n0\n",
        "x: y\n".repeat(1000),
      ),
  }),
];

const protocols: Case[] = [
  ...cases(DOWN, {
    "Early Hints without end": (s) =>
      flood(s, "", head("103 Early Hints", "link: </a.css>; rel=preload").repeat(100)),
    "100 Continue without end": (s) => flood(s, "", head("100 Continue").repeat(100)),
    "a change of protocol": says(
      head("101 Switching Protocols", "upgrade: websocket", "connection: upgrade"),
    ),
    "HTTP/0.9": ends(PAGE),
    "HTTP/2 in place of 1.1": says(Buffer.from("000012040000000000", "hex")),
    noise: ends(noise(4096)),
    "noise without end": (s) => flood(s, "", noise(4096)),
  }),
  ...cases(ODD, {
    "HTTP/9.9": ends(`HTTP/9.9 200 OK\r\n${HTML}\r\n\r\n${PAGE}`),
  }),
  ...cases(WHOLE, {
    "a 100 Continue that nobody asked for": says(
      Buffer.concat([Buffer.from(head("100 Continue")), answerOf(PAGE)]),
    ),
    "a dozen hints of each kind, byte by byte": (s) => {
      const bytes = Buffer.concat([
        Buffer.from(
          (
            head("100 Continue") +
            head("102 Processing") +
            head("103 Early Hints", "link: </a.css>")
          ).repeat(12),
        ),
        answerOf(PAGE),
      ]);
      for (const byte of bytes) s.write(Buffer.of(byte));
    },
    "HTTP/1.0": ends(`HTTP/1.0 200 OK\r\n${HTML}\r\n\r\n${PAGE}`),
    "a second answer that nobody asked for": says(
      Buffer.concat([answerOf(PAGE), answerOf("<p>other")]),
    ),
  }),
  ...cases(
    { findings: { "reach.status": "unknown" }, body: "whole" },
    { "status 999": says(head("999 Go Away", "content-length: 0")) },
  ),
  ...cases(
    { findings: { "reach.status": "fail" }, body: "whole" },
    {
      "a status of four digits": ends(head("2000 OK", HTML) + PAGE),
    },
  ),
];

export const ANSWERS: Case[] = [...headers, ...bodies, ...lenient, ...protocols];
