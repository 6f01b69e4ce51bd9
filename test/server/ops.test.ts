import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { SyntaxNodeRef } from "@lezer/common";
import { parser } from "@prometheus-io/lezer-promql";
import { parse as parseYaml } from "yaml";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { ROOT } from "../harness/package.ts";
import { useServer } from "../harness/server.ts";

/** test/slow/ops.test.ts has promtool check the rules, and when they fire. */
const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          labels: z.strictObject({ severity: z.enum(["critical", "warning"]) }),
          annotations: z.strictObject({
            summary: z.string(),
            description: z.string(),
            runbook: z.string(),
          }),
        }),
      ),
    }),
  ),
});
const Dashboard = z.looseObject({
  title: z.string(),
  templating: z.looseObject({ list: z.array(z.looseObject({ name: z.string() })) }),
  panels: z.array(
    z.looseObject({
      id: z.number(),
      title: z.string(),
      gridPos: z.strictObject({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.looseObject({ expr: z.string() })).optional(),
    }),
  ),
});

const readOps = (name: string) => readFile(join(ROOT, "ops", name), "utf8");
const rules = Rules.parse(parseYaml(await readOps("prometheus-rules.yml"))).groups.flatMap(
  (group) => group.rules,
);
const dashboard = Dashboard.parse(JSON.parse(await readOps("grafana-dashboard.json")));
const panels = dashboard.panels.filter(({ targets }) => targets !== undefined);

/** A selector of an expression: the metric, its labels, and the labels with a required value. */
interface Selector {
  metric: string;
  labels: string[];
  values: [label: string, value: string][];
}

/** Finds the selectors of an expression. Each gets all labels that the expression groups by. */
function readSelectors(expression: string): Selector[] {
  const text = expression.replaceAll("$__rate_interval", "5m");
  const selectors: Selector[] = [];
  const grouped: string[] = [];
  let label = "";
  let isGrouping = false;
  let isExact = false;
  parser.parse(text).iterate({
    enter({ name, type, from, to }: SyntaxNodeRef) {
      const words = text.slice(from, to);
      if (type.isError) throw new Error(`${expression}: what follows ${words} is not PromQL`);
      if (name === "VectorSelector") selectors.push({ metric: "", labels: [], values: [] });
      if (name === "GroupingLabels") isGrouping = true;
      const selector = selectors.at(-1);
      if (name === "Identifier" && selector) selector.metric = words;
      if (name === "LabelName" && isGrouping) grouped.push(words);
      else if (name === "LabelName") selector?.labels.push((label = words));
      if (name === "EqlSingle") isExact = true;
      if (name === "StringLiteral" && isExact) selector?.values.push([label, words.slice(1, -1)]);
      if (name === "StringLiteral") isExact = false;
    },
    leave({ name }) {
      if (name === "GroupingLabels") isGrouping = false;
    },
  });
  return selectors.map(({ metric, labels, values }) => ({
    metric,
    labels: [...labels, ...grouped],
    values,
  }));
}

/** Prometheus adds these itself. */
const ADDED_LABELS = new Set(["job", "instance"]);
const ADDED_METRICS = ["up"];

/** The served metrics, with the values of each label. */
const served = new Map<string, Map<string, Set<string>>>();

const server = useServer();
beforeAll(async () => {
  await server.request("/healthz");
  const text = await server.deps.metrics.registry.metrics();
  for (const [, metric = "", labels = ""] of text.matchAll(/^([a-z_]+)(?:\{(.*)\})? \S+$/gm)) {
    const values = served.get(metric) ?? new Map<string, Set<string>>();
    served.set(metric, values);
    for (const [, label = "", value = ""] of labels.matchAll(/(\w+)="([^"]*)"/g))
      values.set(label, (values.get(label) ?? new Set()).add(value));
  }
});

function expectServed(expression: string): void {
  const selectors = readSelectors(expression);
  expect(selectors).not.toEqual([]);
  for (const { metric, labels, values } of selectors) {
    if (ADDED_METRICS.includes(metric)) continue;
    expect([...served.keys()]).toContain(metric);
    const own = labels.filter((label) => !ADDED_LABELS.has(label));
    for (const label of own)
      expect([metric, [...(served.get(metric)?.keys() ?? [])]]).toEqual([
        metric,
        expect.arrayContaining([label]),
      ]);
    for (const [label, value] of values.filter(([name]) => own.includes(name))) {
      expect([...(served.get(metric)?.get(label) ?? [])]).toContain(value);
    }
  }
}

describe("a new server serves all metrics of", () => {
  test.each(rules)("the rule $alert", ({ expr }) => expectServed(expr));
  test.each(panels)("the panel $title", ({ targets = [] }) => {
    for (const { expr } of targets) expectServed(expr);
  });
});

test("an expression with an unknown metric, label or value is found", () => {
  expect(() => readSelectors("sum(rate(shipscore_looks_total[5m])")).toThrow("not PromQL");
  expect(() => expectServed("shipscore_books_total")).toThrow();
  expect(() => expectServed("sum by (colour) (shipscore_looks_total)")).toThrow();
  expect(() => expectServed('shipscore_looks_total{outcome="blue"}')).toThrow();
});

test("each rule links to its section in docs/operating.md", async () => {
  const page = await readFile(join(ROOT, "docs", "operating.md"), "utf8");
  const sections = [...page.matchAll(/^### (Shipscore\w+)$/gm)].map(([, name = ""]) => name);
  expect(sections).toEqual(rules.map(({ alert }) => alert));
  for (const { alert, annotations } of rules)
    expect(annotations.runbook).toBe(`docs/operating.md#${alert.toLowerCase()}`);
});

test("no two panels of the dashboard overlap", () => {
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
