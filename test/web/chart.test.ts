import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import type { ListedDeployment } from "../../server/db/projects/project-page.ts";
import {
  Chart,
  Sparkline,
  Strip,
  type ChartMark,
  type ChartSpan,
} from "../../server/web/kit/chart.tsx";
import { countOutages } from "../../server/web/pages/project/deployment-figures.ts";

const at = (hour: number) => new Date(Date.UTC(2026, 10, 1, hour));

/** A chart of the hours 0 to 10 with values by hour, as in `0:80 5:92`. */
function draw(values: string, spans: ChartSpan[] = []): string {
  const marks = values.split(" ").map((pair): ChartMark => {
    const [hour, value] = pair.split(":").map(Number) as [number, number];
    const of = { at: at(hour), value, title: `${value} & more` };
    return hour % 2
      ? { ...of, kind: "day" }
      : { ...of, kind: "deployment", href: `/ships/${hour}` };
  });
  const says = { description: "A score.", dates: ["1 Nov", "2 Nov", "3 Nov", "now"] };
  return renderToString(h(Chart, { ...says, marks, spans, from: at(0), to: at(10) }));
}

test.each<[string, values: string, path: string, bottom: number]>([
  ["small differences are seen", "0:95 5:100 10:98", "M0 16.7L50 0L100 6.7", 70],
  ["great ones too", "0:0 5:50 10:100", "M0 100L50 50L100 0", 0],
])("%s", (_, values, path, bottom) => {
  const html = draw(values);
  expect(html).toContain(`class="line" d="${path}"`);
  expect(html).toContain(`<span>${bottom}</span></div>`);
});

test("marks with a target are links with a title, and the last value is at the end", () => {
  const html = draw("0:80 5:90 10:100");
  expect(html).toContain(
    '<a href="/ships/0" tabindex="-1"><title>80 &amp; more</title><circle class="deployment" r="5.5" cx="0%"',
  );
  expect(html).toContain('<circle class="day" r="2.5" cx="50%"');
  expect(html).toMatch(/<text x="100%" y="0%"[^>]*>100<\/text>/);
  expect(html).toContain("<span>1 Nov</span><span>2 Nov</span><span>3 Nov</span><span>now</span>");
});

test.each<[string, from: number, to: number | null, x: string, width: string]>([
  ["a stretch of time is a strip", 1, 2, "10%", "10%"],
  ["one that goes on reaches the end", 9, null, "90%", "10%"],
  ["one that began before is cut", -5, 1, "0%", "10%"],
  ["a short one can be seen", 1, 1, "10%", "0.5%"],
  ["so can one at the end", 10, 10, "99.5%", "0.5%"],
])("%s", (_, from, to, x, width) => {
  const span = { title: "404", href: "/incidents/1", ...outage(from, to) };
  expect(draw("0:80 10:90", [span])).toContain(`x="${x}" y="93%" width="${width}"`);
});

test("a strip has a bar with text for each day, lower for worse days", () => {
  const bars = (["good", "warn", "bad", "none"] as const).map((tone) => ({ tone, title: tone }));
  const html = renderToString(h(Strip, { label: "Uptime", bars }));
  expect(
    [...html.matchAll(/height="(\d+)" role="img"><title>(\w+)/g)].map(([, ...bar]) => bar),
  ).toEqual([
    ["30", "good"],
    ["22", "warn"],
    ["14", "bad"],
    ["4", "none"],
  ]);
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
  kind: "announced",
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
  id: "inc_1",
  url: "https://example.com/",
  from: at(from),
  to: to === null ? null : at(to),
});

test("incidents count for the production deployment before their start", () => {
  const deployments = [
    deployment("c", 8),
    deployment("staging", 6, "staging"),
    deployment("b", 5),
    deployment("a", 2),
  ];
  const outages = [outage(1, 3), outage(2, 9), outage(6, 7), outage(7, null), outage(8, null)];
  expect(Object.fromEntries(countOutages(deployments, outages))).toEqual({ a: 1, b: 2, c: 1 });
});

test("deployments before the earliest of too many incidents get no count", () => {
  const outages = Array.from({ length: 100 }, () => outage(6, 7));
  const counts = countOutages([deployment("b", 8), deployment("a", 5)], outages);
  expect(Object.fromEntries(counts)).toEqual({ b: 0 });
});
