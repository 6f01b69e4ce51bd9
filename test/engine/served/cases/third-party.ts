import { type ServedCase, served } from "../served-case.ts";

/** No name but the site's leads anywhere: what another host answers is no part of these cases. */
const call = (url: string, more = "") => ({
  words: { "<h1>": `<script nonce="{nonce}" src="${url}"${more} async></script><h1>` },
  names: { [new URL(url).hostname]: { outcome: "timeout" } as const },
});
const PINNED = "https://cdn.jsdelivr.net/npm/vue@3.4.21/dist/vue.global.prod.js";
const DIGEST = `integrity="sha384-${"a".repeat(64)}"`;

export const THIRD_PARTY_CASES: readonly ServedCase[] = [
  ...served(
    { "asset.third-party": "partial no_integrity", "asset.broken": "unknown" },
    {
      "a pinned script without integrity": call(PINNED),
      "a pinned script with an integrity that is none": call(
        PINNED,
        ' integrity="garbage" crossorigin',
      ),
    },
  ),
  [
    "a pinned script with integrity and without crossorigin",
    call(PINNED, ` ${DIGEST}`),
    { "asset.blocked": "partial files", "asset.broken": "unknown" },
  ],
  [
    "a script of a compromised host",
    call("https://cdn.polyfill.io/v3/polyfill.min.js"),
    { "asset.third-party": "fail", "asset.broken": "unknown" },
  ],
  [
    "a pinned script with integrity",
    call(PINNED, ` ${DIGEST} crossorigin="anonymous"`),
    { "asset.third-party": "pass", "asset.broken": "unknown" },
  ],
];
