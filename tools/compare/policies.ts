import { readFileSync } from "node:fs";
import { CspEvaluator } from "csp_evaluator";
import { Severity } from "csp_evaluator/dist/finding.js";
import { CspParser } from "csp_evaluator/dist/parser.js";
import { keepHeaders, PAGE_HEADER_BYTES } from "../../server/engine/requests/headers.ts";
import { RULES } from "../../server/engine/judge/rule-list.ts";
import { RULESET } from "../../server/engine/judge/ruleset.ts";
import { evidenceWith, pageHtml, setMeta } from "../../test/engine/judge/evidence-fixtures.ts";

interface Opinion {
  readonly verdict: "fit" | "unfit" | "none";
  readonly words: string;
}

/** Why our rule and csp_evaluator differ on some cases, and the section of the standard that decides. */
interface Settlement {
  readonly why: string;
  readonly section: string;
  readonly url: string;
  readonly cases: readonly string[];
}

/** `rows`: the lines of each case as sent; a line named `<meta>` is in the page. */
export const POLICIES = JSON.parse(
  readFileSync(new URL("cases.json", import.meta.url), "utf8"),
) as {
  readonly rows: Readonly<Record<string, readonly string[]>>;
  readonly settled: readonly Settlement[];
};

function readLines(lines: readonly string[]) {
  const headers: string[] = [];
  const metas = new Map<string, string[]>();
  for (const line of lines) {
    const [, meta, name = "", value = ""] = /^(<meta> )?([^:]+): ?(.*)$/s.exec(line) ?? [];
    const key = name.toLowerCase();
    if (meta) metas.set(key, [...(metas.get(key) ?? []), value]);
    else headers.push(name, value.trim());
  }
  return { headers, metas };
}

/** Returns the opinion of our rule: fit if the rule passes, or finds no bypass of a policy. */
function assessByRule(lines: readonly string[]): Opinion {
  const { headers, metas } = readLines(lines);
  const evidence = evidenceWith((e) => {
    const kept = keepHeaders(headers, PAGE_HEADER_BYTES);
    e.page.hops = e.page.hops.map((hop) => ({ ...hop, headers: kept }));
    Object.assign(pageHtml(e), { resources: [], scriptCount: 0 });
    for (const [name, contents] of metas) setMeta(e, name, ...contents);
  });
  const rule = RULES.find(({ id }) => id === "hdr.csp");
  const row = RULESET.rows.find(({ id }) => id === "hdr.csp");
  if (!rule || !row) throw new Error("there is no rule hdr.csp");
  const { status, grade = "" } = rule.judge(evidence);
  const isFit = status === "pass" || grade === "allow_list";
  const points = status === "partial" ? ` ${row.partial[grade]} of ${row.points}` : "";
  return { verdict: isFit ? "fit" : "unfit", words: `${status}${points}` };
}

function listFaults(policy: string): string[] {
  return new CspEvaluator(new CspParser(policy).csp)
    .evaluate()
    .filter(({ severity }) => severity === Severity.HIGH)
    .map(({ directive, value }) =>
      value === undefined ? `no ${directive}` : `${directive} ${value}`,
    );
}

/** Returns the opinion of csp_evaluator: fit if at least one enforced policy has no finding of severity HIGH. */
function assessByEvaluator(lines: readonly string[]): Opinion {
  const { headers, metas } = readLines(lines);
  const sent = headers.flatMap((name, index) =>
    index % 2 === 0 && /^content-security-policy$/i.test(name) ? (headers[index + 1] ?? "") : [],
  );
  const policies = [
    ...sent.flatMap((value) => value.split(",")),
    ...(metas.get("content-security-policy") ?? []),
  ];
  if (policies.length === 0) return { verdict: "unfit", words: "no policy" };
  try {
    const faults = policies.map(listFaults);
    const best = faults.find(({ length }) => length === 0) ?? faults[0] ?? [];
    const verdict = best.length === 0 ? "fit" : "unfit";
    return { verdict, words: best.join(", ") || "nothing HIGH" };
  } catch (error) {
    return { verdict: "none", words: `throws ${String(error)}` };
  }
}

export function listDifferences(settled: readonly Settlement[]): string[] {
  const names = new Set(settled.flatMap(({ cases }) => cases));
  const open: string[] = [];
  for (const [name, lines] of Object.entries(POLICIES.rows)) {
    const [ours, theirs] = [assessByRule(lines), assessByEvaluator(lines)];
    const isSettled = names.delete(name);
    if (ours.verdict === theirs.verdict && isSettled) open.push(`${name}: settled, but the same`);
    if (ours.verdict !== theirs.verdict && !isSettled)
      open.push(`${name}: ours says ${ours.words}, csp_evaluator says ${theirs.words}`);
  }
  return [...open, ...[...names].map((name) => `${name}: settled, but no case`)];
}
