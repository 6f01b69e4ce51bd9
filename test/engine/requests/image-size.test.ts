import { expect, test } from "vitest";
import { readImage } from "../../../server/engine/requests/card-images.ts";

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string, "latin1")));
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);
const PNG = "\x89PNG\r\n\x1a\n";
/** A segment of JPEG that is passed over: its marker, its length, and what it holds. */
const segment = (marker: number, length: number): number[] => [
  0xff,
  marker,
  (length + 2) >> 8,
  (length + 2) & 255,
  ...zeros(length),
];
const frame = (marker: number): number[] => [0xff, marker, 0, 17, 8, 2, 118, 4, 176, 3, 1];

test.each<[string, Buffer, string, number | null, number | null]>([
  ["a PNG", bytes(PNG, zeros(8), [0, 0, 4, 176, 0, 0, 2, 118]), "png", 1200, 630],
  ["a PNG that ends too early", bytes(PNG, zeros(4)), "png", null, null],
  ["a PNG that lies", bytes(PNG, zeros(8), [255, 255, 255, 255, 0, 0, 0, 0]), "png", 4294967295, 0],
  ["a GIF", bytes("GIF89a", [176, 4, 118, 2]), "gif", 1200, 630],
  ["a JPEG", bytes("\xff\xd8", segment(0xe0, 14), frame(0xc0)), "jpeg", 1200, 630],
  ["a progressive one", bytes("\xff\xd8", segment(0xe1, 3000), frame(0xc2)), "jpeg", 1200, 630],
  ["one with tables first", bytes("\xff\xd8", segment(0xc4, 30), frame(0xc1)), "jpeg", 1200, 630],
  ["one with filling bytes", bytes("\xff\xd8", [0xff, 0xff], frame(0xc0)), "jpeg", 1200, 630],
  ["one with a long beginning", bytes("\xff\xd8", segment(0xe1, 60_000)), "jpeg", null, null],
  [
    "one whose segments have no length",
    bytes("\xff\xd8", [0xff, 0xe0, 0, 0, 1, 2, 3, 4, 5, 6]),
    "jpeg",
    null,
    null,
  ],
  [
    "a lossy WebP",
    bytes("RIFF", zeros(4), "WEBPVP8 ", zeros(10), [176, 4, 118, 2]),
    "webp",
    1200,
    630,
  ],
  [
    "a lossless WebP",
    bytes("RIFF", zeros(4), "WEBPVP8L", zeros(4), [47, 175, 68, 157, 0], zeros(5)),
    "webp",
    1200,
    630,
  ],
  [
    "an extended WebP",
    bytes("RIFF", zeros(4), "WEBPVP8X", zeros(8), [175, 4, 0, 117, 2, 0]),
    "webp",
    1200,
    630,
  ],
  [
    "an SVG",
    bytes('<?xml version="1.0"?>\n<!-- made by hand -->\n<svg xmlns="">'),
    "svg",
    null,
    null,
  ],
  ["an AVIF", bytes(zeros(4), "ftypavif"), "other", null, null],
])("%s", (_, image, type, width, height) => {
  expect(readImage(image)).toEqual({ type, width, height });
});

test.each([
  ["nothing", ""],
  ["a page", "<!doctype html><svg>"],
  ["text", "not found"],
  ["the name of a format", "PNG"],
])("no image: %s", (_, text) => {
  expect(readImage(Buffer.from(text))).toBeNull();
});
