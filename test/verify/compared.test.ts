import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import {
  compareTopic,
  findGaps,
  judgeOurselves,
  judgeWithEvaluator,
} from "../../scripts/compare/opinion.ts";
import { PEERS } from "../../scripts/compare/topic.ts";
import { TOPICS } from "../../scripts/compare/topics.ts";
import { CSP } from "../../scripts/compare/topics/csp.ts";

const COMPARISONS = TOPICS.flatMap((topic) => topic.peers.map((peer) => ({ topic, peer })));

/** The section of docs/compared.md on one header and one peer. */
async function readSection(title: string, peer: string): Promise<string> {
  const page = await readFile(new URL("../../docs/compared.md", import.meta.url), "utf8");
  const section = page.split("\n## ").find((one) => one.startsWith(`${title}: ${peer}\n`));
  if (section === undefined) throw new Error(`docs/compared.md has no section ${title}: ${peer}`);
  return section;
}

describe("a comparison", () => {
  it("reports a disagreement that nothing settles, and a settlement of none", () => {
    const settlement = { why: "", section: "", url: "" };
    const topic = { ...CSP, settled: { csp_evaluator: { none: settlement } } };
    const gaps = findGaps(compareTopic(topic, "csp_evaluator", judgeWithEvaluator));
    expect(gaps).toContainEqual(expect.stringMatching(/"a bad escape".*nothing settles it$/));
    expect(gaps).toContainEqual(expect.stringMatching(/"none".*no such disagreement$/));
  });

  it("with csp_evaluator leaves nothing open", () => {
    expect(findGaps(compareTopic(CSP, "csp_evaluator", judgeWithEvaluator))).toEqual([]);
  });

  it("has at least 150 cases, each with a name of its own", () => {
    const names = TOPICS.flatMap(({ title, rows }) => rows.map(([name]) => `${title}: ${name}`));
    expect(names.length).toBeGreaterThanOrEqual(150);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("is with the peers that are named", () => {
    expect(new Set(COMPARISONS.map(({ peer }) => peer))).toEqual(new Set(PEERS));
  });
});

describe("docs/compared.md", () => {
  it.each(COMPARISONS)("is in step with $topic.title, $peer", async ({ topic, peer }) => {
    const section = await readSection(topic.title, peer);
    const settled = Object.entries(topic.settled[peer] ?? {});
    const { length } = topic.rows;
    expect(section).toContain(
      `\n${length} cases, ${length - settled.length} agreements, ${settled.length} disagreements.`,
    );
    const lines = section.split("\n").filter((line) => line.includes("]("));
    expect(lines).toHaveLength(settled.length);
    for (const [name, { why, url }] of settled) {
      const [, ...sent] = topic.rows.find((row) => row[0] === name) ?? [];
      const line = lines.find((one) => one.startsWith(`| ${name}${sent.length > 0 ? ":" : " |"}`));
      expect(line, name).toContain(`| ${judgeOurselves(topic, sent).words} |`);
      expect(line, name).toContain(`${why} [`);
      expect(line, name).toContain(`](${url})`);
    }
  });
});
