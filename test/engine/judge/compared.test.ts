import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { compareTopic, findGaps, judgeWithEvaluator } from "../../../tools/compare/opinion.ts";
import { describeCase } from "../../../tools/compare/report.ts";
import { PEERS, type Topic } from "../../../tools/compare/topic.ts";
import { TOPICS } from "../../../tools/compare/topics.ts";

const CSP = TOPICS.find(({ title }) => title === "Content-Security-Policy") as Topic;
const COMPARISONS = TOPICS.flatMap((topic) => topic.peers.map((peer) => ({ topic, peer })));

/** The section of docs/compared.md on one header and one peer. */
async function readSection(title: string, peer: string): Promise<string> {
  const page = await readFile(new URL("../../../docs/compared.md", import.meta.url), "utf8");
  const section = page.split("\n## ").find((one) => one.startsWith(`${title}: ${peer}\n`));
  if (section === undefined) throw new Error(`docs/compared.md has no section ${title}: ${peer}`);
  return section;
}

describe("a comparison", () => {
  it("reports a disagreement that nothing settles, and a settlement of none", async () => {
    const settlement = { why: "", section: "", url: "" };
    const topic = { ...CSP, settled: { csp_evaluator: { none: settlement } } };
    const gaps = findGaps(await compareTopic(topic, "csp_evaluator", judgeWithEvaluator));
    expect(gaps).toContainEqual(expect.stringMatching(/"a bad escape".*nothing settles it$/));
    expect(gaps).toContainEqual(expect.stringMatching(/"none".*no such disagreement$/));
  });

  it("with csp_evaluator leaves nothing open", async () => {
    expect(findGaps(await compareTopic(CSP, "csp_evaluator", judgeWithEvaluator))).toEqual([]);
  });

  it("has at least 1,000 cases, each with a name of its own", () => {
    const names = TOPICS.flatMap(({ title, rows }) => rows.map(([name]) => `${title}: ${name}`));
    expect(names.length).toBeGreaterThanOrEqual(1000);
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
      const row = topic.rows.find((one) => one[0] === name) ?? [name];
      const [, ...sent] = row;
      const shown = describeCase(topic, row).replaceAll("|", "\\|");
      const line = lines.find((one) => one.startsWith(`| ${shown} |`));
      expect(line, name).toContain(`| ${(await topic.judge(topic, sent)).words} |`);
      expect(line, name).toContain(`${why} [`);
      expect(line, name).toContain(`](${url})`);
    }
  });
});
