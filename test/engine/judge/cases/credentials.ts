import type { CredentialKind } from "../../../../server/engine/evidence/html.ts";
import { all, cutPage, html } from "./page-edits.ts";
import { cases } from "./rule-case.ts";

const expose = (...kinds: CredentialKind[]) =>
  html({ credentials: kinds.map((kind, index) => ({ kind, line: 30 + index })) });

export const CREDENTIAL_CASES = cases({
  "html.secrets": {
    fail: {
      "a secret key among others": expose("stripe_test_key", "private_key"),
      "a secret key in a page that was cut": all(expose("github_token"), cutPage),
    },
    partial: { "the name of a key": expose("aws_key_id") },
    pass: { none: () => {} },
  },
});
