import { readFile } from "node:fs/promises";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { Config } from "../../cli/config/schema.ts";
import { describeRun } from "../../cli/check/results.ts";
import { INCIDENTS, LAST_SHIP, PROJECTS } from "../harness/contract-double.ts";
import { answerWithStatus, judge, UNCHECKED, UNMET } from "../cli/reports/runs.ts";

/** Makes a schema refuse members that it does not name. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.entries(schema).map(([key, member]) => [key, close(member)]);
  return {
    ...Object.fromEntries(members),
    ...("properties" in schema && { additionalProperties: false }),
  };
}

async function listFaults(name: string, value: unknown): Promise<string[]> {
  const path = `../../docs/schemas/${name}.schema.json`;
  const text = await readFile(new URL(path, import.meta.url), "utf8");
  const ajv = new Ajv.default({ allErrors: true, strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile(close(JSON.parse(text)) as object);
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const blocked = judge(answerWithStatus(500));
const [incident] = INCIDENTS.incidents;
const OUTPUTS: readonly (readonly [schema: string, value: unknown])[] = [
  ["check", describeRun([UNMET], false)],
  ["check", describeRun([blocked], false)],
  ["checks", describeRun([UNMET], true)],
  ["checks", describeRun([UNMET, UNCHECKED], true)],
  ["projects", PROJECTS],
  ["incidents", INCIDENTS],
  ["all-incidents", { incidents: [{ ...incident, projectId: "prj_1" }] }],
  ["all-incidents", { incidents: [{ ...incident, projectId: "prj_1", projectName: "Blog" }] }],
  ["last-ship", LAST_SHIP],
  ["last-ship", { lastShip: null }],
  [
    "rule",
    {
      id: "hdr.csp",
      category: "headers",
      points: 8,
      title: "CSP",
      measures: "What.",
      why: "Why.",
      fix: "How.",
      cap: null,
      fixLine: null,
    },
  ],
];

test("docs/schemas/config.schema.json accepts the file of docs/command.md, and describes each member", async () => {
  const page = await readFile(new URL("../../docs/command.md", import.meta.url), "utf8");
  const file = JSON.parse(/```json\n([^]*?)```/.exec(page)?.[1] ?? "") as object;
  expect(await listFaults("config", file)).toEqual([]);
  const config = Config.parse(file);
  expect(await listFaults("config", { ...config, gates: {} })).not.toEqual([]);
  expect(await listFaults("config", { ...config, gate: { minScore: 101 } })).not.toEqual([]);
  const schema = await readFile(
    new URL("../../docs/schemas/config.schema.json", import.meta.url),
    "utf8",
  );
  const { properties } = JSON.parse(schema) as { properties: Record<string, object> };
  for (const [name, member] of Object.entries(properties))
    expect(JSON.stringify(member), name).toContain("description");
});

test.each(OUTPUTS)(
  "docs/schemas/%s.schema.json, closed, rejects an unknown member",
  async (name, value) => {
    expect(await listFaults(name, { ...(value as object), isNew: true })).toEqual([
      " must NOT have additional properties",
    ]);
  },
);

test.each(OUTPUTS)(
  "docs/schemas/%s.schema.json, closed, accepts the output of --json",
  async (name, value) => {
    expect(await listFaults(name, value)).toEqual([]);
  },
);
