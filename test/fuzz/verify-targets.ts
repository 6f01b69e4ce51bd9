import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { Evidence } from "../../server/engine/evidence/evidence.ts";
import type { Headers } from "../../server/engine/evidence/exchange.ts";
import { keepHeaders, PAGE_HEADER_BYTES } from "../../server/engine/requests/headers.ts";
import { RULESET } from "../../server/engine/judge/ruleset.ts";
import { judge, scoreOf } from "../../server/engine/judge/score.ts";
import { CheckResult } from "../../shared/check.ts";
import { evidenceWith, pageHop } from "../engine/judge/evidence-fixtures.ts";
import { anyEvidence, editedEvidence } from "./evidence-values.ts";
import { headersOf } from "./header-values.ts";
import { target, type Target } from "./target.ts";

const STATUSES = new Map(RULESET.rows.map(({ id, statuses }) => [id, statuses]));

/** What holds of every result: no rule threw, its schema, a status that the rule's row lists, and evidence of a bounded length. */
function assertJudged(evidence: Evidence): void {
  const judged = judge(evidence);
  for (const { error } of judged.rows) assert.ifError(error);
  const { findings } = CheckResult.parse(scoreOf(judged, "fr"));
  assert.equal(findings.length, STATUSES.size);
  for (const { id, status, evidence: seen } of findings) {
    assert.ok(STATUSES.get(id)?.includes(status), `${id} is ${status}`);
    assert.ok(seen !== "" && seen.length < 900, `${id} says ${seen.length} characters`);
  }
}

/** The good evidence, with such headers on the page, on the answer to a foreign origin and on the files. */
function withHeaders(headers: Headers): Evidence {
  return evidenceWith((evidence) => {
    pageHop(evidence).headers = headers;
    evidence.cors.headers = headers;
    for (const asset of evidence.assets) asset.headers = headers;
  });
}

function headerTarget(name: string, ...names: readonly string[]): Target {
  return target(name, headersOf(...names), (entries) =>
    assertJudged(withHeaders(keepHeaders(entries.flat(), PAGE_HEADER_BYTES))),
  );
}

export const VERIFY_TARGETS: readonly Target[] = [
  headerTarget("rules-headers"),
  headerTarget("rules-cookies", "set-cookie"),
  headerTarget(
    "rules-csp",
    "content-security-policy",
    "content-security-policy-report-only",
    "x-frame-options",
  ),
  headerTarget(
    "rules-caching",
    "cache-control",
    "expires",
    "etag",
    "content-type",
    "strict-transport-security",
  ),
  headerTarget(
    "rules-cors",
    "access-control-allow-origin",
    "access-control-allow-credentials",
    "x-robots-tag",
  ),

  target("score", fc.oneof(anyEvidence, editedEvidence), assertJudged),
];
