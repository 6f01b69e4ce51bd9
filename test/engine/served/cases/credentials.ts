import { type ServedCase, add, NOTHING, charged, served } from "../served-case.ts";
import { tokenFrom } from "../../../../shared/token.ts";

const DRAWN = "kQ7zR2mWx9Ld4TvBn8YcHs3Jf6GpAe5U";
/** Parted, so that no scanner takes this file for a leak. */
const LIVE = ["sk", "live", DRAWN].join("_");
const TEST = ["sk", "test", DRAWN].join("_");
const PUBLISHABLE = ["pk", "live", DRAWN].join("_");

export const CREDENTIAL_CASES: readonly ServedCase[] = [
  ...charged({
    "html.secrets": {
      fail: {
        "a secret key in a script": add(`<script nonce="{nonce}">const key = "${LIVE}";</script>`),
        "a token of ours in the data of a script": add(
          `<script type="application/json">{"token":"${tokenFrom(DRAWN + "Kz")}"}</script>`,
        ),
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
  }),
];
