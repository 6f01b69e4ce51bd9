import type { CredentialKind } from "../../../../server/engine/evidence/html.ts";
import { pageHtml } from "../evidence-fixtures.ts";
import { cutPage } from "./page-edits.ts";
import type { RuleCase } from "./rule-case.ts";

function expose(...kinds: CredentialKind[]): RuleCase[3] {
  return (e) => {
    pageHtml(e).credentials = kinds.map((kind, index) => ({ kind, line: 30 + index }));
  };
}

export const CREDENTIAL_CASES: readonly RuleCase[] = [
  ["html.secrets", "fail", "a secret key among others", expose("stripe_test_key", "private_key")],
  [
    "html.secrets",
    "fail",
    "a secret key in a page that was cut",
    (e) => {
      expose("github_token")(e);
      cutPage(e);
    },
  ],
  ["html.secrets", "partial", "the name of a key", expose("aws_key_id")],
  ["html.secrets", "pass", "none", () => {}],
];
