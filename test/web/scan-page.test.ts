import { describe, expect, test } from "vitest";
import type { Scan } from "../../server/scan/scans.ts";
import { isUnjudged } from "../../shared/report/obstacles.ts";
import { renderScanDetails, renderScanPage } from "../../server/web/pages/scan/scan-page.tsx";
import { scoreEvidence } from "../../server/engine/judge/score.ts";
import type { Evidence } from "../../server/engine/evidence/evidence.ts";
import { CHECK } from "../harness/contract-double.ts";
import { expectSoundPage } from "../harness/html.ts";
import { evidenceWith, pageHop, setHeader } from "../engine/judge/evidence-fixtures.ts";

const ID = "7Jr0PqkZt3bQmXw1YvN5Ds";
const NOW = new Date("2026-11-20T08:35:00.000Z");
const SITE = { origin: "https://score.example" };

const SCAN: Scan = {
  id: ID,
  url: "https://www.example.com/",
  state: "waiting",
  startedAt: "2026-11-20T08:30:00.000Z",
};

function render(changed: Partial<Scan>, language: "fr" | "en" = "en", deleteKey?: string) {
  const reader = { language, now: NOW };
  const scan = { ...SCAN, ...changed };
  const details = renderScanDetails(reader, scan);
  return renderScanPage({ reader, site: SITE, scan, details, deleteKey });
}

function checkOf(edit: Parameters<typeof evidenceWith>[0], language: "fr" | "en") {
  const { quota: _, ...check } = { ...CHECK, ...scoreEvidence(evidenceWith(edit), language) };
  return check;
}

/** The text as a reader sees it, without the spaces of French typography. */
const textOf = (html: string, language: "fr" | "en") =>
  expectSoundPage(html, language).text.replaceAll("\u00a0", " ");

describe.each([
  [{ state: "waiting" }, "In the queue", "En file d'attente"],
  [{ state: "waiting", position: 3 }, "In the queue, position 3", "En file d'attente, position 3"],
  [{ state: "running" }, "Starting", "Démarrage"],
  [{ state: "running", step: "vetting" }, "Resolving the site", "Résolution du nom du site"],
  [{ state: "running", step: "judging" }, "Calculating the score", "Calcul du score"],
  [{ state: "failed", failure: "Why it failed." }, "Why it failed.", "Why it failed."],
  [{ state: "failed" }, "The scan could not be finished.", "L'analyse n'a pas pu être terminée."],
] as const)("a scan that is %o", (scan, english, french) => {
  test("says so in both languages, and reloads itself until it has ended", () => {
    const html = render(scan, "en");
    expect(textOf(html, "en")).toContain(english);
    expect(textOf(render(scan, "fr"), "fr")).toContain(french);
    expect(html.includes('http-equiv="refresh"')).toBe(scan.state !== "failed");
    expect(html.includes('name="again"')).toBe(scan.state === "failed");
  });
});

const STRICT = "strict-transport-security";
const answering = (status: number) => (evidence: Evidence) =>
  void (pageHop(evidence).status = status);
describe.each<[string, Parameters<typeof evidenceWith>[0], string, string]>([
  ["a page that ships", () => {}, "Ship", "Bon à livrer"],
  [
    "a page without HSTS",
    (evidence) => setHeader(evidence, STRICT),
    "Without valid HSTS, the first request of a visit may be sent over http",
    "Sans HSTS valide, la première requête d'une visite peut être envoyée en http",
  ],
  ["a page that answers 500", answering(500), "Do not ship", "Ne pas livrer"],
  ["a page behind a login", answering(403), "Not checked", "Non vérifiée"],
])("the report of %s", (_, edit, english, french) => {
  test.each(["en", "fr"] as const)("is complete (%s)", (language) => {
    const check = checkOf(edit, language);
    const html = render({ state: "done", check }, language, "k".repeat(43));
    const text = textOf(html, language);
    expect(text).toContain(language === "en" ? english : french);
    for (const finding of check.findings) {
      const isNote = finding.points === 0 && !isUnjudged(finding);
      expect(text).toContain(isNote ? finding.evidence : finding.id);
    }
    expect(text).toContain(language === "en" ? "5 minutes ago" : "il y a 5 minutes");
    expect(text).toContain(language === "en" ? "20 December 2026" : "20 décembre 2026");
    expect(html.length).toBeLessThan(50_000);
  });
});

test("no text of the other language is in a report", () => {
  const french = textOf(render({ state: "done", check: checkOf(() => {}, "fr") }, "fr"), "fr");
  for (const word of ["Passed", " of ", "Fix", "Found", "Then fix", "ago", "Delete", "Scan"])
    expect(french).not.toContain(word);
});

/** Whatever a site may say of itself, in every text of its check. */
const HOSTILE: readonly [string, string][] = [
  ["markup", "</script></style></title><img src=x onerror=alert(1)><svg/onload=alert(1)>"],
  ["an end of an attribute", `" onfocus="alert(1)" autofocus="`],
  ["5,000 characters without a break", "w".repeat(5000)],
  ["bidirectional text", "\u202egnp.exe\u202c \u2066x\u2069 שלום"],
  ["control characters", "a\u0000b\u001b[31mc\u0085d\u2028e"],
  ["halves of characters and emoji", "\ud800 👩‍👩‍👧‍👦 \udfff"],
  ["templates", "{{constructor}} ${7*7} <%= 1 %>"],
];

function poison(value: unknown, words: string, key = ""): unknown {
  if (typeof value === "string")
    return /^(?:id|status|category|checkedAt|verdict)$/.test(key) ? value : words;
  if (Array.isArray(value)) return value.map((item) => poison(item, words));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, poison(one, words, name)]);
  return Object.fromEntries(entries);
}

describe.each(HOSTILE)("a check full of %s", (_, words) => {
  const check = poison(
    checkOf((evidence) => setHeader(evidence, "strict-transport-security"), "en"),
    words,
  ) as NonNullable<Scan["check"]>;
  const html = render({ url: words, state: "done", check });

  test("becomes no markup", () => {
    const sound = expectSoundPage(render({ state: "done", check: checkOf(() => {}, "en") }), "en");
    const page = expectSoundPage(html, "en");
    const names = new Set(sound.elements.map(({ name }) => name));
    for (const name of ["li", "strong", "ul", "ol", "dl", "dt", "dd", "article", "h3", "wbr"])
      names.add(name);
    for (const { name } of page.elements) expect(names).toContain(name);
    expect(page.all("script")).toHaveLength(1);
    expect(page.all("img")).toHaveLength(1);
    for (const { attributes } of page.elements)
      expect(Object.keys(attributes)).not.toContain("autofocus");
  });

  test("has only links to the rules", () => {
    for (const { href = "" } of expectSoundPage(html, "en").all("a"))
      expect(href).toMatch(
        /^(?:\/|\/docs\/\w+|\/about\/checks|\/projects(?:\/new\?url=[^"]+)?|)(?:#[\w.-]+)?$/,
      );
  });

  test("shows no control or bidirectional character", () => {
    expect(html.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/u);
  });
});

test.each([
  ["fr", 1, "0 sur 1 point,", "1 non vérifié"],
  ["fr", 2, "0 sur 2 points,", "2 non vérifiés"],
  ["en", 1, "0 of 1 point,", "1 not checked"],
  ["en", 2, "0 of 2 points,", "2 not checked"],
] as const)("%s: the plural is right for %d", (language, points, cost, unjudged) => {
  const check = checkOf(() => {}, language);
  const [first, second] = check.findings.slice(0, 2);
  if (!first || !second) throw new Error("no findings");
  Object.assign(first, { status: "fail", earned: 0, points });
  Object.assign(second, { status: "unknown", earned: 0, points });
  check.findings = [first, second];
  const text = textOf(render({ state: "done", check }, language), language);
  for (const part of [cost, unjudged]) expect(text).toContain(part);
});

test("the command is safe to paste, for any URL", () => {
  const url = "https://www.example.com/it's?a=***&b=$(id)`id`";
  const text = textOf(render({ url, state: "done", check: checkOf(() => {}, "en") }), "en");
  expect(text).toContain(
    "shipscore check 'https://www.example.com/it'\\''s?a=***&b=$(id)`id`' --min-score 80",
  );
});

test("its preview counts the report's costly findings, and not unassessed ones", () => {
  const check = checkOf(() => {}, "en");
  const [first, ...others] = check.findings;
  const findings = [{ ...first!, status: "unknown" as const, earned: 0 }, ...others];
  const html = render({ state: "done", check: { ...check, findings } });
  expect(html).toContain('<meta name="description" content="Ship. 0 rules cost points."/>');
});

test("each line to paste has its own block", () => {
  const check = checkOf((evidence) => {
    setHeader(evidence, "x-content-type-options");
    setHeader(evidence, "server", "Apache");
  }, "en");
  const html = render({ check });
  expect(html).toMatch(/<code[^>]*>X-Content-Type-Options: nosniff<\/code>/);
  expect(html).toMatch(
    /<code[^>]*>Header always set X-Content-Type-Options &quot;nosniff&quot;<\/code>/,
  );
  const names = html.match(/(?<=data-copies="paste-[^>]*aria-label=")[^"]+/g) ?? [];
  expect(names.length).toBeGreaterThan(1);
  expect(new Set(names).size).toBe(names.length);
});
