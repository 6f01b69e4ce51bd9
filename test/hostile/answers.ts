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
  {
    name: "headers without end",
    answer: (s) => flood(s, "HTTP/1.1 200 OK\r\n", "x: y\r\n".repeat(1000)),
    expected: DOWN,
  },
  {
    name: "a header without end",
    answer: (s) => flood(s, "HTTP/1.1 200 OK\r\nx: ", "y".repeat(10_000)),
    expected: DOWN,
  },
  {
    name: "a header's name without end",
    answer: (s) => flood(s, "HTTP/1.1 200 OK\r\n", "y".repeat(10_000)),
    expected: DOWN,
  },
  {
    name: "a status line without end",
    answer: (s) => flood(s, "HTTP/1.1 200 ", "y".repeat(10_000)),
    expected: DOWN,
  },
  {
    name: "a header of 1 MB",
    answer: says(head("200 OK", `x: ${"y".repeat(1_048_576)}`) + PAGE),
    expected: DOWN,
  },
  {
    name: "100,000 headers",
    answer: says(head("200 OK", ...Array.from({ length: 100_000 }, (_, i) => `x${i}: y`))),
    expected: DOWN,
  },
  {
    name: "headers just short of 64 KB",
    answer: says(
      answerOf(PAGE, ...Array.from({ length: 300 }, () => `x-robots-tag: ${'"\\'.repeat(90)}`)),
    ),
    expected: WHOLE,
  },
  {
    name: "cookies as many as fit",
    answer: says(answerOf(PAGE, ...Array.from({ length: 3000 }, (_, i) => `set-cookie: c${i}=v`))),
    expected: WHOLE,
  },
  {
    name: "a million cookies",
    answer: (s) => flood(s, "HTTP/1.1 200 OK\r\n", "set-cookie: a=b; secure\r\n".repeat(1000)),
    expected: DOWN,
  },
];

const bodies: Case[] = [
  {
    name: "a body without end",
    answer: (s) => flood(s, head("200 OK", HTML, "connection: close"), "<p>".repeat(10_000)),
    expected: read("over_limit"),
  },
  {
    name: "chunks without end",
    answer: (s) => flood(s, CHUNKED, "1000\r\n" + "a".repeat(4096) + "\r\n"),
    expected: read("over_limit"),
  },
  {
    name: "a gzip bomb",
    answer: says(answerOf(gzipBomb, "content-encoding: gzip")),
    expected: read("over_limit"),
  },
  {
    name: "a brotli bomb",
    answer: says(answerOf(brotliBomb, "content-encoding: br")),
    expected: read("over_limit"),
  },
  {
    name: "gzip of gzip, announced as one",
    answer: says(answerOf(gzipSync(gzipSync(PAGE)), "content-encoding: gzip")),
    expected: read("whole"),
  },
  {
    name: "gzip then br",
    answer: says(answerOf(brotliCompressSync(gzipSync(PAGE)), "content-encoding: gzip, br")),
    expected: read("unsupported"),
  },
  {
    name: "ten gzips",
    answer: says(answerOf(tenGzips, `content-encoding: ${Array(10).fill("gzip").join(", ")}`)),
    expected: read("unsupported"),
  },
  {
    name: "ten gzips in headers of their own",
    answer: says(answerOf(tenGzips, ...Array(10).fill("content-encoding: gzip"))),
    expected: read("unsupported"),
  },
  {
    name: "noise as gzip",
    answer: says(answerOf(noise(5000), "content-encoding: gzip")),
    expected: read("undecodable"),
  },
  {
    name: "a gzip, then noise",
    answer: says(answerOf(Buffer.concat([gzipSync(PAGE), noise(500)]), "content-encoding: gzip")),
    expected: read("undecodable"),
  },
  {
    name: "empty gzip members without end",
    answer: (s) =>
      flood(
        s,
        head("200 OK", HTML, "content-encoding: gzip", "connection: close"),
        Buffer.concat(Array<Buffer>(500).fill(gzipSync(""))),
      ),
    expected: read("over_limit"),
  },
  {
    name: "a Content-Length that is too long",
    answer: ends(head("200 OK", HTML, "content-length: 99999") + PAGE),
    expected: read("cut_short"),
  },
  {
    name: "a Content-Length that is too short",
    answer: says(head("200 OK", HTML, "content-length: 60") + PAGE),
    expected: WHOLE,
  },
  {
    name: "a negative Content-Length",
    answer: says(head("200 OK", HTML, "content-length: -5") + PAGE),
    expected: DOWN,
  },
  {
    name: "a Content-Length of 30 digits",
    answer: says(head("200 OK", HTML, `content-length: ${"9".repeat(30)}`) + PAGE),
    expected: DOWN,
  },
  {
    name: "two Content-Lengths",
    answer: says(head("200 OK", HTML, "content-length: 5", "content-length: 6") + PAGE),
    expected: DOWN,
  },
  {
    name: "a Content-Length with chunks",
    answer: says(
      head("200 OK", HTML, "content-length: 5", "transfer-encoding: chunked") +
        "5\r\nhello\r\n0\r\n\r\n",
    ),
    expected: DOWN,
  },
  {
    name: "chunks of a size that is none",
    answer: says(CHUNKED + "zz\r\nhello\r\n0\r\n\r\n"),
    expected: read("cut_short"),
  },
  {
    name: "a chunk of a negative size",
    answer: says(CHUNKED + "-5\r\nhello\r\n0\r\n\r\n"),
    expected: read("cut_short"),
  },
  {
    name: "a chunk of 2 to the 80 bytes",
    answer: says(CHUNKED + "fffffffffffffffffffff\r\nhello\r\n0\r\n\r\n"),
    expected: read("cut_short"),
  },
  {
    name: "a chunk longer than its size",
    answer: says(CHUNKED + "2\r\nhello\r\n0\r\n\r\n"),
    expected: read("cut_short"),
  },
  {
    name: "an extension of a chunk without end",
    answer: (s) => flood(s, CHUNKED + "5;", "x".repeat(10_000)),
    expected: read("cut_short"),
  },
  {
    name: "trailers without end",
    answer: (s) => flood(s, CHUNKED + "5\r\nhello\r\n0\r\n", "x: y\r\n".repeat(1000)),
    expected: read("cut_short"),
  },
];

const protocols: Case[] = [
  {
    name: "Early Hints without end",
    answer: (s) => flood(s, "", head("103 Early Hints", "link: </a.css>; rel=preload").repeat(100)),
    expected: DOWN,
  },
  {
    name: "100 Continue without end",
    answer: (s) => flood(s, "", head("100 Continue").repeat(100)),
    expected: DOWN,
  },
  {
    name: "a 100 Continue that nobody asked for",
    answer: says(Buffer.concat([Buffer.from(head("100 Continue")), answerOf(PAGE)])),
    expected: WHOLE,
  },
  {
    name: "a dozen hints of each kind, byte by byte",
    answer: (s) => {
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
    expected: WHOLE,
  },
  {
    name: "a change of protocol",
    answer: says(head("101 Switching Protocols", "upgrade: websocket", "connection: upgrade")),
    expected: DOWN,
  },
  { name: "HTTP/0.9", answer: ends(PAGE), expected: DOWN },
  { name: "HTTP/1.0", answer: ends(`HTTP/1.0 200 OK\r\n${HTML}\r\n\r\n${PAGE}`), expected: WHOLE },
  {
    name: "HTTP/2 in place of 1.1",
    answer: says(Buffer.from("000012040000000000", "hex")),
    expected: DOWN,
  },
  { name: "HTTP/9.9", answer: says(`HTTP/9.9 200 OK\r\n${HTML}\r\n\r\n`), expected: DOWN },
  { name: "noise", answer: ends(noise(4096)), expected: DOWN },
  { name: "noise without end", answer: (s) => flood(s, "", noise(4096)), expected: DOWN },
  {
    name: "null bytes in the headers",
    answer: says(head("200 OK", "server: a\0b") + PAGE),
    expected: DOWN,
  },
  {
    name: "headers folded over lines",
    answer: says(answerOf(PAGE, "server: a\r\n b")),
    expected: DOWN,
  },
  {
    name: "bare line feeds",
    answer: says(`HTTP/1.1 200 OK\n${HTML}\ncontent-length: 5\n\nhello`),
    expected: DOWN,
  },
  { name: "a status of four digits", answer: says("HTTP/1.1 2000 OK\r\n\r\n"), expected: DOWN },
  {
    name: "status 999",
    answer: says(head("999 Go Away", "content-length: 0")),
    expected: { findings: { "reach.status": "fail" }, body: "whole" },
  },
  {
    name: "a second answer that nobody asked for",
    answer: says(Buffer.concat([answerOf(PAGE), answerOf("<p>other")])),
    expected: WHOLE,
  },
];

export const ANSWERS: Case[] = [...headers, ...bodies, ...protocols];
