import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import type { Resource } from "../../../../server/engine/evidence/html.ts";
import { fileFacts, pageHtml } from "../evidence-fixtures.ts";
import { all, asset, html } from "./page-edits.ts";
import { cases, each, type Edit } from "./rule-case.ts";

type Asset = Evidence["assets"][number];

const SCRIPT = 0;
const IMAGE = 1;

function weigh(index: number, bytes: number | string, edit: Partial<Asset> = {}, coding?: string) {
  return ({ assets }: Evidence): void => {
    const file = assets[index];
    if (!file) throw new Error("this evidence has no such file");
    file.headers = file.headers.filter(([name]) => !/^content-(?:length|encoding)$/.test(name));
    file.headers.push(["content-length", String(bytes)]);
    if (coding) file.headers.push(["content-encoding", coding]);
    Object.assign(file, edit);
  };
}

const retype = (type: string) =>
  asset(SCRIPT, {
    headers: [
      ["content-type", type],
      ["content-length", "1401"],
    ],
  });

const heavy = (bytes: number, edit: Partial<Asset> = {}) => weigh(SCRIPT, bytes, edit, "gzip");
/** A script that came in pieces, with what was read of it. */
const inPieces = (wireBytes: number, coding = "br"): Edit =>
  asset(SCRIPT, {
    headers: [
      ["content-type", "text/javascript"],
      ["content-encoding", coding],
    ],
    file: fileFacts({ isWhole: false, wireBytes }),
  });

function addImages(count: number, bytes: number): Edit {
  return ({ assets }) => {
    const image = assets[IMAGE];
    if (!image) throw new Error("this evidence has no image");
    for (let index = 0; index < count; index++)
      assets.push({
        ...image,
        url: `https://img.example.net/${index}.avif`,
        headers: [
          ["content-type", "image/avif"],
          ["content-length", String(bytes)],
        ],
      });
  };
}

const preloadFont =
  (edit: Partial<Resource>): Edit =>
  (e) => {
    const [first] = pageHtml(e).resources;
    const font = { tag: "link", kind: "font" as const, url: "https://www.example.com/a.woff2" };
    if (first) pageHtml(e).resources.push({ ...first, ...font, crossorigin: null, ...edit });
  };

const TEXTS =
  "text/css text/javascript application/javascript application/json image/svg+xml".split(" ");

export const FILE_CASES = cases({
  "perf.files": {
    fail: {
      ...each(TEXTS, (type) => [
        `1401 bytes of ${type} as they are`,
        retype(`${type}; charset=utf-8`),
      ]),
      "a coding that is none": weigh(SCRIPT, 90_000, {}, "identity"),
      "a font that is preloaded without crossorigin": preloadFont({}),
      "another host's": preloadFont({ url: "https://fonts.gstatic.com/a.woff2" }),
      "an image of more than 1 MB": weigh(IMAGE, 1_000_001),
      "an image of more than 1 MB from another host": weigh(IMAGE, 1_000_001, {
        url: "https://img.example.net/a.jpg",
      }),
      "more than 5 MB in all": addImages(6, 900_000),
      "an own script of more than 500 kB": heavy(500_001),
      "one of another host of the site": heavy(500_001, { url: "https://static.example.com/a.js" }),
      "one in pieces": inPieces(500_001),
      "a script in pieces as it is": inPieces(1401, "identity"),
    },
    unknown: {
      "no file says what it weighs": ({ assets }) => {
        for (const file of assets) Object.assign(file, { headers: [], file: null });
      },
      "no file came": ({ assets }) => {
        for (const file of assets) file.status = null;
      },
    },
    not_applicable: { "no file is called": all((e) => (e.assets = []), html({ resources: [] })) },
    pass: {
      "scripts that come compressed and in pieces": ({ assets }) => assets.splice(IMAGE),
      "one packet as it is": weigh(SCRIPT, 1400),
      "500 kB of script": heavy(500_000),
      "a third party's script of more": heavy(900_000, { url: "https://maps.example.net/a.js" }),
      "a large script in pieces, of which 160 kB were read": inPieces(160_000),
      "a style sheet of more": heavy(600_000, { kind: "style", tag: "link" }),
      "1 MB of image": weigh(IMAGE, 1_000_000),
      "5 MB in all, less a little": addImages(5, 990_000),
      gzip: weigh(SCRIPT, 90_000, {}, "gzip"),
      zstd: weigh(SCRIPT, 90_000, {}, "zstd"),
      "a font": retype("font/woff2"),
      "a font that is preloaded with crossorigin": preloadFont({ crossorigin: "anonymous" }),
      "a font of a style sheet": preloadFont({ tag: "style" }),
      "a preloaded image": preloadFont({ kind: "image" }),
      "how another host sends its script": weigh(SCRIPT, 90_000, {
        url: "https://cdn.example.net/a.js",
      }),
      "a length that is none": weigh(SCRIPT, "9e9"),
      "a missing file": weigh(SCRIPT, 90_000, { status: 404 }),
    },
  },
});
