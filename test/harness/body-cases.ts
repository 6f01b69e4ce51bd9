import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { Routes } from "./site.ts";
import type { BodyOddity } from "../../server/engine/evidence/evidence.ts";

/** What Chromium shows: all of the page, its first part, or none of its text. */
export type Shown = "whole" | "part" | "nothing";

/** The exact bytes of an answer, and how the connection ends after them. */
export interface BodyCase {
  readonly bytes: Buffer;
  readonly end: "close" | "destroy";
  readonly shown: Shown;
  readonly oddities: readonly BodyOddity[];
}

const WORDS = Array.from({ length: 6000 }, (_, index) => (index * 7919 + 12_345).toString(36));
const HALF = WORDS.length / 2;
const TITLE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Tea</title><body>';
const FIRST = `${TITLE}<p>START ${WORDS.slice(0, HALF).join(" ")}`;
const REST = ` ${WORDS.slice(HALF).join(" ")} END</p>`;
export const BODY_PAGE = `${FIRST}${REST}</body></html>`;

const zipped = gzipSync(BODY_PAGE);
const TRAILER_BYTES = 8;

/** Changes one bit of a byte, counted from the end. */
function flip(bytes: Buffer, fromEnd: number): Buffer {
  const changed = Buffer.from(bytes);
  const at = changed.length - fromEnd;
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

const half = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);
const times = (count: number): Buffer =>
  Array.from({ length: count }).reduce<Buffer>((bytes) => gzipSync(bytes), Buffer.from(BODY_PAGE));
const join = (...parts: readonly (Buffer | string)[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));

function gzipWith(flags: number, head: string): Buffer {
  const start = Buffer.from([0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3]);
  const trailer = zipped.subarray(-TRAILER_BYTES);
  return join(start, Buffer.from(head, "latin1"), deflateRawSync(BODY_PAGE), trailer);
}

interface Written {
  coding?: string | undefined;
  /** Bytes that Content-Length announces beyond those that come. Null: there is no Content-Length. */
  missing?: number | null;
}

function answer(body: Buffer | string, { coding, missing = 0 }: Written): Buffer {
  const length = Buffer.byteLength(body);
  return join(
    "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n",
    coding === undefined ? "" : `Content-Encoding: ${coding}\r\n`,
    missing === null ? "" : `Content-Length: ${length + missing}\r\n`,
    "\r\n",
    body,
  );
}

function chunked(body: string, last: string): Buffer {
  return join(
    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n",
    `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n${last}`,
  );
}

const send = (
  bytes: Buffer,
  shown: Shown,
  oddities: readonly BodyOddity[] = [],
  end: BodyCase["end"] = "close",
): BodyCase => ({ bytes, end, shown, oddities });

const coded = (
  coding: string,
  body: Buffer | string,
  shown: Shown = "whole",
  ...oddities: readonly BodyOddity[]
): BodyCase => send(answer(body, { coding }), shown, oddities);

const inMembers = join(gzipSync(FIRST), gzipSync(`${REST}</body></html>`));

export const CODING_CASES: Readonly<Record<string, BodyCase>> = {
  "no coding": send(answer(BODY_PAGE, {}), "whole"),
  gzip: coded("gzip", zipped),
  "x-gzip": coded("X-GZIP", zipped),
  "deflate as zlib": coded("deflate", deflateSync(BODY_PAGE)),
  "raw deflate": coded("deflate", deflateRawSync(BODY_PAGE)),
  br: coded("br", brotliCompressSync(BODY_PAGE)),
  "gzip twice": coded("gzip, gzip", times(2)),
  "gzip in two headers": coded("gzip\r\nContent-Encoding: gzip", times(2)),
  "gzip, then br": coded("gzip, br", brotliCompressSync(zipped)),
  "br, then gzip": coded("br, gzip", gzipSync(brotliCompressSync(BODY_PAGE))),
  "ten codings": coded(Array(10).fill("gzip").join(","), times(10)),
  "eleven codings": coded(Array(11).fill("gzip").join(","), times(11), "nothing"),
  "a name and a comment in the head": coded("gzip", gzipWith(0x1c, "\x02\0abname\0comment\0")),
  "a wrong checksum of the head": coded("gzip", gzipWith(2, "\x09\x09")),
  "words that are no coding": coded("utf-8, none", BODY_PAGE),
  "an empty value": coded("", BODY_PAGE),
  identity: coded("identity", BODY_PAGE),
  "a registered coding that no browser decodes": coded("compress", BODY_PAGE),
  "gzip with a word that is no coding": coded("gzip, utf-8", zipped, "nothing"),
  "gzip with an empty word": coded("gzip,", zipped, "nothing"),
  "identity and gzip": coded("identity, gzip", zipped, "nothing"),
  "a word that is no token": coded("utf 8", BODY_PAGE, "nothing"),
  "a parameter": coded("gzip;q=1", zipped, "nothing"),
  "gzip without a coding": send(answer(zipped, {}), "nothing"),
  "gzip once, stated twice": coded("gzip, gzip", zipped, "nothing"),
  "gzip twice, stated once": coded("gzip", times(2), "nothing"),
  "text stated as gzip": coded("gzip", BODY_PAGE, "nothing"),
  "text stated as deflate": coded("deflate", BODY_PAGE, "nothing"),
  "text stated as br": coded("br", BODY_PAGE, "nothing"),
  "a line break before gzip": coded("gzip", join("\n", zipped), "nothing"),
  "a line break after gzip": coded("gzip", join(zipped, "\n"), "whole", "bytes_after"),
  "zeros after gzip": coded("gzip", join(zipped, "\0".repeat(999)), "whole", "bytes_after"),
  "a second page after gzip": coded("gzip", join(zipped, zipped), "whole", "members"),
  "an empty member after gzip": coded("gzip", join(zipped, gzipSync("")), "whole", "bytes_after"),
  "gzip without its trailer": coded("gzip", zipped.subarray(0, -8), "whole", "trailer"),
  "gzip with half its trailer": coded("gzip", zipped.subarray(0, -4), "whole", "trailer"),
  "gzip with a wrong checksum": coded("gzip", flip(zipped, 6), "whole", "trailer"),
  "gzip with a wrong length": coded("gzip", flip(zipped, 2), "whole", "trailer"),
  "a page cut into two members of gzip": coded("gzip", inMembers, "part", "members"),
  "zlib without its checksum": coded(
    "deflate",
    deflateSync(BODY_PAGE).subarray(0, -4),
    "whole",
    "trailer",
  ),
  "zlib with a wrong checksum": coded("deflate", flip(deflateSync("Tea START END"), 1), "nothing"),
  "bytes after zlib": coded("deflate", join(deflateSync(BODY_PAGE), "x"), "whole", "bytes_after"),
  "three bytes after raw deflate": coded(
    "deflate",
    join(deflateRawSync(BODY_PAGE), "xxx"),
    "whole",
    "bytes_after",
  ),
  "four bytes after raw deflate": coded(
    "deflate",
    join(deflateRawSync("START END</body>"), "xxxx"),
    "nothing",
  ),
  "bytes after br": coded("br", join(brotliCompressSync(BODY_PAGE), "x"), "whole", "bytes_after"),
  "half of gzip": coded("gzip", half(zipped), "part"),
  "half of raw deflate": coded("deflate", half(deflateRawSync(BODY_PAGE)), "part"),
  "half of br": coded("br", half(brotliCompressSync(BODY_PAGE)), "part"),
};

const breaks = (body: string, shown: Shown, end: BodyCase["end"]): BodyCase =>
  send(answer(body, { missing: 500 }), shown, shown === "whole" ? ["break"] : [], end);

export const BREAK_CASES: Readonly<Record<string, BodyCase>> = {
  "half, then closed": breaks(FIRST, "part", "close"),
  "half, then destroyed": breaks(FIRST, "part", "destroy"),
  "to </body>, then closed": breaks(BODY_PAGE.slice(0, -"</html>".length), "whole", "close"),
  "to </html>, then destroyed": breaks(BODY_PAGE, "whole", "destroy"),
  "half, without a last chunk": send(chunked(FIRST, ""), "part"),
  "to </html>, without a last chunk": send(chunked(BODY_PAGE, ""), "whole", ["break"]),
  "to </html>, with a last chunk": send(chunked(BODY_PAGE, "0\r\n\r\n"), "whole"),
  "to </html> without a length, then destroyed": send(
    answer(BODY_PAGE, { missing: null }),
    "whole",
    [],
    "destroy",
  ),
  "to </html> without a length, then closed": send(answer(BODY_PAGE, { missing: null }), "whole"),
  "gzip with the length of the text": send(
    answer(zipped, { coding: "gzip", missing: BODY_PAGE.length - zipped.length }),
    "whole",
  ),
  "gzip, then closed before its length": send(
    answer(zipped, { coding: "gzip", missing: 500 }),
    "whole",
    ["break"],
  ),
  "half of gzip, then destroyed": send(
    answer(half(zipped), { coding: "gzip", missing: 500 }),
    "part",
    [],
    "destroy",
  ),
};

/** Serves each case below its name. */
export const routesOf = (cases: Readonly<Record<string, BodyCase>>): Routes =>
  Object.fromEntries(
    Object.entries(cases).map(([name, { bytes, end }]) => [
      pathOf(name),
      ({ socket }) => {
        if (end === "close") socket.end(bytes);
        else socket.write(bytes, () => socket.destroy());
      },
    ]),
  );

export const pathOf = (name: string): string => `/${name.replaceAll(/[^a-z0-9]+/gi, "-")}`;
