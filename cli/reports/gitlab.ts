import type { Language } from "../../shared/language.ts";

import { labelText, typeset } from "../../shared/report/words.ts";
import { describeFinding } from "../../shared/report/costs.ts";
import { withoutAccepted } from "../../shared/report/accepted.ts";
import type { Checked, GatedCheck, Unchecked } from "../check/results.ts";
import { describeCondition } from "../../shared/report/gate-words.ts";
import { formatJson } from "../terminal/json.ts";
import {
  fingerprintOf,
  explainUnchecked,
  filePathOf,
  listReported,
  UNCHECKED,
  weigh,
  type Weight,
} from "./issues.ts";
import type { About } from "./report.ts";

interface Issue {
  /** The id never changes between runs. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly weight: Weight;
}

const SEVERITIES: Readonly<Record<Weight, string>> = {
  blocking: "blocker",
  heavy: "major",
  light: "minor",
};

function listIssues(checked: GatedCheck, language: Language): Issue[] {
  const { gate } = checked;
  const check = withoutAccepted(checked);
  const findings = listReported(check).map((finding) => ({
    id: finding.id,
    name: finding.id,
    description: labelText(
      typeset(finding.title, language),
      describeFinding(finding, language),
      language,
    ),
    weight: weigh(check, finding),
  }));
  const unmet = gate.conditions.filter(({ isMet }) => !isMet);
  const conditions = unmet.map((condition) => ({
    id: `gate ${condition.asked}`,
    name: "gate",
    description: `${describeCondition(condition, language)}.`,
    weight: "blocking" as const,
  }));
  return [...conditions, ...findings];
}

function describeMissing({ error }: Unchecked, language: Language): Issue {
  const { id } = UNCHECKED;
  return { id, name: id, description: explainUnchecked(error, language), weight: "blocking" };
}

function formatIssues(checked: Checked, { language }: About) {
  const issues =
    "check" in checked ? listIssues(checked, language) : [describeMissing(checked, language)];
  return issues.map(({ id, name, description, weight }) => ({
    description,
    check_name: name,
    fingerprint: fingerprintOf(checked.as, id),
    severity: SEVERITIES[weight],
    location: { path: filePathOf(checked.as), lines: { begin: 1 } },
  }));
}

/** @see https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
export function formatGitlabReport(checked: readonly Checked[], about: About): string {
  const issues = checked.flatMap((one) => formatIssues(one, about));
  // GitLab drops issues with a fingerprint that it has already read, such as those of a page that is listed twice.
  return formatJson([...new Map(issues.map((issue) => [issue.fingerprint, issue])).values()]);
}
