import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import { scoreEvidence } from "../../../server/engine/judge/score.ts";
import { failChain } from "./cases/tls-edits.ts";
import {
  evidenceWith,
  pageBody,
  pageHop,
  pageHtml,
  setHeader,
  setMeta,
} from "./evidence-fixtures.ts";

type Edit = (evidence: Evidence) => void;

function scoreWith(...edits: readonly Edit[]) {
  return scoreEvidence(
    evidenceWith((e) => edits.forEach((edit) => edit(e))),
    "en",
  );
}

/** Leaves 30 points unknown. */
const LEAVE_30: readonly Edit[] = [
  (e) => {
    pageBody(e).state = "over_limit";
  },
  (e) => {
    if (e.plainHttp) e.plainHttp = { ...e.plainHttp, hops: [] };
    if (e.twin) e.twin.skipped = true;
  },
  (e) => {
    e.robots.status = null;
    for (const asset of e.assets) asset.status = 429;
    if (e.missingFile) e.missingFile.status = null;
  },
  (e) => {
    e.alpn.outcome = "unknown";
    e.legacyTls.outcome = "unknown";
    for (const cookie of e.drawnCookies) cookie.isRepeated = null;
  },
];
const LEAVE_31: readonly Edit[] = [
  ...LEAVE_30,
  ({ links }) => {
    for (const link of links) link.status = 403;
  },
];

/** 10.5 points of small faults, of rules that `LEAVE_30` leaves alone. */
const TEN_FAULTS: readonly Edit[] = [
  (e) => {
    for (const name of ["content-security-policy", "x-content-type-options"]) setHeader(e, name);
    setHeader(e, "referrer-policy", "unsafe-url");
  },
];

const noHsts: Edit = (e) => setHeader(e, "strict-transport-security");
const untrusted = failChain("SELF_SIGNED_CERT_IN_CHAIN");
const leaking: Edit = (e) => {
  e.notFound.leak = { signature: "nginx default page", offset: 0 };
};

describe("coverage", () => {
  it.each<readonly [number, string, string, readonly Edit[]]>([
    [69, "no cap", "inconclusive", LEAVE_31],
    [69, "a cap of 79", "inconclusive", [...LEAVE_31, noHsts]],
    [69, "a cap of 40", "do_not_ship", [...LEAVE_31, leaking]],
    [69, "a cap of 20", "do_not_ship", [...LEAVE_31, untrusted]],
    [70, "no cap", "ship_with_warnings", LEAVE_30],
    [70, "faults that leave 59 to 89", "inconclusive", [...LEAVE_30, ...TEN_FAULTS]],
    [70, "the same under a cap of 40", "do_not_ship", [...LEAVE_30, ...TEN_FAULTS, leaking]],
    [70, "a cap of 79", "ship_with_warnings", [...LEAVE_30, noHsts]],
    [70, "a cap of 20", "do_not_ship", [...LEAVE_30, untrusted]],
  ])("%i, %s: %s", (coverage, _cap, verdict, edits) => {
    expect(scoreWith(...edits)).toMatchObject({ coverage, verdict });
  });

  it("counts blocked and not applicable rules as assessed", () => {
    const status = scoreWith((e) => (pageHop(e).status = 500));
    const nothing = scoreWith((e) => {
      e.twin = null;
      e.plainHttp = null;
      setHeader(e, "set-cookie");
    });
    expect(status).toMatchObject({ coverage: 100, scoreRange: { min: 20, max: 20 } });
    expect(nothing).toMatchObject({ coverage: 100, score: 100 });
  });
});

describe("the range of a score", () => {
  const halfPoint: Edit = (e) => setMeta(e, "og:image", "/card.png");
  const otherHalf: Edit = (e) => {
    if (e.plainHttp?.hops[0]) e.plainHttp.hops[0].status = 302;
  };
  const threeUnknown: Edit = (e) => {
    e.legacyTls.outcome = "unknown";
  };

  it.each<readonly [string, number, number, readonly Edit[]]>([
    ["half a point lost", 99, 99, [halfPoint]],
    ["two halves lost", 99, 99, [halfPoint, otherHalf]],
    ["three unknown", 98, 100, [threeUnknown]],
    ["half lost and three unknown", 97, 99, [halfPoint, threeUnknown]],
    ["three unknown under a cap of 79", 79, 79, [threeUnknown, noHsts]],
    ["31 unknown", 68, 99, LEAVE_31],
    ["31 unknown under a cap of 79", 64, 79, [...LEAVE_31, noHsts]],
    ["31 unknown under a cap of 20", 20, 20, [...LEAVE_31, untrusted]],
  ])("%s: %i to %i", (_why, min, max, edits) => {
    expect(scoreWith(...edits)).toMatchObject({ score: min, scoreRange: { min, max } });
  });
});

describe("the verdict without a cap", () => {
  /** 40 points of small faults. */
  const FAULTS: readonly Edit[] = [
    (e) => {
      for (const name of ["content-security-policy", "x-content-type-options"]) setHeader(e, name);
      setHeader(e, "referrer-policy", "unsafe-url");
      setHeader(e, "server", "nginx/1.24.0");
      setHeader(e, "set-cookie", "session=***");
    },
    (e) => {
      for (const sample of e.firstBytes) sample.ms = 3000;
    },
    (e) => {
      const html = pageHtml(e);
      Object.assign(html, { doctype: null, lang: null, titleCount: 0, title: null });
      Object.assign(html, { textLength: 0, emptyRootId: "root", imagesWithoutAltCount: 2 });
      setMeta(e, "description");
      setMeta(e, "viewport");
      setMeta(e, "og:image");
      html.canonicals = [{ url: "/", line: 9 }];
      html.badJsonLdLine = 12;
      setHeader(e, "content-type", "text/html; charset=iso-8859-1");
    },
    (e) => {
      e.notFound.status = 200;
      if (e.missingFile) e.missingFile.status = 200;
      e.robots.badLine = { line: 1, text: "x" };
      for (const link of e.links) link.status = 404;
      pageBody(e).encoding = null;
      for (const name of ["cache-control", "etag"]) setHeader(e, name);
      pageHtml(e).templateTexts = [{ text: "[object Object]", tag: "p", line: 30 }];
      if (e.twin?.hops[1]) e.twin.hops = [{ ...e.twin.hops[1], url: e.twin.url }];
      if (e.twin) e.twin.canonical = null;
    },
    ({ page }) => {
      for (const { tls } of page.hops)
        if (tls) Object.assign(tls.certificate, { keyType: "rsa", keyBits: 1024 });
    },
  ];
  const oneMore: Edit = (e) => {
    e.alpn.outcome = "none";
  };

  it.each<readonly [number, string, readonly Edit[]]>([
    [59, "do_not_ship", [...FAULTS, oneMore]],
    [60, "ship_with_warnings", FAULTS],
  ])("%i: %s", (score, verdict, edits) => {
    expect(scoreWith(...edits)).toMatchObject({ score, verdict, caps: [] });
  });
});
