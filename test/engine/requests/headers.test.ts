import { describe, expect, it } from "vitest";
import { keepHeaders as keepWithin } from "../../../server/engine/requests/headers.ts";

const MAX_BYTES = 24_576;
const keepHeaders = (raw: readonly string[]) => keepWithin(raw, MAX_BYTES);

describe("keepHeaders", () => {
  it("drops headers that no rule reads", () => {
    expect(keepHeaders(["X-Secret", "s3cret", "Authorization", "s3cret", "Date", "now"])).toEqual(
      [],
    );
  });

  it("drops a name without a value", () => {
    expect(keepHeaders(["Server"])).toEqual([]);
  });

  it.each([
    ["Server", "nginx/1.25\u0000\u009b", "nginx/1.25\ufffd"],
    ["Set-Cookie", "sid=s3cret; Path=/; Secure", "sid=***; Path=/; Secure"],
    ["Set-Cookie", "sid=s3cret=s3cret;HttpOnly ; SameSite=Lax", "sid=***; HttpOnly; SameSite=Lax"],
    ["Set-Cookie", "sid=; Max-Age=0", "sid=; Max-Age=0"],
    ["Set-Cookie", "sid=s3cret; Max-Age=0; Max-Age=soon", "sid=***; Max-Age=0"],
    [
      "Set-Cookie",
      "sid=s3cret; Expires=1 Jan 1970 0:0:0; Expires=x",
      "sid=***; Expires=1 Jan 1970 0:0:0",
    ],
    ["Set-Cookie", "sid=s3cret; Expires=31 Feb 1970 0:0:0", "sid=***"],
    ["Set-Cookie", "s3cret", "***"],
    ["Set-Cookie", "=s3cret; Secure", "=***; Secure"],
    ["Set-Cookie", "a=b; s3cret; token=s3cret; Domain=.example.com", "a=***; Domain=.example.com"],
    ["Set-Cookie", `${"n".repeat(500)}=s3cret`, `${"n".repeat(127)}…=***`],
    ["Location", "/login?next=s3cret#s3cret", "/login?next=***"],
    ["Location", "https://u:s3cret@example.com/", "https://example.com/"],
    ["Refresh", "0; url=/?a=s3cret", "0; url=/?a=***"],
    ["WWW-Authenticate", 'Bearer realm="s3cret", Basic', "Bearer"],
    ["Content-Security-Policy", "report-uri /r?k=s3cret;", "report-uri /r?k=***;"],
    ["Server", "a (https://u:s3cret@h/?q=s3cret", "a (https://h/?q=***"],
    ["X-Debug-Token-Link", "https://www.example.com/_profiler/s3cret", ""],
    ["X-Jenkins", "2.440.1", "2.440.1"],
    ["X-Generator", "https://u:s3cret@h/;k=s3cret", "https://h/;k=***"],
    ["Strict-Transport-Security", "max-age=abc", "max-age=abc"],
    [
      "Report-To",
      '{"group":"csp","endpoints":[{"url":"https://u:s3cret@h/"}]}, {"max_age":1}',
      "csp, default",
    ],
    ["Report-To", "[".repeat(5000), ""],
    ["Report-To", '"s3cret", 1, null, {"group":7}', ""],
    ["NEL", '{"report_to":"nel","max_age":86400}', "nel"],
    ["Reporting-Endpoints", 'csp="https://h/?k=s3cret,a=b", main="/r"', "csp, main"],
    ["Reporting-Endpoints", "s3cret", "s3cret"],
    ["Alt-Svc", 'h3=":443"; ma=86400, h3-29="s3cret:443"', "h3, h3-29"],
    ["Alt-Svc", "clear", ""],
    ["Expect-CT", 'max-age=1, report-uri="https://h/s3cret"', ""],
    ["Public-Key-Pins", 'pin-sha256="s3cret"', ""],
    ["Link", "<https://a.example/b>; rel=canonical", '<https://a.example/b>; rel="canonical"'],
    [
      "Link",
      `<https://a.example/${"b".repeat(1100)}>; rel=canonical`,
      `<https://a.example/${"b".repeat(1004)}…>; rel="canonical"`,
    ],
  ])("%s: %s", (name, value, expected) => {
    expect(keepHeaders([name, value])).toEqual([[name.toLowerCase(), expected]]);
  });

  const LONGEST = "v".repeat(4095);
  it.each([
    ["a name and a value of 4,097 octets", `ab=${LONGEST}`],
    ["a value alone of 4,097 octets", `ab${LONGEST}`],
    ["octets, not characters", `a=${Buffer.from("é".repeat(2048)).toString("latin1")}`],
    ["a control character", "a=b\u0001; Secure"],
    ["a value that feigns a prefix", "__Host-a; Secure"],
    ["a value that feigns a prefix, after an empty name", "=__SECURE-a"],
  ])("omits a cookie that browsers ignore: %s", (_why, line) => {
    expect(keepHeaders(["Set-Cookie", line])).toEqual([]);
  });

  it.each([
    ["4,096 octets", `a=${LONGEST}`, "a=***"],
    ["white space around them apart", ` a = ${LONGEST} ; Secure`, "a=***; Secure"],
    [
      "the last attribute of seventeen",
      `a=b${"; Path=/x".repeat(16)}; Secure`,
      "a=***; Path=/x; Secure",
    ],
    ["the last of two attributes", "a=b; Path=/x; Secure; path=/", "a=***; Secure; path=/"],
    ["no attribute over 1,024 octets", `a=b; Path=/${"x".repeat(1024)}; Secure`, "a=***; Secure"],
    ["a tab", "a=b\tc; Secure", "a=***; Secure"],
  ])("keeps of a cookie %s", (_why, line, kept) => {
    expect(keepHeaders(["Set-Cookie", line])).toEqual([["set-cookie", kept]]);
  });

  it.each([
    ["UTF-8", "default-src ‘self’", "default-src ‘self’"],
    ["latin1", Buffer.from("img-src é", "latin1"), "img-src é"],
    ["a no-break space", "img-src\u00a0'self'", "img-src\ufffd'self'"],
    ["a mark that is not seen", "img-src 'self'\u200e", "img-src 'self'\ufffd"],
  ])("decodes bytes outside ASCII as intended: %s", (_coding, sent, kept) => {
    const value = Buffer.from(sent).toString("latin1");
    for (const name of ["content-security-policy", "x-content-type-options", "x-frame-options"])
      expect(keepHeaders([name, value])).toEqual([[name, kept]]);
  });

  it("keeps order and duplicates", () => {
    const raw = ["ETag", "A", "Server", "x", "ETAG", "B"];
    expect(keepHeaders(raw)).toEqual([
      ["etag", "A"],
      ["server", "x"],
      ["etag", "B"],
    ]);
  });

  it("keeps a policy of 16 KB complete", () => {
    const policy = `script-src ${"'self' ".repeat(2300)}`.trim();
    expect(keepHeaders(["Content-Security-Policy", policy])).toEqual([
      ["content-security-policy", policy],
    ]);
  });

  it.each(["Strict-Transport-Security", "Cache-Control", "Referrer-Policy", "ETag"])(
    "keeps %s of 4 KB complete",
    (name) => {
      const value = `max-age=31536000; note="${"x".repeat(4000)}"; includeSubDomains`;
      expect(keepHeaders([name, value])).toEqual([[name.toLowerCase(), value]]);
    },
  );

  it("prevents a long value from crowding out short ones", () => {
    const raw = ["ETag", "x".repeat(1400), "Content-Type", "text/css", "Cache-Control", "no-cache"];
    expect(keepWithin(raw, 1450).map(([name]) => name)).toEqual(["content-type", "cache-control"]);
  });

  it("shows that a policy was cut, even if its masks shortened it", () => {
    const policy = `img-src ${"https://a.b/?k=s3cret ".repeat(900)}; script-src 'unsafe-inline'`;
    const [[, kept] = []] = keepHeaders(["Content-Security-Policy", policy]);
    expect(kept).toMatch(/^img-src https:\/\/a\.b\/\?k=\*\*\* .*…$/);
  });

  it("ends at 200 entries", () => {
    const short = Array.from({ length: 1000 }, (_, index) => (index % 2 ? "x" : "etag"));
    expect(keepHeaders(short)).toHaveLength(200);
  });

  it.each([
    ["long values", "x".repeat(9000)],
    ["quotes, which JSON doubles", '"'.repeat(9000)],
    ["characters of two bytes", "é".repeat(9000)],
  ])("uses at most its bytes of JSON: %s", (_name, value) => {
    const raw = Array.from({ length: 400 }, (_, index) => (index % 2 ? value : "x-robots-tag"));
    expect(Buffer.byteLength(JSON.stringify(keepHeaders(raw)))).toBeLessThanOrEqual(MAX_BYTES + 2);
    expect(keepHeaders(raw).length).toBeGreaterThan(1);
  });

  it("gives short values room first, and keeps the order", () => {
    const cookies = Array.from({ length: 30 }, (_, at) => ["Set-Cookie", `c${at}=v; Path=/`]);
    const raw = [...cookies, ["Content-Type", "text/html"], ["Location", "/a"]].flat();
    const kept = keepWithin(raw, 256).map(([name]) => name);
    expect(kept.slice(-2)).toEqual(["content-type", "location"]);
    expect(kept.length).toBeLessThan(12);
  });
});
