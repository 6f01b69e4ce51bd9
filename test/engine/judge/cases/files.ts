import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
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
      "an image of more than 1 MB": weigh(IMAGE, 1_000_001),
      "an image of more than 1 MB from another host": weigh(IMAGE, 1_000_001, {
        url: "https://img.example.net/a.jpg",
      }),
      "more than 5 MB in all": addImages(6, 900_000),
    },
    unknown: {
      "no file says what it weighs": ({ assets }) => {
        for (const file of assets) file.headers = [];
      },
      "no file came": ({ assets }) => {
        for (const file of assets) file.status = null;
      },
    },
    not_applicable: { "no file is called": all((e) => (e.assets = []), html({ resources: [] })) },
    pass: {
      "scripts that come compressed and in pieces": ({ assets }) => assets.splice(IMAGE),
      "one packet as it is": weigh(SCRIPT, 1400),
      "1 MB of image": weigh(IMAGE, 1_000_000),
      "5 MB in all, less a little": addImages(5, 990_000),
      gzip: weigh(SCRIPT, 90_000, {}, "gzip"),
      zstd: weigh(SCRIPT, 90_000, {}, "zstd"),
      "a font": retype("font/woff2"),
      "how another host sends its script": weigh(SCRIPT, 90_000, {
        url: "https://cdn.example.net/a.js",
      }),
      "a length that is none": weigh(SCRIPT, "9e9"),
      "a missing file": weigh(SCRIPT, 90_000, { status: 404 }),
    },
  },
});
