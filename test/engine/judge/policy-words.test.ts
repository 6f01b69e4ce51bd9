import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import type { Inline, Resource } from "../../../server/engine/evidence/html.ts";
import { evidenceWith, pageBody, pageHtml, setHeader, setMeta } from "./evidence-fixtures.ts";
import { getFinding } from "./finding-of.ts";

const REST = "object-src 'none'; base-uri 'none'";

const FILE = { nonce: "", integrity: "" };
const INLINE: Inline = {
  tag: "script",
  line: 14,
  offset: 1400,
  kind: "script",
  scheme: "",
  nonce: "",
  hashes: [],
  sha256: "",
  addsCode: false,
  isTracker: false,
};

/** A page with two scripts: by default one inline, one a file of the page's own host, without a nonce. */
function pageWith(policy: string, file: Partial<Resource> = {}, inline: Partial<Inline> = {}) {
  return evidenceWith((e) => {
    setHeader(e, "content-security-policy", policy);
    const html = pageHtml(e);
    Object.assign(html, { scriptCount: 2, inlines: [{ ...INLINE, ...inline }] });
    Object.assign(html.resources[0] ?? {}, { ...FILE, ...file });
  });
}

/** A page without scripts or files. */
function pageUnder(policy: string): Evidence {
  return evidenceWith((e) => {
    setHeader(e, "content-security-policy", policy);
    Object.assign(pageHtml(e), { scriptCount: 0, resources: [] });
  });
}

const BLOCKED = /blocks the page's own scripts/;
const HASH = `sha256-${"a".repeat(43)}`;
const CDN = "https://cdn.example.net/app.js";
const NONCED = { nonce: "r4nd0m" };

describe("a policy that blocks scripts of the page", () => {
  it.each<[string, string, Partial<Resource>?, Partial<Inline>?]>([
    ["'none'", `script-src 'none'; ${REST}`],
    ["'none' that can be bypassed too", "script-src 'none'"],
    ["an empty list", `script-src; ${REST}`],
    ["a sandbox", "sandbox"],
    ["strict-dynamic without a nonce", `script-src 'strict-dynamic'; ${REST}`],
    ["strict-dynamic beside a host", `script-src 'self' 'strict-dynamic'; ${REST}`],
    ["a keyword without quotes", `script-src self; ${REST}`],
    ["a nonce without quotes", `script-src nonce-r4nd0m; ${REST}`, NONCED, NONCED],
    ["a nonce with one quote", `script-src 'nonce-r4nd0m; ${REST}`, NONCED, NONCED],
    ["a nonce that was never drawn", `script-src 'nonce-{random}'; ${REST}`, NONCED, NONCED],
    ["a nonce of another answer", `script-src 'nonce-An0ther'; ${REST}`, NONCED, NONCED],
    ["a nonce that the file lacks", `script-src 'nonce-r4nd0m'; ${REST}`, {}, NONCED],
    ["a nonce that the inline one lacks", `script-src 'nonce-r4nd0m'; ${REST}`, NONCED],
    ["the hash of another script", `script-src 'self' 'sha256-AbCd='; ${REST}`],
    ["a hash, for a file", `script-src '${HASH}='; ${REST}`, {}, { hashes: [HASH] }],
    ["another host", `script-src cdn.example.net; ${REST}`],
    ["subdomains alone", `script-src *.www.example.com; ${REST}`],
    ["'self', where one is inline", `script-src 'self'; ${REST}`],
    ["'self', for another port", `script-src 'self'`, { url: "https://www.example.com:8443/a.js" }],
    ["no elements", `script-src 'self'; script-src-elem 'none'; ${REST}`],
    ["the second of two", `script-src * 'unsafe-inline', script-src 'self'`],
    ["another folder", `script-src https://www.example.com/js/ 'unsafe-inline'`],
  ])("earns nothing, with the reason: %s", (_why, policy, file, inline) => {
    const evidence = pageWith(policy, file, inline);
    const finding = getFinding("hdr.csp", evidence);
    expect(finding).toMatchObject({ status: "fail", earned: 0 });
    expect(finding.evidence).toMatch(BLOCKED);
    expect(getFinding("asset.blocked", evidence).status).toBe("fail");
    expect(getFinding("hdr.csp", evidence, "fr").evidence).toMatch(
      /bloque les scripts de la page elle-même/,
    );
  });

  it.each<[string, string, Partial<Resource>?, Partial<Inline>?]>([
    ["a nonce", `script-src 'nonce-r4nd0m' 'strict-dynamic'; ${REST}`, NONCED, NONCED],
    ["a hash", `script-src 'self' '${HASH}='; ${REST}`, {}, { hashes: [HASH] }],
    [
      "a hash that the file's integrity has",
      `script-src '${HASH}=' 'strict-dynamic'; ${REST}`,
      { integrity: `${HASH}=` },
      { hashes: [HASH] },
    ],
    [
      "inline scripts and a host",
      `script-src https://WWW.example.com/app.3f9c2b1a.js 'unsafe-inline'`,
    ],
    ["subdomains", `script-src *.example.com 'unsafe-inline'`],
    ["a scheme", `script-src https: 'unsafe-inline'`],
    [
      "a hash of an address, which is not known",
      `script-src 'url-${HASH}='`,
      {},
      { isTracker: true },
    ],
    ["inline elements", `script-src 'none'; script-src-elem 'self' 'unsafe-inline'; ${REST}`],
    ["an inline script that counts visits", `script-src 'self'`, {}, { isTracker: true }],
    ["another site's file", `script-src 'nonce-r4nd0m'`, { url: CDN }, NONCED],
    [
      "what a network puts in",
      `script-src 'nonce-r4nd0m'`,
      { url: "https://www.example.com/cdn-cgi/a.js" },
      NONCED,
    ],
  ])("is distinguished from one that allows them: %s", (_why, policy, file, inline) => {
    const evidence = pageWith(policy, file, inline);
    expect(getFinding("hdr.csp", evidence).evidence).not.toMatch(BLOCKED);
    expect(getFinding("asset.blocked", evidence).status).not.toBe("fail");
  });

  it("is not assumed if a meta comes after the scripts", () => {
    const silent = (offset: number) => {
      const evidence = pageWith("frame-ancestors 'none'");
      setMeta(evidence, "content-security-policy", `script-src 'none'; ${REST}`);
      Object.assign(pageHtml(evidence).metas.at(-1) ?? {}, { offset });
      return getFinding("hdr.csp", evidence).evidence;
    };
    expect(silent(1100)).toMatch(BLOCKED);
    expect(silent(1500)).toMatch(/^Strict policy/);
  });

  it("is unknown if the page could not be read", () => {
    const evidence = pageWith(`script-src 'self'; ${REST}`);
    Object.assign(pageBody(evidence), { state: "unsupported", html: null });
    expect(getFinding("hdr.csp", evidence).status).toBe("unknown");
  });

  it.each([
    ["script-src self", /^Write 'self', with its quotes, in script-src\.$/],
    ["script-src 'nonce-r4nd0m", /^Write 'nonce-r4nd0m', with its quotes/],
    ["script-src 'strict-dynamic'", /allow them by a nonce/],
  ])("%s gets a fix that names the missing part", (policy, fix) => {
    expect(getFinding("hdr.csp", pageWith(`${policy}; ${REST}`)).fix).toMatch(fix);
  });
});

describe("a policy without rules for scripts", () => {
  it.each([
    "upgrade-insecure-requests",
    "frame-ancestors 'none'",
    "object-src 'none'; base-uri 'none'",
    "style-src 'self'; img-src *",
    "sandbox allow-scripts",
  ])("earns no more than report-only: %s", (policy) => {
    const finding = getFinding("hdr.csp", pageUnder(policy));
    expect(finding).toMatchObject({ status: "partial", earned: 2 });
    expect(finding.evidence).toMatch(/says nothing about scripts/);
  });

  it.each(["script-src *", "default-src *", "script-src-elem 'self'"])(
    "is distinguished from one with such rules: %s",
    (policy) => {
      expect(getFinding("hdr.csp", pageUnder(policy)).earned).toBe(3);
    },
  );
});

describe("the description of a policy", () => {
  it.each([
    ["default-src *", "default-src *"],
    ["default-src * 'unsafe-inline'", "default-src 'unsafe-inline', default-src *"],
    ["script-src *; object-src *", "script-src *, object-src *"],
  ])("names each hole of %s once", (policy, holes) => {
    expect(getFinding("hdr.csp", pageUnder(policy)).evidence).toContain(
      `The policy can be bypassed (${holes}): ${policy}.`,
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
  ])("explains why browsers ignore all of %s", (policy, seen, fix) => {
    const finding = getFinding("hdr.csp", pageUnder(policy));
    expect(finding.status).toBe("fail");
    expect(finding.evidence).toMatch(/^Browsers ignore the policy \(/);
    expect(finding.evidence).toContain(seen);
    expect(finding.fix).toContain(fix);
  });

  it.each(["", ";"])("says that %j is no policy", (policy) => {
    const evidence = pageUnder(policy);
    expect(getFinding("hdr.csp", evidence).evidence).toMatch(
      /^The page has no content security policy\./,
    );
    expect(getFinding("hdr.valid", evidence).status).toBe("fail");
  });

  it("says that a value is empty", () => {
    const finding = getFinding("hdr.valid", pageUnder(""));
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
    ["script-src self", "it has no single quotes", "Write 'self' in script-src."],
    ["script-src 'self'; hello", "hello is not a directive", "hello"],
    ["hello, script-src 'self'", "hello is not a directive", "hello"],
  ])("of %s is reported", (policy, seen, fix) => {
    const finding = getFinding("hdr.valid", pageUnder(policy));
    expect(finding.status).toBe("fail");
    expect(finding.evidence).toContain(seen);
    expect(finding.fix).toContain(fix);
  });

  it.each([
    "default-src 'self'; script-src 'self'",
    "trusted-types default dompurify",
    "img-src sandbox.example.com script-src.example.com",
    "report-to csp-endpoint",
  ])("is not reported for %s", (policy) => {
    expect(getFinding("hdr.valid", pageUnder(policy)).status).toBe("pass");
  });

  it("is described in French", () => {
    const evidence = pageUnder("default-src 'self' script-src 'self'");
    expect(getFinding("hdr.valid", evidence, "fr").evidence).toContain(
      "il manque un point-virgule devant script-src",
    );
  });
});
