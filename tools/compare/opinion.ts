import { CspEvaluator } from "csp_evaluator";
import { Severity } from "csp_evaluator/dist/finding.js";
import { CspParser } from "csp_evaluator/dist/parser.js";
import { keepHeaders, PAGE_HEADER_BYTES } from "../../server/engine/requests/headers.ts";
import { RULES } from "../../server/engine/judge/rule-list.ts";
import { RULESET } from "../../server/engine/judge/ruleset.ts";
import { evidenceWith, pageHtml, setMeta } from "../../test/engine/judge/evidence-fixtures.ts";
import type { Judge, Opinion, Peer, TopicRow, Topic } from "./topic.ts";

/** The verdict of a judge who passes or fails a case. */
export function findVerdict(isFit: boolean): string {
  return isFit ? "fit" : "unfit";
}

/** The Origin of our own request, which a server may reflect. */
const FOREIGN_ORIGIN = "https://shipscore-probe.example";

/**
 * Reads the lines of a case: alternating header names and values, as a server sends them, and the page's metas by
 * name.
 */
export function readLines(
  lines: readonly string[],
  origin: string,
): { headers: string[]; metas: ReadonlyMap<string, string[]> } {
  const headers: string[] = [];
  const metas = new Map<string, string[]>();
  for (const line of lines) {
    const [, meta, name = "", value = ""] = /^(<meta> )?([^:]+): ?(.*)$/s.exec(line) ?? [];
    const key = name.toLowerCase();
    if (meta) metas.set(key, [...(metas.get(key) ?? []), value]);
    else headers.push(name, value.replace("{origin}", origin).trim());
  }
  return { headers, metas };
}

/** Judges the headers and metas of a page that has no files, of which a policy could block some. */
function judgeRule(id: string, lines: readonly string[]): { isFit: boolean; words: string } {
  const { headers, metas } = readLines(lines, FOREIGN_ORIGIN);
  const evidence = evidenceWith((e) => {
    const kept = keepHeaders(headers, PAGE_HEADER_BYTES);
    e.page.hops = e.page.hops.map((hop) => ({ ...hop, headers: kept }));
    e.cors.headers = kept.filter(([header]) => header.startsWith("access-control-"));
    Object.assign(pageHtml(e), { resources: [], scriptCount: 0 });
    for (const [name, contents] of metas) setMeta(e, name, ...contents);
  });
  const rule = RULES.find((one) => one.id === id);
  const row = RULESET.rows.find((one) => one.id === id);
  if (!rule || !row) throw new Error(`no rule ${id}`);
  const { status, grade = "" } = rule.judge(evidence);
  const isFit = status === "pass" || status === "not_applicable" || grade === "allow_list";
  const points = status === "partial" ? ` ${row.partial[grade]} of ${row.points}` : "";
  return { isFit, words: `${id}: ${status}${points}` };
}

/** Our judge: fit if each rule passes, is not applicable, or finds no way around a policy. */
export function judgeByRules(...ids: readonly string[]): Judge {
  return (_topic, lines) => {
    const opinions = ids.map((id) => judgeRule(id, lines));
    const unfit = opinions.filter(({ isFit }) => !isFit);
    const shown = unfit.length > 0 ? unfit : opinions.slice(0, 1);
    return {
      verdict: findVerdict(unfit.length === 0),
      words: shown.map(({ words }) => words).join(", "),
    };
  };
}

function judgePolicy(policy: string): string[] {
  return new CspEvaluator(new CspParser(policy).csp)
    .evaluate()
    .filter(({ severity }) => severity === Severity.HIGH)
    .map(({ directive, value }) =>
      value === undefined ? `no ${directive}` : `${directive} ${value}`,
    );
}

/** Csp_evaluator: fit if one of the enforced policies has no finding of severity HIGH. */
export const judgeWithEvaluator: Judge = (_topic, lines) => {
  const { headers, metas } = readLines(lines, FOREIGN_ORIGIN);
  const sent = headers.flatMap((name, index) =>
    index % 2 === 0 && /^content-security-policy$/i.test(name) ? (headers[index + 1] ?? "") : [],
  );
  const policies = [
    ...sent.flatMap((value) => value.split(",")),
    ...(metas.get("content-security-policy") ?? []),
  ];
  if (policies.length === 0) return { verdict: "unfit", words: "no policy" };
  try {
    const findings = policies.map(judgePolicy);
    const best = findings.find(({ length }) => length === 0) ?? findings[0] ?? [];
    return { verdict: findVerdict(best.length === 0), words: best.join(", ") || "nothing HIGH" };
  } catch (error) {
    return { verdict: "none", words: `throws ${String(error)}` };
  }
};

/** A case on which we and a peer differ. */
export interface Disagreement {
  readonly topic: Topic;
  readonly peer: Peer;
  readonly row: TopicRow;
  readonly ours: Opinion;
  readonly theirs: Opinion;
}

/** A topic, judged by one peer, with all cases on which we differ. */
export interface Comparison {
  readonly topic: Topic;
  readonly peer: Peer;
  readonly disagreements: readonly Disagreement[];
}

export async function compareTopic(topic: Topic, peer: Peer, judge: Judge): Promise<Comparison> {
  const disagreements: Disagreement[] = [];
  for (const row of topic.rows) {
    const [, ...lines] = row;
    const ours = await topic.judge(topic, lines);
    const theirs = await judge(topic, lines);
    if (ours.verdict !== theirs.verdict) disagreements.push({ topic, peer, row, ours, theirs });
  }
  return { topic, peer, disagreements };
}

/** One line for each disagreement that is not settled, and for each settlement without a disagreement. */
export function findGaps({ topic, peer, disagreements }: Comparison): string[] {
  const settled = topic.settled[peer] ?? {};
  const names = new Set(disagreements.map(({ row: [name] }) => name));
  const open = disagreements
    .filter(({ row: [name] }) => !Object.hasOwn(settled, name))
    .map(
      ({ row: [name], ours, theirs }) =>
        `${topic.title}, "${name}": ours says ${ours.words}, ${peer} says ${theirs.words}, and nothing settles it`,
    );
  const idle = Object.keys(settled)
    .filter((name) => !names.has(name))
    .map(
      (name) =>
        `${topic.title}, "${name}": settled against ${peer}, but there is no such disagreement`,
    );
  return [...open, ...idle];
}
