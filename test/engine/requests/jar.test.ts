import { describe, expect, test } from "vitest";
import { openJar } from "../../../server/engine/requests/cookies.ts";

const PAGE = "https://www.shop.example/tea/green";

/** The Cookie header for `to`, after `from` answered with these lines. */
function cookieFor(to: string, lines: readonly string[], from = PAGE): string {
  const jar = openJar();
  jar.note(
    new URL(from),
    lines.flatMap((line) => ["Set-Cookie", line]),
    true,
  );
  return jar.cookiesFor(new URL(to), true);
}

describe("a cookie that is not sent back", () => {
  test.each([
    ["to another site", "https://tracker.test/", "a=1"],
    ["to another site that its domain names", "https://tracker.test/", "a=1; Domain=tracker.test"],
    ["to a host that only ends alike", "https://evilshop.example/", "a=1; Domain=shop.example"],
    ["to a neighbour, without a domain", "https://shop.example/", "a=1"],
    ["to a host below, without a domain", "https://x.www.shop.example/tea/", "a=1"],
    ["for a public suffix", "https://other.co.uk/", "a=1; Domain=co.uk", "https://shop.co.uk/"],
    ["for a shared one", "https://b.github.io/", "a=1; Domain=github.io", "https://a.github.io/"],
    ["for an address that is not its own", "https://10.0.0.1/", "a=1; Domain=0.0.1"],
    ["over http", "http://www.shop.example/tea/", "a=1"],
    ["to another path", "https://www.shop.example/coffee", "a=1"],
    ["to a path that only begins alike", "https://www.shop.example/tease", "a=1; Path=/tea"],
    ["that is over", PAGE, "a=1; Max-Age=0"],
    ["that was over, and is no date after", PAGE, "a=1; Expires=1 Jan 1970 0:0:0; Expires=x"],
    ["that was over", PAGE, "a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
    ["that has neither name nor value", PAGE, "; Secure"],
    ["that is too long", PAGE, `a=${"x".repeat(4096)}`],
    ["that holds a control character", PAGE, "a=1\u0001"],
    ["that promises Secure", PAGE, "__Secure-a=1"],
    ["that promises its host", PAGE, "__Host-a=1; Secure; Path=/; Domain=shop.example"],
    ["that promises its whole host", PAGE, "__Host-a=1; Secure"],
  ])("%s", (_why, to, line, from = PAGE) => {
    expect(cookieFor(to, [line], from)).toBe("");
  });
});

describe("a cookie that is sent back", () => {
  test.each([
    ["to the same URL", PAGE, ["a=1; Secure; HttpOnly; SameSite=Lax"], "a=1"],
    ["to a path below", "https://www.shop.example/tea/black/x", ["a=1"], "a=1"],
    ["everywhere on its host", "https://www.shop.example/", ["a=1; Path=/"], "a=1"],
    ["to a neighbour", "https://pay.shop.example/tea/", ["a=1; Domain=.Shop.Example"], "a=1"],
    ["without a name", PAGE, ["1"], "1"],
    ["until a date that does not exist", PAGE, ["a=1; Expires=31 Feb 1970 0:0:0"], "a=1"],
    ["with its promise kept", PAGE, ["__Host-a=1; Secure; Path=/"], "__Host-a=1"],
    [
      "once, the last",
      PAGE,
      ["a=1", "a=2; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
      "a=2",
    ],
    ["longest path first", PAGE, ["a=1; Path=/", "b=2; Path=/tea"], "b=2; a=1"],
    ["not after it was taken back", PAGE, ["a=1", "b=2", "a=; Max-Age=0"], "b=2"],
    [
      "to a host that is a public suffix itself",
      "https://github.io/",
      ["a=1; Domain=github.io"],
      "a=1",
      "https://github.io/",
    ],
  ])("%s", (_why, to, lines, expected, from = PAGE) => {
    expect(cookieFor(to, lines, from)).toBe(expected);
  });

  test("over a connection as secure as the first", () => {
    const jar = openJar();
    const url = new URL(PAGE);
    jar.note(url, ["set-cookie", "trusted=1"], true);
    jar.note(url, ["SET-COOKIE", "other=2"], false);
    expect(jar.cookiesFor(url, false)).toBe("other=2");
    expect(jar.cookiesFor(url, true)).toBe("trusted=1; other=2");
  });
});

test("with a limit of 50 cookies, and 8 KB", () => {
  const many = Array.from({ length: 1000 }, (_, index) => `c${index}=1; Path=/`);
  expect(cookieFor(PAGE, many).split("; ")).toHaveLength(50);
  const large = Array.from({ length: 10 }, (_, index) => `c${index}=${"x".repeat(3000)}; Path=/`);
  expect(cookieFor(PAGE, large).length).toBeLessThanOrEqual(8192);
});
