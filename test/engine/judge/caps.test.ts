import { describe, expect, it } from "vitest";
import { CheckResult } from "../../../shared/check.ts";
import { RULESET } from "../../../server/engine/judge/ruleset.ts";
import { scoreEvidence } from "../../../server/engine/judge/score.ts";
import {
  refuseConnection,
  refuseDns,
  stopAt,
  all,
  header,
  meta,
  html,
  body,
  lastHop,
} from "./cases/page-edits.ts";
import { expired, editTls, failChain, leaveAlone } from "./cases/tls-edits.ts";
import { evidenceWith, pageHop, pageHtml } from "./evidence-fixtures.ts";
import type { Edit } from "./cases/rule-case.ts";

function scoreWith(edit: Edit): CheckResult {
  return scoreEvidence(evidenceWith(edit), "en");
}

const setStatus = (status: number) => lastHop({ status });

const breakScript: Edit = ({ assets }) => {
  for (const asset of assets) asset.status = 404;
};

describe("caps", () => {
  const CAPS: readonly (readonly [id: string, limit: number, edit: Edit])[] = [
    ["reach.dns", 0, refuseDns],
    ["reach.connect", 0, refuseConnection],
    ["reach.status", 20, setStatus(404)],
    ["tls.chain", 20, failChain("SELF_SIGNED_CERT_IN_CHAIN")],
    [
      "redir.https",
      59,
      ({ plainHttp }) => {
        const [first] = plainHttp?.hops ?? [];
        if (plainHttp && first) plainHttp.hops = [{ ...first, status: 200, headers: [] }];
      },
    ],
    ["tls.intermediate", 59, editTls(leaveAlone)],
    [
      "tls.hostname",
      20,
      (e) => {
        for (const { tls } of e.page.hops) if (tls) tls.certificate.sans = ["dns:other.example"];
      },
    ],
    ["reach.html", 40, body({ decodedBytes: 0 })],
    ["reach.leak", 40, body({ leak: { signature: "nginx default page", offset: 3 } })],
    ["reach.page", 40, html({ title: "404", textLength: 3, proseLength: 0 })],
    ["redir.chain", 40, stopAt("downgrade")],
    [
      "redir.domain",
      59,
      (e) => {
        e.url = "https://other.example/";
        e.page.hops.unshift({ ...pageHop(e), url: e.url, status: 302 });
      },
    ],
    ["asset.broken", 59, breakScript],
    ["asset.blocked", 59, header("content-security-policy", "script-src 'none'")],
    [
      "asset.mixed",
      59,
      (e) => {
        const [script] = pageHtml(e).resources;
        if (script) script.url = "http://www.example.com/app.js";
      },
    ],
    [
      "cors.credentials",
      59,
      ({ cors }) => {
        cors.headers = [
          ["access-control-allow-origin", "null"],
          ["access-control-allow-credentials", "true"],
        ];
      },
    ],
    [
      "asset.third-party",
      59,
      (e) => {
        const [script] = pageHtml(e).resources;
        if (script) script.url = "https://cdn.polyfill.io/v3/polyfill.min.js";
      },
    ],
    [
      "cookie.shared",
      40,
      (e) => {
        e.drawnCookies = [{ name: "session", isState: false, isRepeated: true }];
      },
    ],
    ["seo.identity", 59, html({ canonicals: [{ url: "https://template-demo.com/", line: 9 }] })],
    [
      "html.secrets",
      20,
      html({ credentials: [{ kind: "private_key", line: 30, isShown: false }] }),
    ],
    ["seo.indexable", 79, meta("robots", "noindex")],
    ["hdr.hsts", 79, header("strict-transport-security")],
    [
      "tls.expiry",
      79,
      (e) => {
        for (const { tls } of e.page.hops)
          if (tls) tls.certificate.notAfter = "2026-11-21T08:30:00.000Z";
      },
    ],
  ];

  it.each(CAPS)("%s: %i", (findingId, limit, edit) => {
    const result = scoreWith(edit);
    expect(result.caps).toEqual([
      { findingId, limit, reason: expect.stringMatching(/^[A-Z].*\.$/) },
    ]);
    expect(result.score).toBe(limit);
    expect(result.scoreRange.max).toBeLessThanOrEqual(limit);
    expect(result.verdict).toBe(limit < 60 ? "do_not_ship" : "ship_with_warnings");
  });

  it("are those of the ruleset, and each has a case", () => {
    const rows = RULESET.rows
      .filter(({ cap }) => cap !== null)
      .map(({ id, cap }) => `${id} ${cap}`);
    expect(CAPS.map(([id, limit]) => `${id} ${limit}`).toSorted()).toEqual(rows.toSorted());
  });

  it("are all listed, the lowest first, and the lowest applies", () => {
    const result = scoreWith(all(header("strict-transport-security"), breakScript));
    expect(result.caps.map(({ findingId }) => findingId)).toEqual(["asset.broken", "hdr.hsts"]);
    expect(result.score).toBe(59);
  });

  it("come only from the failing parent, never from what it blocks", () => {
    const result = scoreWith(expired);
    expect(result.caps).toMatchObject([{ findingId: "tls.chain", limit: 20 }]);
  });

  it.each<readonly [string, Edit]>([
    ["partial", header("strict-transport-security", "max-age=60")],
    [
      "unknown",
      (e) => {
        stopAt("refused")(e);
        if (e.page.stop) e.page.stop.refusal = "dns_timeout";
      },
    ],
    ["not_applicable", all((e) => (e.preview = true), header("x-robots-tag", "noindex"))],
  ])("do not apply to %s", (_status, edit) => {
    expect(scoreWith(edit).caps).toEqual([]);
  });
});
