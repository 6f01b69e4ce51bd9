import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Checked, subjectOf } from "../../../cli/check/results.ts";
import { evaluateGate } from "../../../shared/report/gate.ts";
import { formatHtmlReport } from "../../../cli/reports/html.tsx";
import { cleanText } from "../../../cli/terminal/json.ts";
import { parsePage } from "../../harness/html.ts";
import { CHECK } from "../../harness/contract-double.ts";
import {
  ABOUT,
  answerWithStatus,
  CLEAN_RUNS,
  HOSTILE,
  judge,
  POISONED,
  UNCHECKED,
  UNMET,
} from "./runs.ts";

const pageOf = (...checked: readonly Checked[]) => parsePage(formatHtmlReport(checked, ABOUT));

describe.each(CLEAN_RUNS)("the HTML report of %s", (_, run) => {
  const { elements } = pageOf(...run);

  test("loads nothing, runs nothing and sends nothing", () => {
    const names = new Set(elements.map(({ name }) => name));
    for (const name of ["script", "img", "link", "iframe", "form", "base", "object"])
      expect(names).not.toContain(name);
    for (const { attributes } of elements)
      expect(Object.keys(attributes).join(" ")).not.toMatch(/\b(?:on\w+|src|style|srcdoc)\b/);
  });

  test("links only to the rules and within itself", () => {
    const targets = new Set(elements.map(({ attributes }) => `#${attributes["id"]}`));
    for (const { attributes } of elements)
      if (attributes["href"]?.startsWith("#")) expect(targets).toContain(attributes["href"]);
      else if (attributes["href"] !== undefined)
        expect(attributes["href"]).toMatch(/^https:\/\/shipscore\.example\/team\//);
  });
});

test("has a policy that allows only its own style", () => {
  const html = formatHtmlReport([UNMET], ABOUT);
  const style = /<style>([^<]*)<\/style>/.exec(html)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(html).toContain(
    `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
  );
});

test("shows hostile text as it is", () => {
  expect(pageOf(POISONED).text).toContain(
    cleanText("</script></style><img src=x onerror=alert(1)>"),
  );
  expect(pageOf(POISONED).text).not.toContain(HOSTILE);
});

test.each([
  ["the score", "59of 100"],
  ["the verdict", "Do not ship"],
  ["what caps it", "At most 59 A script of the page does not load."],
  ["the gate", "Not met: score 59, minimum 80"],
  ["a category", "headers14 of 18"],
  ["what to win", "+4.5A script or stylesheet does not load"],
  ["which finding caps it", "0 of 4.5 points, caps the score at 59, asset.broken"],
  ["what was seen", "GET https://www.example.com/app.js answered 404."],
  ["how to mend it", "Publish /app.js, or remove the script element on line 12."],
  [
    "what was not judged",
    "Not checked1perf.http2 unknownFoundThe handshake timed out.FixOffer h2.",
  ],
  ["what costs nothing", "The certificate is trusted tls.chainPassed5 of 5"],
])("contains %s", (_, text) => expect(pageOf(UNMET).text).toContain(text));

test("shows the line to paste as a separate code block", () => {
  const fixLine = "Content-Security-Policy: default-src 'self'; img-src <any>";
  const findings = CHECK.findings.map((finding) =>
    finding.id === "hdr.csp" ? { ...finding, fixLine } : finding,
  );
  expect(formatHtmlReport([judge({ ...CHECK, findings })], ABOUT)).toContain(
    `<pre class="fix-line"><code>Content-Security-Policy: default-src 'self'; img-src &lt;any></code></pre>`,
  );
  expect(formatHtmlReport([UNMET], ABOUT)).not.toContain("<pre");
});

test("describes in a finding what was found, why it matters and how to fix it, in this order", () => {
  const findings = CHECK.findings.map((one) => ({ ...one, why: "A reason." }));
  expect(pageOf(judge({ ...CHECK, findings })).text).toMatch(
    /Found.*Why it mattersA reason\.FixPublish/,
  );
});

test("says first that a page could not be assessed, and fills none of its bars", () => {
  const page = pageOf(judge(answerWithStatus(403)));
  expect(page.text).toMatch(
    /Inconclusive.*Not checked An access control responded.*reach\.status.*Categories/s,
  );
  expect(page.text).toContain("Security headersnot checked");
  expect(page.text.match(/An access control responded/g)).toHaveLength(1);
  const widths = page.elements.flatMap(({ attributes }) =>
    attributes["class"] === "full" ? Number(attributes["width"]) : [],
  );
  expect(widths.filter((width) => width === 0).length).toBeGreaterThan(2);
  expect(widths.filter((width) => width === 100)).toHaveLength(1);
});

test("contains only French words in French", () => {
  const about = { ...ABOUT, language: "fr" } as const;
  const gate = evaluateGate(CHECK, { minScore: 80 }, {}, "fr");
  const checked = { ...subjectOf(CHECK.url), check: CHECK, gate };
  const { elements, text } = parsePage(formatHtmlReport([checked, UNCHECKED], about));
  expect(elements[0]).toMatchObject({ name: "html", attributes: { lang: "fr" } });
  for (const part of [
    "Ship Scores de 2 pages",
    "Ne pas livrer",
    "Non vérifiée",
    "Conditions✗Non remplie\u00a0: score 59, minimum 80",
    "Règles 2026.1, vérification chk_1",
    "shipscore 1.2.3, 20 novembre 2026 à 08:35 UTC",
  ])
    expect(text).toContain(part);
  expect(text).not.toMatch(/Not checked|Gate|Found|Fix|points? not checked/);
});

test("has a table of contents for several pages, and the reason if one has no check", () => {
  const { elements, text } = pageOf(UNMET, UNCHECKED);
  expect(text).toContain("Ship Scores of 2 pages");
  expect(text).toContain("Not checkedthe monthly quota is used up. Wait until then.");
  expect(text).not.toContain("secret");
  const targets = elements.flatMap(({ attributes }) => attributes["href"] ?? []);
  const contents = targets.filter((target) => /^#page-\d+$/.test(target));
  expect(contents).toEqual(["#page-1", "#page-2"]);
});
