import { describe, expect, test } from "vitest";
import { NO_GATE, type ProjectGate } from "../../server/db/projects/gates.ts";
import {
  evaluateProjectGate,
  MAX_ACCEPTED,
  type EarlierShip,
} from "../../server/projects/gates.ts";
import { CHECK } from "../harness/contract-double.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

/** 59 points; asset.broken fails, hdr.csp is partial. */
const { score, ruleset } = CHECK;
const shipOf = (points: number, other: Partial<EarlierShip> = {}): EarlierShip => ({
  score: points,
  verdict: "ship",
  ruleset,
  ...other,
});
const accepted = { rule: "asset.broken", pages: null, reason: "known", until: "2999-01-01" };

describe("a gate evaluates a check:", () => {
  test.each<[gate: Partial<ProjectGate>, ship: EarlierShip | null, said: object]>([
    [{}, null, { hasConditions: false, met: true, failures: [], difference: null }],
    [{ accept: [accepted] }, null, { hasConditions: false, met: true, acceptedCount: 1 }],
    [{ minScore: score }, null, { hasConditions: true, met: true, failures: [], score }],
    [{ minScore: 80 }, shipOf(84), { met: false, failures: ["score under 80"], difference: -25 }],
    [{ maxDrop: 5, accept: [accepted] }, shipOf(84), { met: false, failures: ["drop over 5"] }],
    [{ minCategory: { headers: 14.5 } }, null, { failures: ["headers under 14.5"] }],
    [
      { minScore: 80, require: ["tls", "hdr.csp"] },
      shipOf(score),
      { failures: ["score under 80", "hdr.csp"], difference: 0 },
    ],
    [{ maxDrop: 5 }, null, { met: true }],
    [{ failOnNew: true }, shipOf(90), { met: true }],
    [{ maxDrop: 5 }, shipOf(score + 6), { met: false, failures: ["drop over 5"], difference: -6 }],
    [{ maxDrop: 5 }, shipOf(90, { ruleset: "2020.1" }), { met: true, difference: null }],
    [{ failOnNew: true }, shipOf(score, { check: CHECK }), { met: true, failures: [] }],
    [{ require: ["asset.broken"], accept: [accepted] }, null, { met: true, acceptedCount: 1 }],
    [
      { require: ["asset.broken"], accept: [{ ...accepted, pages: ["/elsewhere"] }] },
      null,
      { met: false, failures: ["asset.broken"], acceptedScore: null },
    ],
    [
      { require: ["asset.broken"], accept: [{ ...accepted, until: "2020-01-01" }] },
      null,
      { met: false, acceptedCount: 0 },
    ],
  ])("%j next to %j", (gate, ship, said) => {
    expect(evaluateProjectGate({ ...NO_GATE, ...gate }, CHECK, ship)).toMatchObject(said);
  });

  test("new faults since the last deployment fail it, unless they are accepted", () => {
    const findings = CHECK.findings.map((finding) =>
      finding.id === "asset.broken"
        ? { ...finding, status: "pass" as const, earned: finding.points }
        : finding,
    );
    const ship = shipOf(score, { check: { ...CHECK, findings, caps: [] } });
    const gate = { ...NO_GATE, failOnNew: true as const };
    expect(evaluateProjectGate(gate, CHECK, ship)).toMatchObject({
      met: false,
      failures: ["new asset.broken"],
    });
    const tolerant = { ...gate, accept: [accepted] };
    expect(evaluateProjectGate(tolerant, CHECK, ship)).toMatchObject({ met: true });
  });

  test("an inconclusive check decides nothing", () => {
    const check = { ...CHECK, verdict: "inconclusive" as const };
    expect(evaluateProjectGate({ ...NO_GATE, minScore: 1 }, check, null).met).toBe(false);
  });
});

describe("the gate of a project", () => {
  const server = useServer();
  const alice = use(() => addPerson(server, "alice"));
  const NEXT_YEAR = new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10);
  const given = { reason: "later", until: NEXT_YEAR };

  test.each<[command: string, input: object, sentence: string]>([
    ["edit", { minScore: "101" }, "Enter a whole number from 0 to 100, or leave the field empty."],
    ["edit", { maxDrop: "-1" }, "Enter a whole number from 0 to 100, or leave the field empty."],
    ["edit", { minCategory: ["speed=1"] }, "points that the category can earn"],
    ["edit", { minCategory: ["tls=99"] }, "points that the category can earn"],
    ["edit", { require: "hdr.nonesuch" }, "Enter rules or categories"],
    [
      "accept",
      { rule: "reach.status", ...given },
      "The rules of the reach category cannot be accepted.",
    ],
    ["accept", { rule: "hdr.nonesuch", ...given }, "Enter a rule, such as hdr.csp."],
    ["accept", { rule: "hdr.csp", ...given, until: "2020-01-01" }, "Enter a date between today"],
    ["accept", { rule: "hdr.csp", ...given, until: "2999-01-01" }, "Enter a date between today"],
    ["accept", { rule: "hdr.csp", ...given, reason: " " }, "Enter a reason"],
    ["accept", { rule: "hdr.csp", ...given, page: "legacy" }, "Enter the path of a page"],
    ["unaccept", { rule: "hdr.csp" }, "accepts no finding of hdr.csp"],
  ])("gate %s rejects %j", async (command, input, sentence) => {
    const project = await addProject(server, alice, "https://127.0.0.1:9/");
    await expect(server.perform(`gate ${command}`, { project, ...input })).rejects.toThrow(
      sentence,
    );
    expect(await server.perform("gate show", { project })).toEqual(NO_GATE);
  });

  test("is set, unset and shown", async () => {
    const project = await addProject(server, alice, "https://127.0.0.1:9/");
    const show = () => server.perform<ProjectGate>("gate show", { project });
    await server.perform("gate edit", {
      project,
      minScore: "80",
      minCategory: ["tls=12", "headers=10.5"],
      require: "hdr.hsts, tls",
      maxDrop: "5",
      failOnNew: true,
    });
    const set = {
      minScore: 80,
      minCategory: { tls: 12, headers: 10.5 },
      require: ["hdr.hsts", "tls"],
      maxDrop: 5,
      failOnNew: true,
    };
    expect(await show()).toEqual({ ...set, accept: [] });
    const unset = { minScore: "none", minCategory: ["none"], require: "none", failOnNew: "none" };
    await server.perform("gate edit", { project, ...unset });
    expect(await show()).toEqual({ ...NO_GATE, maxDrop: 5 });
  });

  test("accepts a finding once per page, and at most fifty", async () => {
    const project = await addProject(server, alice, "https://127.0.0.1:9/");
    const accept = (rule: string, more: object = {}) =>
      server.perform<ProjectGate>("gate accept", { project, rule, ...given, ...more });
    await accept("hdr.csp");
    const { accept: list } = await accept("hdr.csp", { reason: "much later" });
    expect(list).toEqual([
      { rule: "hdr.csp", pages: null, reason: "much later", until: NEXT_YEAR },
    ]);
    for (let page = 1; page < MAX_ACCEPTED; page++) await accept("hdr.csp", { page: `/${page}` });
    await expect(accept("hdr.hsts")).rejects.toThrow("accepts 50 findings");
    const left = await server.perform<ProjectGate>("gate unaccept", { project, rule: "hdr.csp" });
    expect(left.accept).toEqual([]);
  });
});
