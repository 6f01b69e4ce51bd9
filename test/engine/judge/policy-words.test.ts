import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import { scoreEvidence } from "../../../server/engine/judge/score.ts";
import { evidenceWith, pageBody, pageHtml, setHeader, setMeta } from "./evidence-fixtures.ts";

const REST = "object-src 'none'; base-uri 'none'";

function getFinding(id: string, evidence: Evidence, language: "fr" | "en" = "en") {
  const finding = scoreEvidence(evidence, language).findings.find((one) => one.id === id);
  if (!finding) throw new Error(`no finding for ${id}`);
  return finding;
}

type Scripts = NonNullable<NonNullable<NonNullable<Evidence["page"]["body"]>["html"]>["scripts"]>;

/** A page with two scripts: by default one inline, one a file of the page's own host, without a nonce. */
function pageWith(policy: string, scripts: Partial<Scripts> = {}): Evidence {
  return evidenceWith((e) => {
    setHeader(e, "content-security-policy", policy);
    Object.assign(pageHtml(e), {
      scriptCount: 2,
      scripts: {
        inlineCount: 1,
        nonceCount: 0,
        integrityCount: 0,
        firstOffset: 1200,
        origins: ["https://www.example.com"],
        ...scripts,
      },
    });
  });
}

const BLOCKED = /own scripts are blocked/;

describe("a policy that blocks every script of the page", () => {
  it.each<[string, string, Partial<Scripts>]>([
    ["'none'", `script-src 'none'; ${REST}`, {}],
    ["an empty list", `script-src; ${REST}`, {}],
    ["a sandbox", "sandbox", {}],
    ["strict-dynamic without a nonce", `script-src 'strict-dynamic'; ${REST}`, {}],
    ["strict-dynamic beside a host", `script-src 'self' 'strict-dynamic'; ${REST}`, {}],
    ["a keyword without quotes", `script-src self; ${REST}`, {}],
    ["a nonce without quotes", `script-src nonce-r4nd0m; ${REST}`, { nonceCount: 2 }],
    ["a nonce with one quote", `script-src 'nonce-r4nd0m; ${REST}`, { nonceCount: 2 }],
    ["a nonce that was never drawn", `script-src 'nonce-{random}'; ${REST}`, { nonceCount: 2 }],
    ["a nonce that no script bears", `script-src 'nonce-r4nd0m' 'strict-dynamic'; ${REST}`, {}],
    [
      "a hash, where all scripts are files",
      `script-src 'sha256-AbCd='; ${REST}`,
      { inlineCount: 0 },
    ],
    ["another host", `script-src cdn.example.net; ${REST}`, {}],
    ["subdomains alone", `script-src *.www.example.com; ${REST}`, {}],
    ["'self', where all scripts are inline", `script-src 'self'; ${REST}`, { origins: [] }],
    ["no elements", `script-src 'self'; script-src-elem 'none'; ${REST}`, {}],
    ["data:, where there is none", `script-src-elem data:; script-src 'none'; ${REST}`, {}],
  ])("is told so, and is not called strict: %s", (_why, policy, scripts) => {
    const { evidence } = getFinding("hdr.csp", pageWith(policy, scripts));
    expect(evidence).toMatch(BLOCKED);
    expect(evidence).not.toMatch(/[Ss]trict policy/);
    expect(getFinding("hdr.csp", pageWith(policy, scripts), "fr").evidence).toMatch(
      /bloque les scripts de la page/,
    );
  });

  it.each<[string, string, Partial<Scripts>]>([
    ["a nonce", `script-src 'nonce-r4nd0m' 'strict-dynamic'; ${REST}`, { nonceCount: 1 }],
    ["a hash, which may be that of the inline one", `script-src 'sha256-AbCd='; ${REST}`, {}],
    [
      "a hash, which may be that of a file",
      `script-src 'sha256-AbCd='; ${REST}`,
      { inlineCount: 0, integrityCount: 1 },
    ],
    ["'self'", `script-src 'self'; ${REST}`, {}],
    [
      "'self' on another port",
      `script-src 'self'; ${REST}`,
      { origins: ["https://www.example.com:8443"] },
    ],
    ["its host and a path", `script-src https://WWW.example.com/js/; ${REST}`, {}],
    ["subdomains", `script-src *.example.com; ${REST}`, {}],
    ["a scheme", `script-src https:; ${REST}`, {}],
    ["inline scripts", `script-src 'unsafe-inline'; ${REST}`, {}],
    ["inline elements", `script-src 'none'; script-src-elem 'unsafe-inline'; ${REST}`, {}],
    ["data:", `script-src data:; ${REST}`, { origins: ["data:"] }],
    ["more files than were looked at", `script-src cdn.example.net; ${REST}`, { origins: null }],
  ])("is not one that may let one in: %s", (_why, policy, scripts) => {
    expect(getFinding("hdr.csp", pageWith(policy, scripts)).evidence).not.toMatch(BLOCKED);
  });

  it.each([
    ["'none'", `script-src 'none'; ${REST}`, 7],
    ["'none', after 'self' for the rest", `default-src 'self'; script-src 'none'; ${REST}`, 7],
    ["a sandbox", "sandbox", 7],
    ["lost quotes", `script-src self; ${REST}`, 6],
    ["one lost quote", `script-src 'nonce-r4nd0m; ${REST}`, 6],
    ["strict-dynamic without a nonce", `script-src 'strict-dynamic'; ${REST}`, 6],
    ["'none' beside a host, which voids it", `script-src 'none' a.example; ${REST}`, 6],
  ])("earns all points only where it says so: %s", (_why, policy, earned) => {
    expect(getFinding("hdr.csp", pageWith(policy))).toMatchObject({ earned });
  });

  it("is none where a meta comes after the first script", () => {
    const silent = (offset: number) => {
      const evidence = pageWith("frame-ancestors 'none'");
      setMeta(evidence, "content-security-policy", `script-src 'none'; ${REST}`);
      Object.assign(pageHtml(evidence).metas.at(-1) ?? {}, { offset });
      return getFinding("hdr.csp", evidence).evidence;
    };
    expect(silent(1100)).toMatch(BLOCKED);
    expect(silent(1300)).toMatch(/^Strict policy/);
  });

  it("is none where the page was cut, and may have other scripts", () => {
    const evidence = pageWith(`script-src cdn.example.net; ${REST}`);
    pageBody(evidence).state = "over_limit";
    expect(getFinding("hdr.csp", evidence).evidence).not.toMatch(BLOCKED);
  });

  it("is told of one that can be bypassed too", () => {
    const finding = getFinding("hdr.csp", pageWith("script-src 'none'"));
    expect(finding).toMatchObject({ status: "partial", earned: 3 });
    expect(finding.evidence).toMatch(/^The policy can be bypassed \(object-src is missing\), and/);
    expect(finding.evidence).toMatch(BLOCKED);
  });

  it.each([
    ["script-src self", /^Write 'self', with its quotes, in script-src\.$/],
    ["script-src 'nonce-r4nd0m", /^Write 'nonce-r4nd0m', with its quotes/],
    ["script-src 'strict-dynamic'", /let them in by a nonce/],
  ])("%s is fixed by what it lacks", (policy, fix) => {
    expect(getFinding("hdr.csp", pageWith(`${policy}; ${REST}`)).fix).toMatch(fix);
  });
});

describe("a policy that says nothing of scripts", () => {
  it.each([
    "upgrade-insecure-requests",
    "frame-ancestors 'none'",
    "object-src 'none'; base-uri 'none'",
    "style-src 'self'; img-src *",
    "sandbox allow-scripts",
  ])("earns no more than report-only: %s", (policy) => {
    const finding = getFinding("hdr.csp", pageWith(policy));
    expect(finding).toMatchObject({ status: "partial", earned: 2 });
    expect(finding.evidence).toMatch(/says nothing of scripts/);
  });

  it.each(["script-src *", "default-src *", "script-src-elem 'self'"])(
    "is not one that does: %s",
    (policy) => {
      expect(getFinding("hdr.csp", pageWith(policy)).earned).toBe(3);
    },
  );
});

describe("the words of a policy", () => {
  it.each([
    ["default-src *", "default-src *"],
    ["default-src * 'unsafe-inline'", "default-src 'unsafe-inline', default-src *"],
    ["script-src *; object-src *", "script-src *, object-src *"],
  ])("name each hole of %s once", (policy, holes) => {
    expect(getFinding("hdr.csp", pageWith(policy)).evidence).toContain(
      `The policy can be bypassed (${holes}): ${policy}. `,
    );
  });

  it.each([
    ["default-src: 'self'", "in place of the colon", "in place of the colon."],
    [
      "default-src ‘self’",
      "because of its curly quotes",
      "Use straight quotes: default-src 'self'",
    ],
    ["hello world", "hello is not a directive", "hello"],
  ])("say why browsers ignore all of %s", (policy, seen, fix) => {
    const finding = getFinding("hdr.csp", pageWith(policy));
    expect(finding.status).toBe("fail");
    expect(finding.evidence).toMatch(/^Browsers ignore the policy that is sent \(/);
    expect(finding.evidence).toContain(seen);
    expect(finding.fix).toContain(fix);
  });

  it.each(["", ";"])("say that %j is no policy", (policy) => {
    const evidence = pageWith(policy);
    expect(getFinding("hdr.csp", evidence).evidence).toMatch(/^No content security policy\./);
    expect(getFinding("hdr.valid", evidence).status).toBe("fail");
  });

  it("says that a value is empty", () => {
    const finding = getFinding("hdr.valid", pageWith(""));
    expect(finding.evidence).toContain("content-security-policy: an empty value");
  });
});

describe("a fault of a policy", () => {
  it.each([
    [
      "default-src 'self' script-src 'self'",
      "a semicolon is missing before script-src",
      "Put a semicolon before script-src.",
    ],
    ["upgrade-insecure-requests default-src 'self'", "semicolon", "before default-src."],
    ["script-src 'self' Object-Src 'none'", "semicolon is missing before Object-Src", "semicolon"],
    ["report-uri /r script-src 'self'", "semicolon", "before script-src"],
    [
      "default-src ‘self’",
      "default-src ‘self’ is ignored, because of its curly quotes",
      "straight quotes: default-src 'self'",
    ],
    ["img-src *; script-src “self”", "script-src “self” is ignored", "script-src 'self'"],
    ["img-src\ufffd'self'", "is not ASCII", "no-break spaces"],
    [
      "default-src: 'self'",
      "default-src: is not a directive: a space is needed in place of the colon",
      "After default-src, put a space in place of the colon.",
    ],
    ["default-src='self'", "equals sign", "equals sign"],
    ["script-src'self'", "before the quote", "After script-src, put a space before the quote."],
    ['script-src "self"', '"self" is not in single quotes', "Write 'self' in script-src."],
    ["script-src 'nonce-abc", "is not in single quotes", "Write 'nonce-abc' in script-src."],
    ["script-src self", "it has no quotes", "Write 'self' in script-src."],
    ["script-src 'self'; hello", "hello is not a directive", "hello"],
    ["hello, script-src 'self'", "hello is not a directive", "hello"],
  ])("of %s is told", (policy, seen, fix) => {
    const finding = getFinding("hdr.valid", pageWith(policy));
    expect(finding.status).toBe("fail");
    expect(finding.evidence).toContain(seen);
    expect(finding.fix).toContain(fix);
  });

  it.each([
    "default-src 'self'; script-src 'self'",
    "trusted-types default dompurify",
    "img-src sandbox.example.com script-src.example.com",
    "report-to csp-endpoint",
  ])("is none of %s", (policy) => {
    expect(getFinding("hdr.valid", pageWith(policy)).status).toBe("pass");
  });

  it("says so in French", () => {
    const evidence = pageWith("default-src 'self' script-src 'self'");
    expect(getFinding("hdr.valid", evidence, "fr").evidence).toContain(
      "il manque un point-virgule devant script-src",
    );
  });
});
