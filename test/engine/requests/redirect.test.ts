import { describe, expect, test } from "vitest";
import { parseNetworks } from "../../../server/engine/net/address.ts";
import { openGuard, type Guard } from "../../../server/engine/net/guard.ts";
import { followRedirect } from "../../../server/engine/requests/redirect-chain.ts";

/** Every name leads to one public address. */
function openTestGuard(): Guard {
  const network = {
    resolver: {
      resolve: async () => ({ outcome: "found" as const, addresses: ["93.184.216.34"] }),
    },
    allowNetworks: parseNetworks(""),
    localAddresses: () => [],
  };
  return openGuard(network, new AbortController().signal);
}

describe("followRedirect", () => {
  const START = "https://example.com/";
  const TWENTY = Array.from({ length: 20 }, (_, index) => `${START}${index}`);

  test.each([
    [TWENTY, "/next", { reason: "too_many", refusal: null, url: `${START}next` }],
    [[START], "http://example.com/", { reason: "downgrade", refusal: null }],
    [[START], "http://127.0.0.1/", { reason: "downgrade", refusal: null }],
    [["http://example.com/", START], "http://www.example.com/", { reason: "downgrade" }],
    [[START], "/", { reason: "loop", refusal: null }],
    [[START], "#top", { reason: "loop", refusal: null }],
    [[START], "https://example.com.:443", { reason: "loop", refusal: null }],
    [[START, `${START}a`], START, { reason: "loop", refusal: null }],
    [[START], "ftp://example.com/", { reason: "refused", refusal: "not_https" }],
    [[START], "https://", { reason: "refused", refusal: "unparseable", url: "https://" }],
    [[START], "/\\example.com/", { reason: "loop", refusal: null }],
    [[START], "\\\\127.0.0.1\\", { reason: "refused", refusal: "private" }],
    [[START], "https:\\\\user@example.com/", { reason: "refused", refusal: "userinfo" }],
    [[START], "https://exam\tple.com:22/", { reason: "refused", refusal: "port" }],
    [[START], "https://caf%E9.com/", { reason: "refused", refusal: "unparseable" }],
    [[START], "//:@example.com/", { reason: "refused", refusal: "userinfo" }],
    [[START], "//[::1]/", { reason: "refused", refusal: "private" }],
    [
      [START],
      "//example.com:22/?token=secret",
      { reason: "refused", refusal: "port", url: "https://example.com:22/?token=***" },
    ],
    [["http://example.com/"], "http://wiki.corp/", { reason: "refused", refusal: "private" }],
  ])("from %j does not follow %j", async (visited, location, stop) => {
    const urls = visited.map((url) => new URL(url));
    expect(await followRedirect(openTestGuard(), urls, location)).toMatchObject({ stop });
  });

  test.each([
    [TWENTY.slice(1), "/next", "https://example.com/next"],
    [[START], "//www.example.com/", "https://www.example.com/"],
    [[START], "?a", "https://example.com/?a"],
    [["http://example.com/"], START, START],
    [["http://example.com/"], "/a", "http://example.com/a"],
  ])("from %j follows %j", async (visited, location, expected) => {
    const urls = visited.map((url) => new URL(url));
    const next = await followRedirect(openTestGuard(), urls, location);
    expect("follow" in next && next.follow.url.href).toBe(expected);
  });
});
