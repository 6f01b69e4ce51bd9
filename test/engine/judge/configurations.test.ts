import { describe, expect, inject, test } from "vitest";
import { judge, scoreOf } from "../../../server/engine/judge/score.ts";
import type { Finding } from "../../../shared/check.ts";
import { RULESET } from "../../../server/engine/judge/ruleset.ts";
import {
  findWebServer,
  hasHttp2Directive,
  loadSnippet,
  type WebServer,
} from "../../harness/web-servers.ts";
import { CASES } from "./cases/all.ts";
import { findFault, listConfigurations, type Configuration } from "./configurations.ts";
import { evidenceWith } from "./evidence-fixtures.ts";
import { judgeBy } from "./finding-of.ts";
import { FIX_CASES } from "./fix-cases.ts";

const EDITS = [
  ...CASES.map(([id, , , edit]) => [id, edit] as const),
  ...FIX_CASES.map(([id, , edit]) => [id, edit] as const),
];
/** The finding of each case, and with `--mode all` those of the other rules, in both languages. */
const FINDINGS = EDITS.map(([id, edit]) => {
  const evidence = evidenceWith(edit);
  const judged = inject("isThorough") ? judge(evidence) : judgeBy(id, evidence);
  return (["fr", "en"] as const).map((language) => scoreOf(judged, language).findings);
});

type Advice = Pick<Finding, "fix" | "fixLine">;

/** A fix, then its lines to paste. */
const join = ({ fix, fixLine }: Advice) => (fixLine === null ? fix : `${fix}\n${fixLine}`);

/** Every fix there is, in both languages: those of the rules, and those that a case led to. */
const FIXES = new Set(
  [
    ...RULESET.rows.flatMap(({ rule: { fix } }) =>
      [fix.fr, fix.en].map((words) => ({ fix: words, fixLine: fix.lines?.join("\n") ?? null })),
    ),
    ...FINDINGS.flat(2),
  ].map(join),
);

const CONFIGURATIONS = new Map(
  [...FIXES].flatMap(listConfigurations).map((one) => [`${one.server}: ${one.text}`, one]),
);

describe("a configuration is rejected", () => {
  test.each<[WebServer, text: string, fault: string]>([
    ["nginx", "gzip on", "gzip on does not end"],
    ["nginx", "gzip;", "gzip has no value"],
    ["nginx", "SSLProtocol -all;", "SSLProtocol is not known there"],
    ["nginx", "server { listen 443 ssl;", "a } is missing"],
    ["nginx", "gzip on; } }", "a } too many"],
    ["nginx", "return 301 …;", "there is nothing to paste"],
    ["apache", "ssl_protocols TLSv1.2", "ssl_protocols is not known"],
    ["caddy", "encode", "encode has no value"],
  ])("%s: %s", (server, text, fault) => {
    expect(findFault({ server, text, before: undefined })).toBe(fault);
  });
});

test("each language gives the same configurations", () => {
  for (const languages of FINDINGS) {
    const [french, english] = languages.map((findings) =>
      findings.map((finding) => [
        finding.id,
        ...listConfigurations(join(finding)).map(({ text }) => text.replace("/NOM/", "/NAME/")),
      ]),
    );
    expect(french).toEqual(english);
  }
});

describe("the configuration in a fix has the right form", () => {
  test.each([...CONFIGURATIONS])("%s", (_, configuration) => {
    expect(findFault(configuration)).toBe("");
  });
});

/** Whether a line is for this nginx, with or without the directive `http2`. */
function isForNginx({ text, before }: Configuration, hasDirective: boolean): boolean {
  if (before !== undefined) return !hasDirective;
  return hasDirective || !text.startsWith("http2 ");
}

describe.each<WebServer>(["nginx", "apache", "caddy"])("%s", (server) => {
  const program = findWebServer(server) ?? "";
  const own = [...CONFIGURATIONS.values()].filter((one) => one.server === server);

  test("has fixes", () => {
    expect(own).not.toEqual([]);
  });

  test.skipIf(program === "")("rejects invalid configuration", async () => {
    expect(await loadSnippet(server, program, "nonesuch on;")).toContain("nonesuch");
  });

  test.skipIf(program === "")("loads the configuration of the fixes", async () => {
    const hasDirective = server !== "nginx" || (await hasHttp2Directive(program));
    const loaded = own.filter((one) => server !== "nginx" || isForNginx(one, hasDirective));
    expect(loaded.length).toBeGreaterThan(0);
    for (const { text } of loaded)
      expect([text, await loadSnippet(server, program, text)]).toEqual([text, ""]);
  });
});

describe("a pasted fix does no harm:", () => {
  const mentioning = (pattern: RegExp) => [...FIXES].filter((fix) => pattern.test(fix));

  test.each<[what: string, mentioned: RegExp, asked: RegExp]>([
    [
      "includeSubDomains comes with its condition",
      /includeSubDomains/i,
      /only if every subdomain responds over https|que si tous les sous-domaines répondent en https/,
    ],
    ["a nonce is first tried as a report", /script-src 'nonce-/, /-Report-Only/],
    [
      "a policy for scripts is first tried as a report",
      /(?:Policy|Only) ?: [^;]*script-src/,
      /-Report-Only: /,
    ],
    ["a certificate is renewed alone", /certbot renew/, /certbot renew --cert-name (?:NAME|NOM)\b/],
    [
      "a redirect of all paths to another host is for that name alone",
      /https:\/\/[\w.]+\$request_uri/,
      /(?:in a virtual host for this name alone|dans un hôte virtuel pour ce seul nom)(?: \(nginx ?: return 301 |\. (?:In|Dans) nginx,)/,
    ],
    [
      "a redirect to the same host keeps host and path, and says which server it is for",
      /https:\/\/\$host/,
      /port 80(?: \(nginx ?: |\. (?:In|Dans) nginx, [^\n]*\n)return 301 https:\/\/\$host\$request_uri;/,
    ],
    [
      "a year in caches is for versioned files alone",
      /max-age=\d+, immutable/,
      /these files|ces fichiers/,
    ],
  ])("%s", (_, mentioned, asked) => {
    const fixes = mentioning(mentioned);
    expect(fixes.length).toBeGreaterThan(0);
    expect(fixes.filter((fix) => !asked.test(fix))).toEqual([]);
  });
});
