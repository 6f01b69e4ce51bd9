import { describe, expect, test } from "vitest";
import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import { normalizeHash } from "../../../server/engine/evidence/source-hash.ts";
import { openSecrets } from "../../../server/engine/requests/privacy/secrets.ts";
import { judge, scoreEvidence, scoreOf } from "../../../server/engine/judge/score.ts";
import { ONE_IN } from "../../harness/thorough.ts";
import { CASES } from "./cases/all.ts";
import { evidenceWith, pageHop, pageHtml, setHeader, setMeta } from "./evidence-fixtures.ts";
import { getFinding } from "./finding-of.ts";
import { FIX_CASES } from "./fix-cases.ts";
import { LINE_CASES } from "./fix-line-cases.ts";

describe("a finding describes what was found, and how to fix it", () => {
  for (const [id, why, edit, seen, fix, line] of FIX_CASES)
    test(`${id}: ${why}`, () => {
      for (const language of ["fr", "en"] as const) {
        const finding = getFinding(id, evidenceWith(edit), language);
        expect(finding.evidence).toMatch(seen);
        expect(finding.fix).toMatch(fix);
        if (line !== undefined) expect(finding.fixLine).toBe(line);
      }
    });
});

describe("the line to paste is complete and certain", () => {
  test.each(LINE_CASES)("%s: %s", (id, _why, edit, line) => {
    const evidence = evidenceWith(edit);
    expect(getFinding(id, evidence).fixLine).toBe(line);
    expect(getFinding(id, evidence, "fr").fixLine).toBe(line);
  });
});

describe("a line with a masked value is not offered for pasting:", () => {
  const PAGE = new URL("https://www.example.com/");
  test.each(
    "493821057 dqw4w9xy 3f9c2b1a77 correcthorsestaple Tr0ub4dor-bypass ann@example.org".split(" "),
  )("%s", async (value) => {
    const policy = `script-src 'self' https://cdn.example/${value}/; object-src 'none'; base-uri 'self'`;
    const evidence = evidenceWith((e) => {
      setHeader(e, "content-security-policy");
      setHeader(e, "content-security-policy-report-only", policy);
      pageHtml(e).resources = [];
    });
    const secrets = openSecrets({}, new URL(`/?q=${value}`, PAGE));
    const hidden = await secrets.hide(evidence);
    expect(getFinding("hdr.csp", evidence).fixLine).toContain(value);
    expect(getFinding("hdr.csp", hidden).fixLine).toBeNull();
  });
});

const EDITS = [
  ...CASES.map(([, , , edit]) => edit),
  ...FIX_CASES.map(([, , edit]) => edit),
  ...LINE_CASES.map(([, , edit]) => edit),
].filter((_, index) => index % ONE_IN === 0);

/** Sentences that refer to a line to paste. "Remove this header" refers to what the page sends. */
const REFERS_TO_LINE =
  /(?:^|[.,] )(?:[Uu]se|(?:[Ff]irst )?[Ss]end) this\b|[Ww]ith this\b.* header|this one, in|(?:[Uu]tilisez|[Ee]nvoyez)(?: d'abord)? ce(?:t|tte)?\b|avec ce(?:t|tte) en-tête|celle-ci, dans/;

describe("for any page", () => {
  test("a sentence refers to a line only if there is one", () => {
    const findings = EDITS.flatMap((edit) => {
      const judged = judge(evidenceWith(edit));
      return [...scoreOf(judged, "fr").findings, ...scoreOf(judged, "en").findings];
    }).filter(({ fix }) => REFERS_TO_LINE.test(fix));
    expect(findings.length).toBeGreaterThan(100 / ONE_IN);
    const faults = findings.filter(({ fixLine }) => fixLine === null);
    expect(faults.map(({ id, fix }) => [id, fix])).toEqual([]);
  });

  test("a line can be pasted, is the same in both languages, is not in the sentence, and its finding cost points", () => {
    let count = 0;
    const faults: unknown[] = [];
    for (const edit of EDITS) {
      const judged = judge(evidenceWith(edit));
      const french = scoreOf(judged, "fr").findings;
      const english = scoreOf(judged, "en").findings;
      for (const [index, { id, fix, fixLine, earned, points }] of english.entries()) {
        const other = french[index];
        if (other?.fixLine !== fixLine) faults.push([id, fixLine, other?.fixLine]);
        if (fixLine === null) continue;
        count++;
        for (const line of fixLine.split("\n")) {
          if (!/^[\x20-\x7e]{1,1000}$/.test(line)) faults.push([id, line]);
          for (const sentence of [fix, other?.fix ?? ""])
            if (sentence.includes(line)) faults.push([id, sentence, line]);
        }
        if (earned >= points) faults.push([id, earned, points]);
      }
    }
    expect(faults).toEqual([]);
    expect(count).toBeGreaterThan(100 / ONE_IN);
  });
});

const EMBEDDER = "cross-origin-embedder-policy";

/** Sends the header of a line with the page: a policy beside the others, a trial of an embedder's policy in its place. */
function paste(evidence: Evidence, line: string): void {
  const [, name = "", value = ""] = /^([A-Za-z-]+): (.*)$/.exec(line) ?? [];
  const header = name.toLowerCase();
  const isPolicy = header === "content-security-policy";
  const before = pageHop(evidence).headers.filter(([other]) => isPolicy && other === header);
  if (header === `${EMBEDDER}-report-only`) setHeader(evidence, EMBEDDER);
  setHeader(evidence, header, ...before.map(([, one]) => one), value);
}

/** What a header of the page cannot fix alone: files of their own, bytes of the page, a cache on the way. */
const NOT_BY_HEADER = [
  "perf.cache-assets",
  "html.charset",
  "reach.html",
  "cookie.shared",
  "seo.robots",
];

const META = /^<meta http-equiv="Content-Security-Policy" content="([^"]*)">$/;

test("a pasted meta policy earns points and blocks nothing", () => {
  let count = 0;
  for (const [id, , edit] of LINE_CASES) {
    const { earned, fixLine } = getFinding(id, evidenceWith(edit));
    const [, content] = META.exec(fixLine ?? "") ?? [];
    if (content === undefined) continue;
    const fixed = evidenceWith(edit);
    const before = getFinding("asset.blocked", fixed);
    const own = pageHtml(fixed).metas.filter(({ name }) => name === "content-security-policy");
    const isExtended = own.some((one) => content.startsWith(one.content.replace(/;$/, "")));
    const kept = isExtended ? [] : own.map((one) => one.content);
    setMeta(fixed, "content-security-policy", content, ...kept);
    for (const inline of pageHtml(fixed).inlines)
      if (content.includes(`'sha256-${inline.sha256}'`))
        inline.hashes = [normalizeHash("sha256", inline.sha256)];
    const after = getFinding(id, fixed);
    expect([fixLine, after.evidence, after.earned > earned]).toEqual([
      fixLine,
      after.evidence,
      true,
    ]);
    if (id !== MIXED)
      expect(getFinding("asset.blocked", fixed).earned).toBeGreaterThanOrEqual(before.earned);
    count++;
  }
  expect(count).toBeGreaterThan(10);
});

test("a report says once where headers belong", () => {
  const HEADERS = "strict-transport-security content-security-policy x-content-type-options";
  for (const server of [
    "nginx",
    "Apache",
    "Caddy",
    "Netlify",
    "Vercel",
    "cloudflare",
    "GitHub.com",
  ]) {
    const evidence = evidenceWith((e) => {
      setHeader(e, "server", server);
      for (const name of HEADERS.split(" ")) setHeader(e, name);
    });
    const { findings } = scoreEvidence(evidence, "en");
    const sentences = findings.flatMap(({ fix }) => fix.split(/(?<=\.) /)).filter(Boolean);
    const repeated = sentences.filter((one, index) => sentences.indexOf(one) !== index);
    expect(new Set(repeated.filter((one) => !one.includes("see the fix of “")))).toEqual(new Set());
    expect(repeated.some((one) => /see the fix of “/.test(one))).toBe(true);
  }
});

/** Its policy upgrades files that browsers refused before; asset.blocked judges them only then. */
const MIXED = "asset.mixed";

test("a pasted header earns points and blocks no file, whatever the page sent before", () => {
  let count = 0;
  for (const edit of EDITS) {
    const lines = scoreEvidence(evidenceWith(edit), "en").findings.filter(
      ({ id, fixLine }) => /^[A-Z][A-Za-z-]+: /.test(fixLine ?? "") && !NOT_BY_HEADER.includes(id),
    );
    for (const { id, earned, fixLine } of lines) {
      const fixed = evidenceWith(edit);
      const before = getFinding("asset.blocked", fixed);
      paste(fixed, fixLine?.split("\n")[0] ?? "");
      const after = getFinding(id, fixed);
      const { earned: unblocked } = getFinding("asset.blocked", fixed);
      if (id !== MIXED) expect(unblocked, fixLine ?? "").toBeGreaterThanOrEqual(before.earned);
      expect([id, fixLine, after.evidence, after.earned > earned]).toEqual([
        id,
        fixLine,
        after.evidence,
        true,
      ]);
      count++;
    }
  }
  expect(count).toBeGreaterThan(80 / ONE_IN);
});
