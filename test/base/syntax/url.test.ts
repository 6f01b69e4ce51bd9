import { describe, expect, it } from "vitest";
import { readSite } from "../../../server/engine/net/site.ts";
import { findUrl } from "../../../server/base/syntax/url.ts";
import { isUrl } from "../../../shared/url.ts";

const BASE = new URL("https://example.com/shop/page");
const name = (length: number) => "b".padStart(length, "a.");
/** As many different ideographs, of which Punycode takes a time that is quadratic. */
const ideographs = (count: number) =>
  String.fromCodePoint(...Array.from({ length: count }, (_, index) => 0x4e00 + (index % 20_000)));

describe("parsing a URL", () => {
  it.each<[string, string, URL | undefined]>([
    ["nothing", "", undefined],
    ["a relative one alone", "/a", undefined],
    ["one of 2,049 characters", `https://example.com/${"a".repeat(2029)}`, undefined],
    ["2,049 of white space", " ".repeat(2049), BASE],
    ["a host of 254 characters", `https://${name(254)}/`, undefined],
    ["a host after user information", `https://u:p@${name(254)}/`, undefined],
    ["a host after a colon alone", `https:${name(254)}`, undefined],
    ["a host after backslashes", `https:\\\\\\${name(254)}`, undefined],
    ["a host without a scheme", `//${name(254)}/`, BASE],
    ["a host after line ends", ` \n/\r\n/\t${name(254)}/`, BASE],
    ["a host in a scheme of line ends", `ht\ntps:\t//${name(254)}/`, BASE],
    ["a host of another scheme", `ws://${name(254)}/`, undefined],
    ["many ideographs", `https://${ideographs(300)}.com/`, undefined],
    ["a label of digits at its end", `https://a.${"1".repeat(1000)}`, undefined],
  ])("fails if it is %s", (_why, text, base) => {
    expect(findUrl(text, base)).toBeUndefined();
    expect(readSite(text, "https:", base)).toBeTypeOf("string");
  });

  it("fails for a host with a Latin-1 letter, even after many other hosts", () => {
    for (let count = 0; count < 200_000; count++) isUrl(`https://${count % 8}.example/`);
    expect(isUrl("https://b\u00fccher.example/")).toBe(true);
    expect(findUrl("https://b\u00fccher.example/")?.hostname).toBe("xn--bcher-kva.example");
    expect(isUrl("https://b\u00fc cher.example/")).toBe(false);
  });

  it.each<[string, string, string]>([
    ["2,048 characters", `https://example.com/${"a".repeat(2028)}`, ""],
    ["a host of 253", `https://${name(253)}/`, ""],
    ["what is no host beside", `https://user:pass@${name(253)}.:8443/`, ""],
    ["a long segment of a path", `/${"a".repeat(300)}`, "https://example.com/"],
    ["a long segment alone", "a".repeat(300), "https://example.com/shop/"],
    ["a long query", `?a=${"b".repeat(300)}`, "https://example.com/shop/page"],
    ["no path", "//example.net", ""],
  ])("fails with %s", (_what, text, start) => {
    const url = findUrl(text, BASE);
    expect(url?.href).toBe(new URL(text, BASE).href);
    expect(url?.href.startsWith(start)).toBe(true);
  });

  it("uses only the origin of a base over 2,048 characters", () => {
    const base = new URL(`https://example.com/${"é".repeat(2000)}/page`);
    expect(findUrl("/a", base)?.href).toBe("https://example.com/a");
    expect(findUrl("https://example.net/a", base)?.href).toBe("https://example.net/a");
    expect(findUrl("a", base)).toBeUndefined();
  });
});
