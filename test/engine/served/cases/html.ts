import type { SiteEdit } from "../good-site.ts";
import { all, type ServedCase } from "../served-case.ts";

const words = (old: string, put: string): SiteEdit => ({ words: { [old]: put } });
const VIEWPORT = "width=device-width, initial-scale=1";
const IMAGE = '<img src="/tin.png" alt="A tin of green tea">';
const SENTENCE = "We buy from eleven gardens, and pack each order in the week it is placed.";

export const HTML_CASES: readonly ServedCase[] = [
  ["no doctype", words("<!doctype html>", ""), { "html.doctype": "fail" }],
  [
    "no character set",
    {
      page: { headers: { "content-type": "text/html" } },
      words: { '<meta charset="utf-8">': "" },
    },
    { "html.charset": "fail" },
  ],
  ["no language", words(' lang="en"', ""), { "html.lang": "fail" }],
  ["no title", words("<title>Tea, by the leaf</title>", ""), { "html.title": "fail" }],
  [
    "two titles",
    words("<title>", "<title>Tea</title><title>"),
    { "html.title": "partial several" },
  ],
  [
    "a template's title",
    words("<title>Tea, by the leaf", "<title>Vite App"),
    { "html.title": "fail" },
  ],
  ["no description", words('name="description"', 'name="summary"'), { "html.description": "fail" }],
  ["no viewport", words('name="viewport"', 'name="view"'), { "html.viewport": "fail" }],
  [
    "a viewport without zoom",
    words(VIEWPORT, `${VIEWPORT}, user-scalable=no`),
    { "html.viewport": "partial no_zoom" },
  ],
  [
    "text for scripts alone",
    {
      words: {
        "<h1>Tea, by the leaf</h1>": '<div id="root"></div>',
        [SENTENCE]: `<!-- ${"template ".repeat(20)} -->`,
      },
    },
    { "html.content": "fail" },
  ],
  ["an image without text", words(IMAGE, '<img src="/tin.png">'), { "html.img-alt": "fail" }],
  [
    "one image in ten without text",
    words(IMAGE, `${IMAGE.repeat(9)}<img src="/tin.png">`),
    { "html.img-alt": "partial few" },
  ],
  ["no image", words(IMAGE, ""), { "html.img-alt": "not_applicable" }],
  [
    "a page too long to be read whole, but for its head",
    words(SENTENCE, "tea ".repeat(40_000)),
    {
      ...all("unknown", "html.img-alt", "asset.mixed", "asset.leftover", "link."),
      ...all("unknown", "asset.third-party", "html.placeholder", "html.secrets"),
      "perf.weight": "fail",
    },
  ],
  [
    "a head too long to be read whole",
    words("<title>", `<style>${"p{margin:0}".repeat(160_000)}</style><title>`),
    {
      ...all("unknown", "html.title", "html.description", "html.viewport", "html.content"),
      ...all("unknown", "html.img-alt", "html.placeholder", "html.secrets"),
      ...all("unknown", "seo.", "asset.", "link.", "perf.files"),
      "seo.robots": "pass",
      "perf.weight": "fail",
      ...all("unknown", "html.placeholder", "html.secrets", "perf.files"),
      "perf.cache-assets": "not_applicable",
    },
  ],
];
