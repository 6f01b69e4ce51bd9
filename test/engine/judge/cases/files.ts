import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import { pageHtml } from "../evidence-fixtures.ts";
import type { RuleCase } from "./rule-case.ts";

type Asset = Evidence["assets"][number];

const SCRIPT = 0;
const IMAGE = 1;

function weigh(index: number, bytes: number | string, edit: Partial<Asset> = {}, coding?: string) {
  return ({ assets }: Evidence): void => {
    const asset = assets[index];
    if (!asset) throw new Error("this evidence has no such file");
    asset.headers = asset.headers.filter(([name]) => !/^content-(?:length|encoding)$/.test(name));
    asset.headers.push(["content-length", String(bytes)]);
    if (coding) asset.headers.push(["content-encoding", coding]);
    Object.assign(asset, edit);
  };
}

const typed = (type: string): Partial<Asset> => ({
  headers: [
    ["content-type", type],
    ["content-length", "1401"],
  ],
});
const retype =
  (type: string): RuleCase[3] =>
  ({ assets }) =>
    Object.assign(assets[SCRIPT] ?? {}, typed(type));

function addImages(count: number, bytes: number): RuleCase[3] {
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

function onlyScript(evidence: Evidence): void {
  evidence.assets.splice(IMAGE);
}

const TEXTS =
  "text/css text/javascript application/javascript application/json image/svg+xml".split(" ");

export const FILE_CASES: readonly RuleCase[] = [
  ...TEXTS.map((type): RuleCase => [
    "perf.files",
    "fail",
    `1401 bytes of ${type} as they are`,
    retype(`${type}; charset=utf-8`),
  ]),
  ["perf.files", "fail", "a coding that is none", weigh(SCRIPT, 90_000, {}, "identity")],
  ["perf.files", "fail", "an image of more than 1 MB", weigh(IMAGE, 1_000_001)],
  [
    "perf.files",
    "fail",
    "an image of more than 1 MB from another host",
    weigh(IMAGE, 1_000_001, { url: "https://img.example.net/a.jpg" }),
  ],
  ["perf.files", "fail", "more than 5 MB in all", addImages(6, 900_000)],
  [
    "perf.files",
    "unknown",
    "no file says what it weighs",
    ({ assets }) => {
      for (const asset of assets) asset.headers = [];
    },
  ],
  [
    "perf.files",
    "unknown",
    "no file came",
    ({ assets }) => {
      for (const asset of assets) asset.status = null;
    },
  ],
  [
    "perf.files",
    "not_applicable",
    "no file is called",
    (e) => {
      e.assets = [];
      pageHtml(e).resources = [];
    },
  ],
  ["perf.files", "pass", "scripts that come compressed and in pieces", onlyScript],
  ["perf.files", "pass", "one packet as it is", weigh(SCRIPT, 1400)],
  ["perf.files", "pass", "1 MB of image", weigh(IMAGE, 1_000_000)],
  ["perf.files", "pass", "5 MB in all, less a little", addImages(5, 990_000)],
  ["perf.files", "pass", "gzip", weigh(SCRIPT, 90_000, {}, "gzip")],
  ["perf.files", "pass", "zstd", weigh(SCRIPT, 90_000, {}, "zstd")],
  ["perf.files", "pass", "a font", retype("font/woff2")],
  [
    "perf.files",
    "pass",
    "how another host sends its script",
    weigh(SCRIPT, 90_000, { url: "https://cdn.example.net/a.js" }),
  ],
  ["perf.files", "pass", "a length that is none", weigh(SCRIPT, "9e9")],
  ["perf.files", "pass", "a missing file", weigh(SCRIPT, 90_000, { status: 404 })],
];
