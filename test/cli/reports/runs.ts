import type { ReceivedCheck } from "../../../cli/client/api-responses.ts";
import { type Checked, subjectOf } from "../../../cli/check/results.ts";
import { CliError } from "../../../cli/terminal/errors.ts";
import { EXIT } from "../../../cli/terminal/exit-codes.ts";
import { evaluateGate } from "../../../shared/report/gate.ts";
import { cleanChecked, type About } from "../../../cli/reports/report.ts";
import { scoreEvidence } from "../../../server/engine/judge/score.ts";
import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import { CHECK } from "../../harness/contract-double.ts";
import { evidenceWith, pageHop } from "../../engine/judge/evidence-fixtures.ts";

export const ABOUT: About = {
  docsBase: new URL("https://shipscore.example/team/"),
  language: "en",
  version: "1.2.3",
  now: new Date("2026-11-20T08:35:00.000Z"),
  isList: false,
  isEnded: false,
};

/** A check under a gate that asks for 80. */
export const judge = (check: ReceivedCheck): Checked => ({
  ...subjectOf(check.url),
  check,
  gate: evaluateGate(check, { minScore: 80 }),
});

export const UNMET = judge(CHECK);

export const PASSED = judge({
  ...CHECK,
  url: "https://good.example/",
  finalUrl: "https://good.example/",
  score: 100,
  verdict: "ship",
  caps: [],
  findings: CHECK.findings.filter(({ status }) => status === "pass"),
});

const USED_UP = {
  fr: "le quota mensuel est épuisé",
  en: "the monthly quota is used up",
};
const WAIT = { fr: "Attendez jusque-là", en: "Wait until then" };

export const UNCHECKED: Checked = {
  ...subjectOf("https://user:secret@late.example/shop?key=secret"),
  error: new CliError(EXIT.quotaUsedUp, USED_UP, WAIT),
};

/** The answer to what a page's evidence became by an edit. */
export function answerOf(edit: (evidence: Evidence) => void): ReceivedCheck {
  return { ...CHECK, ...scoreEvidence(evidenceWith(edit), "en") };
}

/** A page that answers with this status and nothing else amiss: 500 leaves most to be blocked, 403 to be unknown. */
export const answerWithStatus = (status: number) =>
  answerOf((evidence) => {
    pageHop(evidence).status = status;
  });

/** Whatever a text could be taken for: escape sequences, commands to CI systems, markup of every kind. */
export const HOSTILE = [
  "::error::e ##[error]e ##vso[task.complete]e ##teamcity[e] %0A::warning::e",
  "\u001b[31m\u009b2J\u0000\r\n::stop-commands::e\n## e\n\t\u2028\u202e\ud800\uffff",
  "</script></style><img src=x onerror=alert(1)><!-- ]]> & &lt; \" ' = --> {0} ${{ secrets.E }}",
  "| a | b | @team e@evil.example #1 GH-1 deadbeef0 :tada: $x$ ~~e~~ **e** _e_ \\",
  "[e](https://evil.example) ![e](https://evil.example) <https://evil.example> [^1] [e]: e",
  "https://evil.example www.evil.example javascript:e() ` `` ``` e",
].join("\n");

function poison(value: unknown, key = ""): unknown {
  if (typeof value === "string") return /^(?:status|checkedAt)$/.test(key) ? value : HOSTILE;
  if (Array.isArray(value)) return value.map((item) => poison(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, poison(item, name)]),
  );
}

/** A check whose every text is hostile. */
export const HOSTILE_CHECK = poison(CHECK) as ReceivedCheck;

export const POISONED = cleanChecked(judge(HOSTILE_CHECK));

const RUNS: Readonly<Record<string, readonly Checked[]>> = {
  "a page that ships": [PASSED],
  "a page under an unmet gate": [UNMET],
  "several pages, one of them twice, one without a check": [UNMET, PASSED, UNMET, UNCHECKED],
  "a hostile answer": [POISONED],
  "a page that answers 500": [judge(answerWithStatus(500))],
  "a page behind a login": [judge(answerWithStatus(403))],
  "no page": [],
};

/** Runs as a format gets them, by what they are. */
export const CLEAN_RUNS = Object.entries(RUNS).map(
  ([name, run]) => [name, run.map(cleanChecked)] as const,
);
