import { type ServedCase, words, all, charged } from "../served-case.ts";
import { SENTENCE } from "../good-site.ts";

const VIEWPORT = "width=device-width, initial-scale=1";
const IMAGE = '<img src="/tin.png" alt="A tin of green tea">';

export const HTML_CASES: readonly ServedCase[] = [
  ...charged({
    "html.doctype": { fail: { "no doctype": words("<!doctype html>", "") } },
    "html.charset": {
      fail: {
        "no character set": {
          page: { headers: { "content-type": "text/html" } },
          words: { '<meta charset="utf-8">': "" },
        },
      },
    },
    "html.lang": { fail: { "no language": words(' lang="en"', "") } },
    "html.title": {
      fail: {
        "no title": words("<title>Tea, by the leaf</title>", ""),
        "a template's title": words("<title>Tea, by the leaf", "<title>Vite App"),
      },
      "partial several": { "two titles": words("<title>", "<title>Tea</title><title>") },
    },
    "html.description": {
      fail: { "no description": words('name="description"', 'name="summary"') },
    },
    "html.viewport": {
      fail: { "no viewport": words('name="viewport"', 'name="view"') },
      "partial no_zoom": {
        "a viewport without zoom": words(VIEWPORT, `${VIEWPORT}, user-scalable=no`),
      },
    },
    "html.content": {
      fail: {
        "text for scripts alone": {
          words: {
            "<h1>Tea, by the leaf</h1>": '<div id="root"></div>',
            [SENTENCE]: `<!-- ${"template ".repeat(20)} -->`,
          },
        },
      },
    },
    "html.img-alt": {
      fail: { "an image without text": words(IMAGE, '<img src="/tin.png">') },
      "partial few": {
        "one image in ten without text": words(IMAGE, `${IMAGE.repeat(9)}<img src="/tin.png">`),
      },
      not_applicable: { "no image": words(IMAGE, "") },
    },
  }),
  [
    "a page too long to be read whole, but for its head",
    words(SENTENCE, "tea ".repeat(40_000)),
    {
      ...all("unknown", "html.img-alt", "asset.mixed", "asset.leftover", "link."),
      ...all("unknown", "asset.blocked", "asset.third-party", "html.placeholder", "html.secrets"),
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
