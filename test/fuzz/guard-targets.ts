import assert from "node:assert/strict";
import * as fc from "fast-check";
import { isPublicAddress } from "../../server/base/syntax/private-hosts.ts";
import type { Target as Vetted, Vetting } from "../../server/engine/net/guard.ts";
import { followRedirect } from "../../server/engine/requests/redirect-chain.ts";
import type { Resolution } from "../../server/engine/net/resolve.ts";
import { isPublic } from "./address-oracle.ts";
import { addressText, v4Spellings } from "./addresses.ts";
import { OWN_ADDRESS, openFuzzGuard } from "./network.ts";
import { target, type Target } from "./target.ts";
import { secretUrl, URL_SECRET, urlText } from "./urls.ts";

const PUBLIC: Resolution = { outcome: "found", addresses: ["93.184.215.14"] };

const answer: fc.Arbitrary<Resolution> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(PUBLIC) },
  {
    weight: 3,
    arbitrary: fc
      .array(fc.oneof(addressText, fc.constantFrom(OWN_ADDRESS, "2606:4700::1%eth0", "")), {
        maxLength: 3,
      })
      .map((addresses): Resolution => ({ outcome: "found", addresses })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Resolution>({ outcome: "not_found" }, { outcome: "failed" }),
  },
);

/** What must be true of everything that may be dialled, whatever was written and whatever DNS answered. */
function assertSafe({ url, host, literal, addresses, allowed }: Vetted, scheme = "https:"): void {
  assert.equal(url.protocol, scheme);
  assert.ok(scheme === "http:" ? url.port === "" : ["", "8443"].includes(url.port), url.href);
  assert.equal(url.username + url.password, "");
  assert.equal(allowed, false);
  assert.ok(addresses.length > 0);
  for (const address of addresses) assert.ok(isPublic(address) && address !== OWN_ADDRESS, address);
  assert.match(host, literal ? /^[\d.]+$|^[\da-f:.]+$/ : /^[\w-]+(?:\.[\w-]+)+$/);
  assert.equal(url.hostname.replace(/^\[|\]$/g, ""), host);
  if (literal) assert.deepEqual(addresses, [host]);
}

/** What decides over a visit, without the time that it took. */
function decisionOf(vetting: Vetting): unknown {
  if (!vetting.ok) return { ...vetting.refusal, dnsMs: 0 };
  const { url, host, addresses } = vetting.target;
  return { url: url.href, host, addresses };
}

async function decide(raw: string, resolution: Resolution): Promise<unknown> {
  return decisionOf(await openFuzzGuard(resolution).vet(raw));
}

const name = fc.constantFrom(
  ..."example.com www.example.com a.example.org wiki.corp localhost printer.local com x.test _a.b.com".split(
    " ",
  ),
);
const rewrite = fc.tuple(fc.nat({ max: 2 ** 20 }), fc.boolean(), fc.boolean(), fc.boolean());

/** The same name with letters raised or escaped, a trailing dot, the default port written out. */
function respell(
  host: string,
  [pattern, isEscaped, isDotted, isPorted]: [number, boolean, boolean, boolean],
): string {
  const letters = host.split("").map((letter, index) => {
    if (((pattern >> (index % 20)) & 1) === 0) return letter;
    return isEscaped ? `%${letter.charCodeAt(0).toString(16)}` : letter.toUpperCase();
  });
  return `https://${letters.join("")}${isDotted ? "." : ""}${isPorted ? ":443" : ""}/`;
}

export const GUARD_TARGETS: readonly Target[] = [
  target("addresses", addressText, (text) => assert.equal(isPublicAddress(text), isPublic(text))),

  target("guard", fc.tuple(urlText, answer), async ([raw, resolution]) => {
    const vetting = await openFuzzGuard(resolution).vet(raw);
    if (vetting.ok) assertSafe(vetting.target);
    assert.deepEqual(await decide(raw, resolution), decisionOf(vetting));
  }),

  target(
    "guard-spellings",
    fc.oneof(
      fc.tuple(v4Spellings, fc.constant(PUBLIC)).map(([spellings, resolution]) => ({
        urls: spellings.map((spelling) => `https://${spelling}/`),
        resolution,
      })),
      fc.tuple(name, rewrite, answer).map(([host, way, resolution]) => ({
        urls: [`https://${host}/`, respell(host, way)],
        resolution,
      })),
    ),
    async ({ urls: [first = "", ...others], resolution }) => {
      const decision = await decide(first, resolution);
      for (const other of others)
        assert.deepEqual(await decide(other, resolution), decision, other);
    },
  ),

  target(
    "redirects",
    fc.record({
      visited: fc.array(
        fc.constantFrom(
          "https://example.com/",
          "https://example.com:8443/a?b=c",
          "http://example.com/",
        ),
        { minLength: 1, maxLength: 6 },
      ),
      location: fc.oneof(urlText, secretUrl),
      resolution: answer,
    }),
    async ({ visited, location, resolution }) => {
      const guard = openFuzzGuard(resolution);
      const urls = visited.map((url) => new URL(url));
      const next = await followRedirect(guard, urls, location);
      if ("follow" in next) assertSafe(next.follow, next.follow.url.protocol);
      if ("follow" in next && visited.at(-1)?.startsWith("https:"))
        assert.equal(next.follow.url.protocol, "https:");
      if ("stop" in next) assert.ok(!next.stop.url.includes(URL_SECRET), next.stop.url);
    },
  ),
];
