import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import type { ListedDeployment } from "../../server/db/projects/project-page.ts";
import { Chart, Sparkline, type ChartPoint, type ChartSpan } from "../../server/web/kit/chart.tsx";
import { countOutages } from "../../server/web/pages/project/history.tsx";

const at = (hour: number) => new Date(Date.UTC(2026, 10, 1, hour));

/** The path of a kind in a chart of the hours 0 to 10 and the values 0 to 100. */
function draw(kind: string, points: ChartPoint[], spans: ChartSpan[] = []): string | undefined {
  const [from, to] = [at(0), at(10)];
  const says = { label: "Score", description: "A score.", ends: ["then", "now"] as const };
  const html = renderToString(h(Chart, { ...says, points, spans, from, to, top: 100 }));
  return new RegExp(`class="${kind}" d="([^"]*)"`).exec(html)?.[1];
}

/** Pairs of numbers, as in `0:50 10:100`; none is null. */
const pairsOf = (text: string) =>
  text.split(" ").map((pair) => {
    const [one = "", other] = pair.split(":");
    return [Number(one), other === "none" ? null : Number(other)] as const;
  });

test.each<[string, kind: string, points: string, path: string | undefined]>([
  ["no value has no dot", "dots", "5:none", undefined],
  ["no value has a mark on the axis", "ticks", "5:none", "M500 100v-5"],
  ["one value is a dot", "dots", "5:40", "M500 60h0"],
  ["one value is no line", "line", "5:40", undefined],
  ["values are a line from left to right", "line", "0:0 5:50 10:100", "M0 100L500 50L1000 0"],
  ["what has no value interrupts no line", "line", "0:0 5:none 10:100", "M0 100L1000 0"],
])("%s", (_, kind, points, path) => {
  const drawn = pairsOf(points).map(([hour, value]) => ({ at: at(hour), value }));
  expect(draw(kind, drawn)).toBe(path);
});

test.each<[string, spans: string, path: string]>([
  ["a stretch of time is a strip", "1:2", "M100 95H200v5H100z"],
  ["one that goes on reaches the end", "9:none", "M900 95H1000v5H900z"],
  ["one that began before is cut", "-5:1", "M0 95H100v5H0z"],
  ["a short one can be seen", "1:1", "M100 95H104v5H100z"],
  ["those that touch are one", "2:3 1:2 2:2", "M100 95H300v5H100z"],
  ["others are apart", "1:2 3:4", "M100 95H200v5H100zM300 95H400v5H300z"],
])("%s", (_, spans, path) => {
  const drawn = pairsOf(spans).map(([from, to]) => outage(from, to));
  expect(draw("spans", [], drawn)).toBe(path);
});

test.each<[values: number[], path: string]>([
  [[50], "M80 10h0"],
  [[0, 100], "M0 20L80 0"],
  [[0, 100, 50], "M0 20L40 0L80 10"],
])("a sparkline of %s", (values, path) => {
  expect(renderToString(h(Sparkline, { values, description: "Scores" }))).toContain(`d="${path}"`);
});

const deployment = (id: string, hour: number, environment = "production"): ListedDeployment => ({
  id,
  url: "https://example.com/",
  environment,
  commit: null,
  ref: null,
  deployedAt: at(hour),
  check: null,
  isQueued: true,
  failure: null,
});
const outage = (from: number, to: number | null) => ({
  from: at(from),
  to: to === null ? null : at(to),
});

test("incidents are counted for the production deployment before their beginning", () => {
  const deployments = [
    deployment("c", 8),
    deployment("staging", 6, "staging"),
    deployment("b", 5),
    deployment("a", 2),
  ];
  const outages = [outage(1, 3), outage(2, 9), outage(6, 7), outage(7, null), outage(8, null)];
  expect(Object.fromEntries(countOutages(deployments, outages))).toEqual({ a: 1, b: 2, c: 1 });
});

test("before the earliest of too many incidents nothing is counted", () => {
  const outages = Array.from({ length: 100 }, () => outage(6, 7));
  const counts = countOutages([deployment("b", 8), deployment("a", 5)], outages);
  expect(Object.fromEntries(counts)).toEqual({ b: 0 });
});
