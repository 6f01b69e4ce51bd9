import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  type Look,
  LOOK_RULESET,
  lookOf,
  verifiedLookOf,
} from "../../../server/engine/judge/look-outcome.ts";
import { judge } from "../../../server/engine/judge/score.ts";
import type { Resolution } from "../../../server/engine/net/resolve.ts";
import { CHALLENGES } from "../../harness/challenges.ts";
import { createAuthority, issueSelfSigned } from "../../harness/certificates.ts";
import { probePage, probeUrl, type Probing, UNROUTED } from "../../harness/probing.ts";
import { findClosedPort, getAuthority, startSite, type SiteOptions } from "../../harness/site.ts";
import { ANSWERS } from "../../hostile/answers.ts";
import { type Answer, startHostileSite } from "../../hostile/hostile-site.ts";
import { REDIRECTIONS } from "../../hostile/redirects.ts";
import { WAITS } from "../../hostile/waits.ts";
import { answerOf, head, redirectTo } from "../../hostile/writing.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const DAY_MS = 86_400_000;
const PAGE = "<!doctype html><title>Hello</title><p>Hello there.";
const HTML = "content-type: text/html";

/** How far redirects without end led by the deadline. */
const LATE_PATH = /\/a+ /;

/** The part of a look that is the same after one try and after two. */
function comparable(look: Look) {
  const { reason, firstByteMs, seen } = look;
  const reasonless = reason && {
    fr: reason.fr.replace(", deux fois de suite", "").replace(LATE_PATH, "/a "),
    en: reason.en.replace(", twice in a row", "").replace(LATE_PATH, "/a "),
  };
  const isKnown = (ms: number | null) => ms !== null;
  const timings = Object.entries(seen?.timings ?? {}).map(([name, ms]) => [name, isKnown(ms)]);
  return {
    ...look,
    reason: reasonless,
    score: null,
    firstByteMs: isKnown(firstByteMs),
    seen: { ...seen, timings },
  };
}

/** Looks at a URL, which ends as its verification does; returns how that is. */
async function lookLikeVerification(url: string, probing: Probing = {}): Promise<Look> {
  for (;;) {
    const { look, verified } = await visitTwice(url, probing);
    // A busy machine that kept one of the two from running says nothing of the other.
    if (look.isOwnFault !== verified.isOwnFault) continue;
    expect(look.score).toBeNull();
    expect(comparable(look)).toEqual(comparable(verified));
    return look;
  }
}

async function visitTwice(url: string, probing: Probing) {
  const [look, verified] = await Promise.all([
    probePage(url, probing).then((evidence) => lookOf(judge(evidence, LOOK_RULESET))),
    probeUrl(url, probing).then((evidence) => verifiedLookOf(judge(evidence))),
  ]);
  return { look, verified };
}

async function lookAtHostile(answer: Answer): Promise<Look> {
  const site = await startHostileSite(answer);
  try {
    return await lookLikeVerification(site.url);
  } finally {
    await site.close();
  }
}

/** Begins all looks at once, since most wait. */
function beginAll<T>(cases: readonly T[], begin: (one: T) => Promise<Look>) {
  const looks = new Map<T, Promise<Look>>();
  beforeAll(() => {
    for (const one of cases) {
      const look = begin(one);
      look.catch(() => undefined);
      looks.set(one, look);
    }
  });
  afterAll(() => Promise.allSettled(looks.values()));
  return async (one: T): Promise<Look> => {
    const look = await looks.get(one);
    if (!look) throw new Error("nothing was looked at");
    return look;
  };
}

type Expected = Look["outcome"];

describe("a probe ends as the verification does, at a site that stalls and", () => {
  const lookAfter = beginAll(WAITS, ({ answer }) => lookAtHostile(answer));

  it.each(WAITS)("$name", async (wait) => {
    const isUnreached = wait.name.startsWith("redirects ");
    const expected: Expected = wait.phase ? "failed" : isUnreached ? "inconclusive" : "good";
    expect((await lookAfter(wait)).outcome).toBe(expected);
  });
});

describe("a probe ends as the verification does, at a site that sends", () => {
  it.each(ANSWERS)("$name", async ({ answer, expected }) => {
    const outcomes: Readonly<Record<string, Expected>> = { pass: "good", unknown: "inconclusive" };
    const outcome = outcomes[expected.findings["reach.status"] ?? ""] ?? "failed";
    expect((await lookAtHostile(answer)).outcome).toBe(outcome);
  });
});

describe("a probe ends as the verification does, at a redirect to", () => {
  it.each(REDIRECTIONS)("$name", async ({ location, stop }) => {
    const site = await startHostileSite((socket, { path }) => {
      const to = location === "DEEPER" ? `${path}a/` : location;
      socket.write(redirectTo(typeof to === "string" ? to.replace("PORT", `${site.port}`) : to));
    });
    const resolve = (name: string): Resolution => {
      if (name === "inside.example.com") return { outcome: "found", addresses: ["10.0.0.1"] };
      if (name === "mixed.example.com")
        return { outcome: "found", addresses: ["93.184.215.14", "10.0.0.1"] };
      return { outcome: "not_found" };
    };
    const { outcome } = await lookLikeVerification(site.url, { resolve });
    await site.close();
    const isLost =
      stop["refusal"] === "unparseable" || ["loop", "too_many"].includes(String(stop["reason"]));
    expect(outcome).toBe(isLost ? "failed" : "inconclusive");
  });
});

const STATUSES: [status: string, expected: Expected, ...lines: string[]][] = [
  ["200 OK", "good"],
  ["201 Created", "good"],
  ["206 Partial Content", "good"],
  ["300 Multiple Choices", "failed"],
  ["302 Found", "failed"],
  ["304 Not Modified", "failed"],
  ["400 Bad Request", "failed"],
  ["401 Unauthorized", "inconclusive", 'www-authenticate: Basic realm="x"'],
  ["402 Payment Required", "failed"],
  ["403 Forbidden", "inconclusive"],
  ["404 Not Found", "failed"],
  ["410 Gone", "failed"],
  ["418 I'm a teapot", "failed"],
  ["429 Too Many Requests", "inconclusive", "retry-after: 120"],
  ["451 Unavailable For Legal Reasons", "failed"],
  ["500 Internal Server Error", "failed"],
  ["502 Bad Gateway", "failed"],
  ["503 Service Unavailable", "failed", "retry-after: 120"],
  ["503 Service Unavailable", "inconclusive", "cf-mitigated: challenge"],
  ["520 Unknown", "failed"],
];

describe("a probe ends as the verification does, at the status", () => {
  it.each(STATUSES)("%s", async (status, expected, ...lines) => {
    const bytes = head(status, HTML, `content-length: ${PAGE.length}`, ...lines) + PAGE;
    const look = await lookAtHostile((socket) => socket.write(bytes));
    expect(look.outcome).toBe(expected);
    expect(look.retryAfterSeconds).toBe(lines.includes("retry-after: 120") ? 120 : null);
  });
});

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");

describe("a probe ends as the verification does, at the page of", () => {
  it.each(CHALLENGES)("%s, with any status and coding", async (_name, page) => {
    const codings: [body: Buffer, ...lines: string[]][] = [
      [Buffer.from(page)],
      [gzipSync(page), "content-encoding: gzip"],
      [utf16(page)],
    ];
    for (const status of ["200 OK", "503 Service Unavailable"])
      for (const [body, ...lines] of codings) {
        const start = head(status, HTML, `content-length: ${body.length}`, ...lines);
        const bytes = Buffer.concat([Buffer.from(start), body]);
        expect((await lookAtHostile((socket) => socket.write(bytes))).outcome).toBe("inconclusive");
      }
  });

  it("a site that writes about challenges", async () => {
    const article = `${PAGE}<p>${"What a captcha is, and _cf_chl_opt, and Radware. ".repeat(100)}`;
    const { outcome } = await lookAtHostile((socket) => socket.write(answerOf(article)));
    expect(outcome).toBe("good");
  });
});

const serves = { routes: { "*": { headers: { "content-type": "text/html" }, body: PAGE } } };
const days = (count: number) => new Date(Date.now() + count * DAY_MS);

const CERTIFICATES: [name: string, expected: Expected, options: () => Promise<SiteOptions>][] = [
  ["that is trusted", "good", async () => ({})],
  ["that has expired", "failed", async () => ({ order: { notAfter: days(-0.5) } })],
  ["that is not valid yet", "failed", async () => ({ order: { notBefore: days(1) } })],
  ["for another host", "failed", async () => ({ hosts: ["other.example"] })],
  [
    "signed by itself",
    "failed",
    async () => ({ certificate: await issueSelfSigned({ hosts: ["127.0.0.1"] }) }),
  ],
  ["of an unknown authority", "failed", async () => ({ authority: await createAuthority() })],
  ["sent without its intermediate", "failed", () => withoutIntermediate()],
  [
    "sent without its intermediate, which it names",
    "good",
    () => withoutIntermediate("http://ca.example/i.crt"),
  ],
  ["over TLS 1.1", "failed", async () => ({ tls: { maxVersion: "TLSv1.1" } })],
  ["for clients that have one", "failed", async () => ({ tls: { requestCert: true, ca: [] } })],
];

async function withoutIntermediate(issuerUrl?: string): Promise<SiteOptions> {
  const intermediate = await (await getAuthority()).delegate();
  const { cert, key } = await intermediate.issue({
    hosts: ["127.0.0.1"],
    ...(issuerUrl && { issuerUrl }),
  });
  return { certificate: { cert: cert.split(/(?<=END CERTIFICATE-----\n)/)[0] ?? "", key } };
}

describe("a probe ends as the verification does, with a certificate", () => {
  it.each(CERTIFICATES)("%s", async (_name, expected, options) => {
    const site = await startSite({ ...serves, ...(await options()) });
    const { outcome } = await lookLikeVerification(site.url);
    await site.close();
    expect(outcome).toBe(expected);
  });
});

const found = (...addresses: string[]) => ({ outcome: "found" as const, addresses });
const NAMES: [name: string, expected: Expected, resolution: Resolution][] = [
  ["does not exist", "failed", { outcome: "not_found" }],
  ["leads to a private address", "failed", found("10.0.0.1")],
  ["leads nowhere that a way leads to", "inconclusive", found(UNROUTED)],
];

describe("a probe ends as the verification does, at a host", () => {
  it.each(NAMES)("whose name %s", async (_name, expected, resolution) => {
    const resolve = () => resolution;
    const { outcome } = await lookLikeVerification("https://shop.example/", { resolve });
    expect(outcome).toBe(expected);
  });

  it("on which nothing listens", async () => {
    const url = `https://127.0.0.1:${await findClosedPort()}/`;
    expect((await lookLikeVerification(url)).outcome).toBe("failed");
  });

  it("that resets every connection", async () => {
    const { outcome } = await lookAtHostile((_socket, { reset }) => reset());
    expect(outcome).toBe("failed");
  });
});
