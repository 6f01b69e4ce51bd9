import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import {
  evidenceWith,
  goodEvidence,
  pageBody,
  pageHop,
  pageHtml,
  setHeader,
  setMeta,
} from "./evidence-fixtures.ts";
import { getFinding } from "./finding-of.ts";

type Edit = (evidence: Evidence) => void;

const cookieOfTwoAnswers: Edit = (e) => {
  setHeader(e, "set-cookie", "lang=***; Path=/");
  e.page.hops.unshift({ ...pageHop(e), status: 301 });
};

const passwordInUrl: Edit = (e) => {
  pageHtml(e).forms = [
    {
      url: "https://www.example.com/login",
      line: 9,
      tag: "form",
      method: "get",
      hasPassword: true,
      hasHandler: false,
      hasAction: true,
      offset: 900,
    },
  ];
};

const filler: Edit = (e) => {
  pageHtml(e).templateTexts = [{ text: "Lorem ipsum dolor sit amet", tag: "p", line: 9 }];
};

describe("what a finding says", () => {
  it("does not call a page too long that only arrives slowly", () => {
    const late = evidenceWith((e) => {
      pageBody(e).state = "late";
      Object.assign(pageHtml(e), { resources: [] });
      e.assets = [];
    });
    expect(getFinding("asset.broken", late).evidence).toMatch(/or arrives too slowly/);
  });

  it("names every half that costs only once", () => {
    const urls = evidenceWith((e) => {
      setMeta(e, "og:url", "https://staging.example.com/");
      pageHtml(e).badJsonLdLine = 12;
    });
    const { evidence, fix, earned } = getFinding("seo.identity", urls);
    expect(earned).toBe(0.5);
    expect(evidence).toMatch(/og:url https:\/\/staging\.example\.com\/.*JSON-LD on line 12/);
    expect(fix).toMatch(/public URL.*Correct this JSON/);

    const script = evidenceWith((e) => {
      pageHtml(e).scriptFaults = [{ line: 14, error: "Unexpected end" }];
      for (const asset of e.assets)
        if (asset.kind === "image") Object.assign(asset, { status: null, skipped: true });
    });
    const files = getFinding("asset.broken", script);
    expect(files).toMatchObject({ status: "unknown", earned: 1.5 });
    expect(files.evidence).toMatch(/No clear response.*Unexpected end/);
  });

  it("names a cookie once if two answers set it", () => {
    const { evidence } = getFinding("cookie.secure", evidenceWith(cookieOfTwoAnswers));
    expect(evidence.match(/lang=/g)).toHaveLength(1);
  });

  it("explains what is wrong with a password in the URL", () => {
    const { evidence, why } = getFinding("asset.mixed", evidenceWith(passwordInUrl));
    expect(evidence).toMatch(/Password sent in the URL/);
    expect(why).toMatch(/read what a form sends over http or in the URL/);
  });

  it("requires the page's own text instead of filler, and a value instead of a variable", () => {
    expect(getFinding("html.placeholder", evidenceWith(filler)).fix).toMatch(/own text/);
    const variable: Edit = (e) => {
      pageHtml(e).title = "{{title}}";
    };
    expect(getFinding("html.placeholder", evidenceWith(variable)).fix).toMatch(/a value/);
  });

  it("explains why a policy in the body is ignored", () => {
    const misplaced: Edit = (e) => {
      setHeader(e, "content-security-policy");
      setMeta(e, "content-security-policy", "script-src 'self'");
      Object.assign(pageHtml(e).metas.at(-1) ?? {}, { isInHead: false });
    };
    const { status, evidence } = getFinding("hdr.csp", evidenceWith(misplaced));
    expect([status, evidence]).toEqual([
      "fail",
      expect.stringMatching(/<meta> tag on line 6, .*not in <head>/),
    ]);
  });

  it("notes once which headers no browser reads any more, and keeps 0 for the old filter", () => {
    const old: Edit = (e) => {
      setHeader(e, "permissions-policy");
      for (const name of ["expect-ct", "public-key-pins"]) setHeader(e, name, "");
      setHeader(e, "feature-policy", "camera 'none'");
      setHeader(e, "x-xss-protection", "1; mode=block");
    };
    const { status, evidence } = getFinding("hdr.valid", evidenceWith(old));
    expect([status, evidence]).toEqual([
      "pass",
      expect.stringMatching(
        /Browsers no longer read: X-XSS-Protection, Expect-CT, Public-Key-Pins, Feature-Policy\.$/,
      ),
    ]);
    const off: Edit = (e) => {
      setHeader(e, "x-xss-protection", "0");
      setHeader(e, "feature-policy", "camera 'none'");
    };
    expect(getFinding("hdr.valid", evidenceWith(off)).evidence).not.toContain("no longer");
  });

  it("notes HTTP/3 if the page offers it", () => {
    const offer = (value: string): string =>
      getFinding(
        "perf.http2",
        evidenceWith((e) => setHeader(e, "alt-svc", value)),
      ).evidence;
    expect(offer("h3, h3-29")).toMatch(/chooses h2\. It also offers HTTP\/3 \(Alt-Svc\)\.$/);
    expect(offer("h2")).toMatch(/chooses h2\.$/);
  });

  it("says that Chrome asks visitors before a public page reaches their local network", () => {
    const find = (edit: Edit): string => getFinding("asset.leftover", evidenceWith(edit)).evidence;
    const request: Edit = (e) => {
      pageHtml(e).privateUrls = [{ url: "http://192.168.1.5/api", line: 9 }];
    };
    const link: Edit = (e) => {
      pageHtml(e).links = [
        { url: "http://192.168.1.5/", line: 9, hostClass: "private", isMenu: false },
      ];
    };
    expect(find(request)).toMatch(/Chrome first asks visitors/);
    expect(find(link)).toMatch(/192\.168\.1\.5/);
    expect(find(link)).not.toMatch(/Chrome/);
  });

  it("counts compressed files separately from files of known size", () => {
    const compressed: Edit = (e) => {
      for (const asset of e.assets) asset.headers = [["content-encoding", "br"]];
    };
    const count = goodEvidence().assets.length;
    const seen = `Files tested: ${count} of ${count}; compressed: ${count}; with a known size: 1`;
    expect(getFinding("perf.files", evidenceWith(compressed)).evidence).toContain(seen);
  });
});
