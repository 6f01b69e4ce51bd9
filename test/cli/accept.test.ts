import { describeDay } from "../../shared/report/times.ts";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isEnding, listAccepted, type Acceptance } from "../../shared/acceptance.ts";
import { matcherOf } from "../../shared/pattern.ts";
import { passFindings } from "../../shared/report/passed.ts";
import { evaluateGate } from "../../shared/report/gate.ts";
import { runCli } from "../harness/cli.ts";
import { json, startContractDouble } from "../harness/contract-double.ts";
import { useFolder } from "../harness/use.ts";
import { expired } from "../engine/judge/cases/tls-edits.ts";
import { setHeader } from "../engine/judge/evidence-fixtures.ts";
import { answerOf } from "./reports/runs.ts";

const folder = useFolder();

const DAY_MS = 86_400_000;
const NOW = new Date("2026-11-20T23:59:00Z");
const dayIn = (days: number, from = new Date()) =>
  new Date(from.getTime() + days * DAY_MS).toISOString().slice(0, 10);

/** Its certificate is expired, which caps it, and it has no policy. */
const ANSWER = answerOf((evidence) => {
  expired(evidence);
  setHeader(evidence, "content-security-policy");
});

const accept = (rule: string, edit: Partial<Acceptance> = {}): Acceptance => ({
  rule,
  reason: "rewritten in March",
  until: "2027-03-31",
  ...edit,
});

describe("what is accepted", () => {
  test.each<[edit: Partial<Acceptance>, path: string, holds: boolean]>([
    [{}, "/", true],
    [{ until: "2026-11-20" }, "/", true],
    [{ until: "2026-11-19" }, "/", false],
    [{ rule: "reach.status" }, "/", false],
    [{ rule: "hdr.hsts" }, "/", false],
    [{ pages: ["/legacy/*"] }, "/", false],
    [{ pages: ["/legacy/*"] }, "/legacy/a/b?c=1", true],
    [{ pages: ["/a", "/été"] }, "/%C3%A9t%C3%A9", true],
  ])("%j on %s", (edit, path, holds) => {
    const findings = ["hdr.csp", "reach.status"].map((id) => ({ id, status: "fail" }));
    const judged = [...findings, { id: "hdr.hsts", status: "unknown" }];
    expect(listAccepted([accept("hdr.csp", edit)], path, judged, NOW)).toHaveLength(Number(holds));
  });

  test.each([
    [0, true],
    [14, true],
    [15, false],
    [-1, false],
  ])("ends soon with %i days left: %s", (days, isSoon) => {
    expect(isEnding(accept("hdr.csp", { until: dayIn(days, NOW) }), NOW)).toBe(isSoon);
  });

  test.each([
    ["*", "/a", true],
    ["/a*b*c", "/a1b2c", true],
    ["/a*b*b", "/ab", false],
    ["/a", "/ab", false],
    ["/a*a", "/a", false],
    ["*.html", "/x/y.html", true],
    [`/${"*a".repeat(400)}b`, `/${"a".repeat(5000)}`, false],
  ])("pattern %#", (pattern, path, isMatch) => {
    expect(matcherOf([pattern])(path)).toBe(isMatch);
  });
});

describe("in the gate", () => {
  const { score } = ANSWER;
  const rules = (...ids: string[]) => ids.map((id) => accept(id));

  test("the score is that of a page whose finding passes, including caps", () => {
    const good = answerOf(() => {});
    const chain = passFindings(ANSWER, new Set(["tls.chain"]));
    expect(chain.caps.map(({ findingId }) => findingId)).not.toContain("tls.chain");
    expect(chain.score).toBeGreaterThan(score);
    const policy = answerOf((evidence) => {
      setHeader(evidence, "content-security-policy");
    });
    expect(passFindings(policy, new Set(policy.findings.map(({ id }) => id)))).toMatchObject({
      score: good.score,
      scoreRange: good.scoreRange,
      verdict: good.verdict,
    });
    expect(passFindings(policy, new Set(["tls.chain"]))).toBe(policy);
  });

  test("a lifted cap no longer decides the verdict of a page that was mostly not assessed", () => {
    const capped = { ...ANSWER, coverage: 50, verdict: "do_not_ship", score: 0 };
    expect(passFindings(capped, new Set(["tls.chain"])).verdict).toBe("inconclusive");
  });

  test("a score that may still reach 60 has a verdict once it does", () => {
    const open = { ...ANSWER, coverage: 90, verdict: "inconclusive" };
    expect(passFindings(open, new Set(["tls.chain"])).verdict).toBe("ship");
  });

  test("conditions and the exit code count it as passed; what it blocks stays unassessed", () => {
    const flags = { minScore: score + 1, require: ["tls.chain"] };
    expect(evaluateGate(ANSWER, flags).result).toBe("unmet");
    const gate = evaluateGate(ANSWER, flags, {}, "en", rules("tls.chain"));
    expect([gate.result, gate.accepted?.findings.length]).toEqual(["met", 1]);
    const blocked = evaluateGate(ANSWER, { require: ["tls.expiry"] }, {}, "en", rules("tls.chain"));
    expect(blocked.conditions[0]?.text).toBe("tls.expiry not checked: tls.chain accepted");
  });

  test("an accepted finding is new to no baseline, and hides no drop of the score", () => {
    const lower = { ...ANSWER, score: score - 6, categories: ANSWER.categories };
    const comparison = {
      before: ANSWER,
      worse: ["hdr.csp"],
      fixed: [],
      unjudged: [],
      unchangedCount: 0,
    };
    const gate = (check: typeof ANSWER, maxDrop: number) =>
      evaluateGate(check, { failOnNew: true, maxDrop }, { comparison }, "en", rules("hdr.csp"));
    expect(gate(ANSWER, 0).result).toBe("met");
    expect(
      gate({ ...lower, caps: [{ findingId: "x.y", limit: lower.score, reason: "" }] }, 5).result,
    ).toBe("unmet");
  });
});

describe("a run", () => {
  const LATER = dayIn(100);

  async function check(acceptances: readonly Acceptance[], ...args: string[]) {
    await using server = await startContractDouble(json(ANSWER));
    const file = join(folder, "run.json");
    await writeFile(file, JSON.stringify({ site: "https://example.com", accept: acceptances }));
    return await runCli(["check", "--config", file, ...args], {
      ...server.env,
      SHIPSCORE_FORCE_TTY: args.includes("--json") ? "" : "80",
    });
  }

  test("lists the acceptances in each format, with reason and date", async () => {
    const reports = ["junit", "sarif", "gitlab", "markdown", "html"].flatMap((name) => [
      "--report",
      `${name}=${join(folder, name)}`,
    ]);
    const policy = accept("hdr.csp", { until: LATER });
    const { stdout } = await check([policy], ...reports);
    const passed = passFindings(ANSWER, new Set(["hdr.csp"])).score;
    const said = `${ANSWER.score}/100, ${passed} with 1 accepted finding`;
    const line = `accepted through ${describeDay(new Date(LATER), { language: "en" })}: rewritten in March`;
    expect(stdout).toContain(`hdr.csp ${line}\n`);
    expect(stdout).toContain(said);
    const read = (name: string) => readFile(join(folder, name), "utf8");
    const markdown = await read("markdown");
    expect(markdown).toContain(`## Ship Score ${said}`);
    expect(markdown).toContain(`- \`hdr.csp\` ${line}`);
    expect(await read("junit")).toContain(`<skipped>${line}</skipped>`);
    expect(await read("html")).toContain(`<li>hdr.csp ${line}</li>`);
    expect(await read("gitlab")).not.toContain("hdr.csp");
    const { runs } = JSON.parse(await read("sarif")) as {
      runs: [{ results: { ruleId: string; suppressions: object[] }[] }];
    };
    for (const { ruleId, suppressions } of runs[0].results)
      expect(suppressions).toEqual(
        ruleId === "hdr.csp" ? [{ kind: "external", status: "accepted", justification: line }] : [],
      );
    const { stdout: text } = await check([policy], "--json");
    expect(JSON.parse(text)).toEqual({
      ...ANSWER,
      gate: { met: true, conditions: [], accepted: [policy] },
    });
  });

  test("starts with acceptances that have ended or end soon, and ends with unused ones", async () => {
    const { stderr } = await check([
      accept("hdr.hsts", { until: LATER }),
      accept("hdr.csp", { until: dayIn(3) }),
      accept("tls.chain", { until: "2026-01-01" }),
      accept("html.title", { until: LATER, pages: ["/other"] }),
    ]);
    expect(stderr.split("\n")).toEqual([
      "shipscore: the acceptance of tls.chain (rewritten in March) ended on 1 January 2026: the finding counts again.",
      `shipscore: the acceptance of hdr.csp (rewritten in March) ends on ${describeDay(new Date(dayIn(3)), { language: "en" })}.`,
      "shipscore: the acceptance of hdr.hsts (rewritten in March) matched no finding; remove it if it is no longer needed.",
      "shipscore: the acceptance of html.title on /other (rewritten in March) matched no finding; remove it if it is no longer needed.",
      "",
    ]);
  });

  test("is a notice in GitHub Actions", async () => {
    await using server = await startContractDouble(json(ANSWER));
    const file = join(folder, "run.json");
    await writeFile(
      file,
      JSON.stringify({
        site: "https://example.com",
        accept: [accept("tls.chain", { until: LATER })],
      }),
    );
    const { stderr } = await runCli(["check", "--config", file], {
      ...server.env,
      GITHUB_ACTIONS: "true",
    });
    expect(stderr).toMatch(/^::notice title=tls\.chain .*::Accepted through \d{4}-\d\d-\d\d: /m);
    expect(stderr).not.toMatch(/^::error title=tls\.chain/m);
  });
});

describe("shipscore accept", () => {
  const UNTIL = dayIn(30);

  async function add(text: string, ...args: string[]) {
    const file = join(folder, "edited.json");
    await writeFile(file, text);
    const ran = await runCli(["accept", ...args, "--config", file]);
    return { ...ran, text: await readFile(file, "utf8") };
  }

  const FLAGS = ["--reason", 'it\'s "old"', "--until", UNTIL] as const;
  const ITEM = `{ "rule": "hdr.csp", "reason": "it's \\"old\\"", "until": "${UNTIL}" }`;

  test.each<[args: string, sentence: string]>([
    [`hdr.csp --until ${UNTIL}`, "--reason is required"],
    [`hdr.csp --reason= --until ${UNTIL}`, `--reason cannot be "". Use why`],
    ["hdr.csp --reason x --until 2027-02-30", '--until cannot be "2027-02-30".'],
    ["hdr.csp --reason x --until 2020-01-01", "--until 2020-01-01 is in the past."],
    ["hdr.csp --reason x --until 2999-01-01", "is more than a year from now."],
    [`hdr.csp --reason x --until ${UNTIL} --page b`, '--page cannot be ["b"]. Use the'],
    [`hdr.cps --reason x --until ${UNTIL}`, "Did you mean hdr.csp?"],
    [`reach.status --reason x --until ${UNTIL}`, "reach.status cannot be accepted"],
    [`tls.chain --reason x --until ${UNTIL}`, "already accepts tls.chain there, until 2027-01-01."],
  ])("rejects %s, and leaves the file unchanged", async (line, sentence) => {
    const text = '{ "accept": [{ "rule": "tls.chain", "reason": "x", "until": "2027-01-01" }] }\n';
    const ran = await add(text, ...line.split(" "));
    expect([ran.exitCode, ran.text]).toEqual([2, text]);
    expect(ran.stderr).toContain(sentence);
  });

  test.each<[what: string, before: string, after: string]>([
    [
      "a list with an item a line",
      '{\n\t"accept": [\n\t\t{ "rule": "a.b", "reason": "x", "until": "2027-01-01" }\n\t],\n\t"site": "https://a.example"\n}',
      `{\n\t"accept": [\n\t\t{ "rule": "a.b", "reason": "x", "until": "2027-01-01" },\n\t\t${ITEM}\n\t],\n\t"site": "https://a.example"\n}`,
    ],
    [
      "items of several lines",
      '{\n  "accept": [\n    {\n      "rule": "a.b",\n      "reason": "x",\n      "until": "2027-01-01"\n    }\n  ]\n}\n',
      `{\n  "accept": [\n    {\n      "rule": "a.b",\n      "reason": "x",\n      "until": "2027-01-01"\n    },\n    {\n      "rule": "hdr.csp",\n      "reason": "it's \\"old\\"",\n      "until": "${UNTIL}"\n    }\n  ]\n}\n`,
    ],
    [
      "an empty list, and lines as Windows ends them",
      '{\r\n    "accept": [],\r\n    "pages": ["/", "/b"]\r\n}\r\n',
      `{\r\n    "accept": [\r\n        ${ITEM}\r\n    ],\r\n    "pages": ["/", "/b"]\r\n}\r\n`,
    ],
    [
      "no list",
      '{\n  "pages": [ "/" ],\n  "site": "https://a.example"\n}\n',
      `{\n  "pages": [ "/" ],\n  "site": "https://a.example",\n  "accept": [\n    ${ITEM}\n  ]\n}\n`,
    ],
    [
      "no line",
      '{"site":"https://a.example"}',
      `{"site":"https://a.example","accept":[${ITEM.replace(/(?<=[:,{]) | (?=})/g, "")}]}`,
    ],
    [
      "a text behind a byte order mark",
      '\ufeff{\n  "accept": []\n}\n',
      `\ufeff{\n  "accept": [\n    ${ITEM}\n  ]\n}\n`,
    ],
    ["nothing", "{}\n", `{\n  "accept": [\n    ${ITEM}\n  ]\n}\n`],
  ])("keeps the format of %s", async (_, before, after) => {
    const ran = await add(before, "hdr.csp", ...FLAGS);
    expect([ran.exitCode, ran.text]).toEqual([0, after]);
  });

  test("names pages", async () => {
    const { text } = await add("{}", "hdr.csp", ...FLAGS, "--page", "/a/*", "--page", "/b");
    expect(text).toContain('"rule": "hdr.csp", "pages": ["/a/*","/b"], "reason"');
  });
});
