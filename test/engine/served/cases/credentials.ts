import { tokenFrom } from "../../../../shared/token.ts";
import type { ServedCase } from "../served-case.ts";

const add = (script: string) => ({ words: { "<h1>": `${script}<h1>` } });
const DRAWN = "kQ7zR2mWx9Ld4TvBn8YcHs3Jf6GpAe5U";
/** Parted, so that no scanner takes this file for a leak. */
const LIVE = ["sk", "live", DRAWN].join("_");
const TEST = ["sk", "test", DRAWN].join("_");
const PUBLISHABLE = ["pk", "live", DRAWN].join("_");

export const CREDENTIAL_CASES: readonly ServedCase[] = [
  [
    "a secret key in a script",
    add(`<script nonce="{nonce}">const key = "${LIVE}";</script>`),
    { "html.secrets": "fail" },
  ],
  [
    "a token of ours in the data of a script",
    add(`<script type="application/json">{"token":"${tokenFrom(DRAWN + "Kz")}"}</script>`),
    { "html.secrets": "fail" },
  ],
  [
    "a test key in a script",
    add(`<script nonce="{nonce}">const key = "${TEST}";</script>`),
    { "html.secrets": "partial lesser" },
  ],
  [
    "a publishable key in a script",
    add(`<script nonce="{nonce}">const key = "${PUBLISHABLE}";</script>`),
    {},
  ],
];
