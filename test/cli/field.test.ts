import { describe, expect, test } from "vitest";
import * as z from "zod";
import { describeRun } from "../../cli/check/results.ts";
import { CheckList, GatedCheck, ProjectIncidentList } from "../../cli/client/json-output.ts";
import { parseCommandLine } from "../../cli/program.ts";
import { CliError, untranslated } from "../../cli/terminal/errors.ts";
import { checkField, pickField } from "../../cli/terminal/json.ts";
import { Check, Finding } from "../../shared/check.ts";
import { IncidentList } from "../../shared/incident.ts";
import { LastShipResponse } from "../../shared/last-ship.ts";
import { ProjectList } from "../../shared/project.ts";
import { CHECK } from "../harness/contract-double.ts";
import { expectRefused } from "./refused.ts";

test.each([
  ["", /^the result has no field $/],
  ["nonesuch", /no field nonesuch/],
  ["score.x", /no field score\.x/],
  ["findings.9", /no field findings\.9/],
  ["findings.-1", /no field findings/],
  ["findings.length", /no field findings\.length/],
  ["quota.toString", /no field quota\.toString/],
  ["__proto__", /no field __proto__/],
])("%j does not exist", (path, message) => {
  expect(() => pickField(CHECK, path)).toThrow(expect.objectContaining({ exitCode: 2 }));
  expect(() => pickField(CHECK, path)).toThrow(message);
});

test("the error lists the available fields", () => {
  const advices = ["quota.x", "score.x", "findings.9"].map((path) => {
    try {
      return pickField(CHECK, path);
    } catch (error) {
      return (error as CliError).advice?.en;
    }
  });
  expect(advices).toEqual([
    "quota has used, limit, remaining",
    "score has a single value",
    "findings has 4, numbered from 0",
  ]);
});

test.each([
  ["score", "59"],
  ["quota.remaining", "288"],
  ["findings.0.id", "hdr.csp"],
  ["preview", "false"],
  ["scoreRange", '{\n  "min": 59,\n  "max": 59\n}'],
])("%s is %s", (path, text) => expect(pickField(CHECK, path)).toBe(text));

test("null is an empty line, and line breaks in a text are removed", () => {
  expect(pickField({ lastShip: null }, "lastShip")).toBe("");
  expect(pickField({ url: "a\nb\u001b[1m" }, "url")).toBe("a b [1m");
});

const A = "https://a.example/";

describe("before anything is sent, --field is rejected if it names no field:", () => {
  test.each<[line: string, place: string]>([
    [`check ${A} --field scor`, "The result has id, url, finalUrl,"],
    [`check ${A} --field score.x`, "score has a single value"],
    [`check ${A} --field findings.id`, "findings has a number for each item, from 0"],
    [`check ${A} --field findings.0.titel`, "findings.0 has id, category,"],
    [`check ${A} --field __proto__`, "The result has"],
    [`check ${A} --field checks.0.score`, "The result has"],
    [`check ${A} --field`, "The result has"],
    [`check ${A} https://b.example/ --field score`, "The result has checks, errors"],
    ["check --urls urls.txt --field checks.0.gate.x", "checks.0.gate has met, conditions"],
    [`check ${A} --explain hdr.csp --field score`, "The result has id, category,"],
    ["projects --field projects.0.nam", "projects.0 has id, name,"],
    ["incidents --field incidents.url", "incidents has a number for each item"],
    ["doctor --field steps.0.name", "steps.0 has step, state, text, exitCode"],
    ["last-ship Shop --field score", "The result has lastShip"],
  ])("%s", async (line, place) => {
    const words = line.split(" ");
    const argv = words.at(-1) === "--field" ? [...words, ""] : words;
    await expectRefused(argv, {
      message: `this command knows no field '${argv.at(-1)}' of the result`,
      advice: expect.stringContaining(place),
    });
  });

  test.each([
    `check ${A} --field gate.met`,
    `check ${A} --field gate`,
    "check --urls urls.txt --field checks.0.gate.conditions",
  ])("%s has no gate", async (line) => {
    await expectRefused(line.split(" "), {
      message: "the gate field exists only with a condition",
    });
  });

  test.each([
    `check ${A} --field findings.12.fixLine`,
    `check ${A} --field gate.conditions.0.text --min-score 80`,
    `check ${A} https://b.example/ --field checks.0.gate.met --require tls`,
    `check ${A} https://b.example/ --field checks.1.findings`,
    `check ${A} --explain hdr.csp --field blockedBy`,
    "check --urls urls.txt --field errors.0.exitCode",
    "incidents --field incidents.0.projectName",
    "last-ship Shop --field lastShip.score",
  ])("and %s is accepted", async (line) => {
    await expect(parseCommandLine(line.split(" "), "1.0.0")).resolves.toBeDefined();
  });
});

/** The path of every field of a JSON schema. */
function listPaths(schema: z.core.JSONSchema.BaseSchema, path = ""): string[] {
  const inner = schema.anyOf?.find((each) => typeof each === "object" && each.type !== "null");
  if (typeof inner === "object") return listPaths(inner, path);
  if (schema.items && typeof schema.items === "object" && !Array.isArray(schema.items))
    return listPaths(schema.items, `${path}.0`);
  const members = Object.entries(schema.properties ?? {});
  return members.flatMap(([name, member]) => [
    `${path}.${name}`,
    ...(typeof member === "object" ? listPaths(member, `${path}.${name}`) : []),
  ]);
}

test.each<[name: string, printed: z.core.$ZodType, schema: z.core.$ZodType]>([
  ["a check", GatedCheck, Check],
  ["a finding", Finding, Finding],
  ["projects", ProjectList, ProjectList],
  ["incidents", ProjectIncidentList, IncidentList],
  ["the last ship", LastShipResponse, LastShipResponse],
])("every field of %s in the API is known", (_, printed, schema) => {
  const paths = listPaths(z.toJSONSchema(schema)).map((path) => path.slice(1));
  expect(paths.length).toBeGreaterThan(3);
  for (const path of paths) expect(() => checkField(path, printed)).not.toThrow();
});

test("every field that the command adds to a check is known", () => {
  const subject = { url: A, as: A };
  const conditions = [{ asked: "--min-score 80", isMet: true, brief: "", text: "score 90" }];
  const pages = [
    { ...subject, check: CHECK, gate: { conditions, result: "met" } as const },
    { ...subject, error: new CliError(40, untranslated("refused"), untranslated("Fix it")) },
  ];
  const list = describeRun(pages, true);
  const known = (value: unknown, path: string[]): void => {
    if (path.length > 0) checkField(path.join("."), CheckList);
    if (typeof value !== "object" || value === null) return;
    for (const [name, member] of Object.entries(value)) known(member, [...path, name]);
  };
  expect(() => known(list, [])).not.toThrow();
  expect(Object.keys(list)).toEqual(["checks", "errors"]);
});
