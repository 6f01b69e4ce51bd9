import type { CheckResult, Finding } from "../../shared/check.ts";

/** What differs from run to run, or from one zlib to another. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/(?<=site\.example\.com:)\d+/g, "PORT"],
  [/(?<=ephemeral root )[0-9a-f]+/g, "SERIAL"],
  [/\/shipscore-[0-9a-f]{16}/g, "/shipscore-RANDOM"],
  [/\d+ ms \([\d, ]+ ms\)|\d+ ms\b/g, "TIME"],
  [/\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?/g, "DATE"],
  [/\d+(?= bytes received for)/g, "SOME"],
];

function describeFinding(finding: Finding): string {
  const { id, status, earned, points, title, evidence, fix, fixLine } = finding;
  const head = `${id} ${status} ${earned}/${points} · ${title}`;
  const told = [
    evidence,
    ...(fix ? [`Fix: ${fix}`] : []),
    ...(fixLine ? [`Paste: ${fixLine}`] : []),
  ];
  return [head, ...told].join("\n  ");
}

/** A result as text, a paragraph for each finding, without what no two runs have in common. */
export function describeResult(result: CheckResult): string {
  const { score, scoreRange, coverage, verdict, ruleset, caps, categories, findings } = result;
  const paragraphs = [
    `score ${score} (${scoreRange.min} to ${scoreRange.max}), coverage ${coverage}, ${verdict}, ruleset ${ruleset}`,
    caps
      .map(({ limit, findingId, reason }) => `cap ${limit} by ${findingId}: ${reason}`)
      .join("\n"),
    categories.map(({ id, earned, points }) => `${id} ${earned}/${points}`).join(", "),
    ...findings.map(describeFinding),
  ];
  const whole = `${paragraphs.filter((paragraph) => paragraph !== "").join("\n\n")}\n`;
  return CHANGING.reduce((words, [pattern, name]) => words.replaceAll(pattern, name), whole);
}
