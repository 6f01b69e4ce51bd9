import type { Resource } from "../../../../server/engine/evidence/html.ts";
import { pageHtml } from "../evidence-fixtures.ts";
import { all, cutPage } from "./page-edits.ts";
import { cases, each, type Edit } from "./rule-case.ts";

const SHA256 = `sha256-${"a".repeat(43)}=`;
const SHA384 = `sha384-${"a".repeat(64)}`;
const SHA512 = `sha512-${"a".repeat(86)}==`;
const PINNED = "https://cdn.jsdelivr.net/npm/vue@3.4.21/dist/vue.global.prod.js";

function call(url: string, edit: Partial<Resource> = {}): Edit {
  return (e) => {
    pageHtml(e).resources.push({
      url,
      line: 14,
      tag: "script",
      kind: "script",
      hostClass: "public",
      blocking: true,
      offset: 900,
      integrity: "",
      crossorigin: null,
      nonce: "",
      ...edit,
    });
  };
}

const COMPROMISED =
  "cdn.polyfill.io polyfill.io cdn.polyfill.com cdn.bootcss.com cdn.bootcdn.net cdn.staticfile.org cdn.staticfile.net union.macoms.la".split(
    " ",
  );
const PINNED_URLS = [
  PINNED,
  "https://cdn.jsdelivr.net/gh/twbs/bootstrap@v4.0.0/dist/js/bootstrap.min.js",
  "https://unpkg.com/react@18.2.0/umd/react.production.min.js",
  "https://unpkg.com/@popperjs/core@2.11.8",
  "https://cdnjs.cloudflare.com/ajax/libs/jquery/3.7.1/jquery.min.js",
  "https://ajax.googleapis.com/ajax/libs/jquery/3.7.1/jquery.min.js",
  "https://code.jquery.com/jquery-3.7.1.min.js",
  "https://code.jquery.com/ui/1.13.2/jquery-ui.min.js",
  "https://maxcdn.bootstrapcdn.com/bootstrap/3.4.1/js/bootstrap.min.js",
];
const UNPINNED_URLS = [
  "https://cdn.jsdelivr.net/npm/vue@3",
  "https://cdn.jsdelivr.net/npm/vue",
  "https://cdn.jsdelivr.net/combine/npm/vue@3.4.21,npm/axios@1.6.0",
  "https://unpkg.com/react",
  "https://www.googletagmanager.com/gtag/js?id=***",
  "https://js.stripe.com/v3/",
  "https://static.example.net/app/1.2.3/main.js",
  "https://cdnjs.cloudflare.com/polyfill/v3/polyfill.min.js",
  "https://notpolyfill.io/v3/polyfill.min.js",
  "https://polyfill.io.example.net/v3/polyfill.min.js",
];

export const THIRD_PARTY_CASES = cases({
  "asset.third-party": {
    fail: {
      ...each(COMPROMISED, (host) => [
        `a script of ${host}`,
        call(`https://${host}/v3/polyfill.min.js`),
      ]),
      "one for old browsers, over http, with integrity": call(
        "http://cdn.polyfill.io/v2/polyfill.js",
        { kind: "other", integrity: SHA384 },
      ),
      "one that is preloaded": call("https://polyfill.io/v3/polyfill.min.js?features=default", {
        tag: "link",
        kind: "other",
      }),
      "one in a page that was cut": all(call("https://polyfill.io/v3/polyfill.js"), cutPage),
    },
    partial: {
      ...each(PINNED_URLS, (url) => [`no integrity: ${url}`, call(url)]),
      ...each(
        [
          "garbage",
          "sha384-abc",
          "sha1-aaaa",
          SHA256.slice(0, -2),
          SHA384.replace("384", "512"),
          `${SHA384} sha512-abc`,
        ],
        (integrity) => [
          `an integrity that is none: ${integrity}`,
          call(PINNED, { integrity, crossorigin: "anonymous" }),
        ],
      ),
    },
    pass: {
      ...each(
        [
          SHA256,
          SHA384,
          SHA512,
          `sha1-x ${SHA384}`,
          `${SHA384} sha384-abc`,
          `${SHA384} sha512-`,
          `${SHA512}?ct=application/javascript`,
        ],
        (integrity) => [
          `integrity ${integrity}`,
          call(PINNED, { integrity, crossorigin: "anonymous" }),
        ],
      ),
      "integrity without crossorigin, which asset.blocked charges": call(PINNED, {
        integrity: SHA384,
      }),
      "a module, which is asked for with CORS in any case": call(PINNED, {
        integrity: SHA384,
        kind: "module",
      }),
      ...each(UNPINNED_URLS, (url) => [`no version to compare: ${url}`, call(url)]),
      "scripts of its own alone": () => {},
      "a style sheet for printing": call("https://cdn.bootcss.com/bootstrap/4.0.0/print.css", {
        tag: "link",
        kind: "other",
      }),
      "a style sheet of another host": call(
        "https://cdn.bootcss.com/bootstrap/4.0.0/bootstrap.css",
        { tag: "link", kind: "style" },
      ),
    },
  },
});
