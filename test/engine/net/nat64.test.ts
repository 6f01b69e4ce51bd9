import { describe, expect, test } from "vitest";
import { parseNetworks } from "../../../server/engine/net/address.ts";
import { openGuard } from "../../../server/engine/net/guard.ts";
import { createTranslations } from "../../../server/engine/net/nat64.ts";
import { createResolver, type Resolution } from "../../../server/engine/net/resolve.ts";
import { SERVFAIL, startNameServer } from "../../harness/name-server.ts";

const signal = new AbortController().signal;

/** A guard on a network whose resolver says this of ipv4only.arpa, and of other names what they begin with. */
function openGuardBehind(answers: readonly string[] | Resolution["outcome"]) {
  const asked: string[] = [];
  const resolver = {
    async resolve(name: string): Promise<Resolution> {
      asked.push(name);
      if (name !== "ipv4only.arpa") return { outcome: "found", addresses: [decode(name)] };
      if (typeof answers !== "string") return { outcome: "found", addresses: [...answers] };
      return answers === "found" ? { outcome: "found", addresses: [] } : { outcome: answers };
    },
  };
  const network = {
    resolver,
    allowNetworks: parseNetworks(""),
    localAddresses: () => [],
    translations: createTranslations(resolver),
  };
  return { open: () => openGuard(network, signal), asked };
}

const decode = (name: string) => name.replace(".example.com", "").replaceAll("-", ":");

async function isRefused(answers: readonly string[], address: string): Promise<boolean> {
  const guard = openGuardBehind(answers).open();
  const vetting = await guard.vet(`https://${address.replaceAll(":", "-")}.example.com/`);
  const literal = await guard.vet(`https://[${address}]/`);
  expect(literal.ok).toBe(vetting.ok);
  expect(guard.classify(new URL(`https://[${address}]/`))).toBe(vetting.ok ? "public" : "private");
  return !vetting.ok && vetting.refusal.code === "private";
}

/** RFC 6052, 2.4: 192.0.2.33 under each length of prefix, and the same of 192.0.0.170 as RFC 7050 asks for it. */
describe("an address under the network's NAT64 prefix is rejected", () => {
  test.each([
    ["32", "2a01:db8:c000:aa::", "2a01:db8:7f00:1::"],
    ["40", "2a01:db8:1c0:0:aa::", "2a01:db8:17f:0:1::"],
    ["48", "2a01:db8:122:c000:0:aa00::", "2a01:db8:122:7f00:0:100::"],
    ["56", "2a01:db8:122:3c0:0:aa::", "2a01:db8:122:37f:0:1::"],
    ["64", "2a01:db8:122:344:c0:0:aa00:0", "2a01:db8:122:344:7f:0:100::"],
    ["96", "2a01:db8:122:344::192.0.0.170", "2a01:db8:122:344::7f00:1"],
    ["96, the other", "2a01:db8:122:344::c000:ab", "2a01:db8:122:344::5db8:d822"],
  ])("of %s bits", async (_bits, known, address) => {
    expect(await isRefused(["192.0.0.170", known], address)).toBe(true);
    expect(await isRefused(["192.0.0.170", known], "2a01:db9:c000:aa:1::1")).toBe(false);
  });
});

test.each([
  ["it has no IPv6 address, as in most networks", ["192.0.0.170", "192.0.0.171"]],
  ["its IPv6 address holds none of its own", ["2a01:db8::1"]],
  ["it has none", []],
])("nothing more is rejected if %s", async (_why, answers) => {
  expect(await isRefused(answers, "2a01:db8:122:344::7f00:1")).toBe(false);
});

test("the prefix is queried once, with any outcome", async () => {
  for (const answers of ["not_found", "failed", "timeout", ["2a01:db8::c000:aa"]] as const) {
    const { open, asked } = openGuardBehind(answers);
    for (let times = 0; times < 3; times++) await open().vet("https://[2a01:db9::1]/");
    expect(asked).toEqual(["ipv4only.arpa"]);
  }
});

test("the prefix is queried over DNS", async () => {
  const server = await startNameServer((question) =>
    question === "AAAA ipv4only.arpa" ? ["2a01:db8::c000:aa"] : SERVFAIL,
  );
  const resolver = createResolver({ servers: [server.address], hostsFile: "/none" });
  const networks = await createTranslations(resolver)();
  expect(networks.ipv6.check("2a01:db8::7f00:1", "ipv6")).toBe(true);
  expect(server.questions.toSorted()).toEqual(["A ipv4only.arpa", "AAAA ipv4only.arpa"]);
  server.close();
});
