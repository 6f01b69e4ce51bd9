import type { Credential } from "../../../../server/engine/evidence/html.ts";
import { fileFacts } from "../evidence-fixtures.ts";
import { all, asset, cutPage, html } from "./page-edits.ts";
import { cases } from "./rule-case.ts";

const list = (isShown: boolean, kinds: string[]): Credential[] =>
  kinds.map((kind, index) => ({ kind, line: 30 + index, isShown }));
const expose = (...kinds: string[]) => html({ credentials: list(false, kinds) });
const show = (...kinds: string[]) => html({ credentials: list(true, kinds) });
const inFile = (isShown: boolean, kind: string) =>
  asset(0, { file: fileFacts({ credentials: list(isShown, [kind]) }) });

export const CREDENTIAL_CASES = cases({
  "html.secrets": {
    fail: {
      "a secret key among others": expose("stripe_test_key", "private_key"),
      "a secret key in a page that was cut": all(expose("github_token"), cutPage),
      "a secret key in a script": inFile(false, "openai_key"),
      "a secret key beside one that is shown": all(show("openai_key"), expose("slack_token")),
      "a kind that only a newer probe knows": expose("newer_key"),
    },
    partial: {
      "the name of a key": expose("aws_key_id"),
      "a key that the page shows as text": show("slack_token"),
      "a key in a script that the page shows as text": inFile(true, "slack_token"),
      "a test key that the page shows": show("stripe_test_key"),
    },
    pass: { none: () => {} },
  },
});
