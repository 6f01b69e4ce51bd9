import { type ServedCase, add, NOTHING, charged, route, served } from "../served-case.ts";
import { tokenFrom } from "../../../../shared/token.ts";

const DRAWN = "kQ7zR2mWx9Ld4TvBn8YcHs3Jf6GpAe5U";
/** Parted, so that no scanner takes this file for a leak. */
const LIVE = ["sk", "live", DRAWN].join("_");
const TEST = ["sk", "test", DRAWN].join("_");
const PUBLISHABLE = ["pk", "live", DRAWN].join("_");

const script = (body: string) => ({
  headers: { "content-type": "text/javascript", "cache-control": "max-age=31536000, immutable" },
  body,
});
const bundled = (body: string) => route("/shop.3f9c2b1a.js", script(body));

export const CREDENTIAL_CASES: readonly ServedCase[] = [
  ...charged({
    "html.secrets": {
      fail: {
        "a secret key in a script": add(`<script nonce="{nonce}">const key = "${LIVE}";</script>`),
        "a token of ours in the data of a script": add(
          `<script type="application/json">{"token":"${tokenFrom(DRAWN + "Kz")}"}</script>`,
        ),
        "a secret key in a script's file": bundled(`fetch("/pay",{headers:{a:"${LIVE}"}})`),
        "a secret key in a style sheet": route("/shop.css", {
          headers: { "content-type": "text/css", "cache-control": "no-cache" },
          body: `a { color: red } /* ${LIVE} */`,
        }),
        "a secret key in a comment": add(`<!-- ${LIVE} -->`),
        "a secret key in an attribute": add(`<div data-key="${LIVE}"></div>`),
      },
      "partial shown": {
        "a key that the page shows": add(`<pre><code>STRIPE_KEY=${LIVE}</code></pre>`),
        "a key that the page shows, in its script too": {
          ...add(`<pre><code>STRIPE_KEY=${LIVE}</code></pre>`),
          ...bundled(`const code = "STRIPE_KEY=${LIVE}";`),
        },
      },
      "partial lesser": {
        "a test key in a script": add(`<script nonce="{nonce}">const key = "${TEST}";</script>`),
      },
    },
  }),
  ...served(NOTHING, {
    "a publishable key in a script": add(
      `<script nonce="{nonce}">const key = "${PUBLISHABLE}";</script>`,
    ),
    "a publishable key in a script's file": bundled(`const key = "${PUBLISHABLE}";`),
  }),
];
