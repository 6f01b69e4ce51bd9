import { describe, expect, test } from "vitest";
import { parseNetworks } from "../../../server/engine/net/address.ts";
import type { RefusalCode } from "../../../server/engine/evidence/exchange.ts";
import {
  isVettedAddress,
  openGuard,
  type Guard,
  type Network,
  type Vetting,
} from "../../../server/engine/net/guard.ts";
import type { Resolution } from "../../../server/engine/net/resolve.ts";

const PUBLIC = "93.184.216.34";
const NAMES: Readonly<Record<string, Resolution>> = {
  "example.com": found(PUBLIC),
  "www.example.com": found("2606:4700::1", PUBLIC, PUBLIC),
  "xn--exmple-cua.com": found(PUBLIC),
  "mixed.example.com": found(PUBLIC, "10.20.0.1"),
  "zone.example.com": found("2606:4700::1%eth0"),
  "inside.example.com": found("10.20.0.1"),
  "me.example.com": found("8.8.4.4"),
  "wiki.corp": found("10.20.0.2"),
  "stray.corp": found(PUBLIC),
  "broken.corp": { outcome: "failed" },
  wiki: found("10.20.0.3"),
  localhost: found("127.0.0.1"),
  "empty.example.com": found(),
  "broken.example.com": { outcome: "failed" },
  "slow.example.com": { outcome: "timeout" },
};

function found(...addresses: string[]): Resolution {
  return { outcome: "found", addresses };
}

function openTestGuard(
  allowNetworks = "",
  options: Partial<Network> = {},
): Guard & { asked: string[] } {
  const asked: string[] = [];
  const network: Network = {
    resolver: {
      async resolve(name) {
        asked.push(name);
        return NAMES[name] ?? { outcome: "not_found" };
      },
    },
    allowNetworks: parseNetworks(allowNetworks),
    localAddresses: () => ["127.0.0.1", "8.8.4.4", "2606:4700::99"],
    ...options,
  };
  return { ...openGuard(network, new AbortController().signal), asked };
}

function codeOf(vetting: Vetting): RefusalCode | null {
  return vetting.ok ? null : vetting.refusal.code;
}

describe("vet, with no allowed network", () => {
  test.each<[string, RefusalCode]>([
    ["https://a.home.arpa/", "private"],
    ["https://1.0.10.in-addr.arpa/", "private"],
    ["https://x.31.172.in-addr.arpa/", "private"],
    ["https://ipv4only.arpa/", "private"],
    ["https://x.onion/", "private"],
    ["https://x.alt/", "private"],
    ["https://printer.LAN./", "private"],
    ["https://com/", "private"],
    ["https://localhost:8443/", "private"],
    ["https://%6c%6fcalhost/", "private"],
    ["https://wiki.corp/", "private"],
    ["https://example.com:444/", "port"],
    ["https://example.com:0/", "port"],
    ["https://inside.example.com:80/", "port"],
  ])("rejects %s as %s without a query", async (raw, code) => {
    const guard = openTestGuard();
    expect(codeOf(await guard.vet(raw))).toBe(code);
    expect(guard.asked).toEqual([]);
  });

  test.each<[string, RefusalCode]>([
    ["https://127.0.0.1:6379/", "private"],
    ["https://0x7f.1/", "private"],
    ["https://127.1./", "private"],
    ["https://%31%32%37.0.0.1/", "private"],
    ["https://①②⑦.⓪.⓪.①/", "private"],
    ["https://[::ffff:8.8.8.8]/", "private"],
    ["https://8.8.4.4/", "private"],
    ["https://[2606:4700:0::99]/", "private"],
    ["https://8.8.8.8:22/", "port"],
    ["https://inside.example.com/", "private"],
    ["https://mixed.example.com/", "private"],
    ["https://zone.example.com/", "private"],
    ["https://me.example.com/", "private"],
    ["https://empty.example.com/", "not_found"],
    ["https://unknown.example.com/", "not_found"],
    ["https://broken.example.com/", "dns_failure"],
    ["https://slow.example.com/", "dns_timeout"],
  ])("rejects %s as %s", async (raw, code) => {
    expect(codeOf(await openTestGuard().vet(raw))).toBe(code);
  });

  test("gives the addresses to connect to, IPv4 first, and the host without its dot", async () => {
    const vetting = await openTestGuard().vet("https://WWW.example.com.:8443/a?b#c");
    expect(vetting).toMatchObject({
      ok: true,
      target: {
        host: "www.example.com",
        literal: false,
        addresses: [PUBLIC, "2606:4700::1"],
        allowed: false,
      },
    });
    expect(vetting.ok && vetting.target.url.href).toBe("https://www.example.com:8443/a?b#c");
  });

  test("reads IDNA and literals as connections use them", async () => {
    const guard = openTestGuard();
    const idna = await guard.vet("https://exämple.com/");
    const literal = await guard.vet("https://[2606:4700::0:1]/");
    expect(idna).toMatchObject({ ok: true, target: { host: "xn--exmple-cua.com" } });
    expect(literal).toMatchObject({
      ok: true,
      target: { host: "2606:4700::1", literal: true, addresses: ["2606:4700::1"], dnsMs: 0 },
    });
    expect(guard.asked).toEqual(["xn--exmple-cua.com"]);
  });

  test("resolves a name once per check, for all its requests", async () => {
    const guard = openTestGuard();
    const base = new URL("https://example.com/a");
    await Promise.all([
      guard.vet("https://example.com/"),
      guard.vet("/b", { base }),
      guard.vet("http://example.com./", { scheme: "http:" }),
      guard.vet("//example.com:8443/", { base }),
    ]);
    expect(guard.asked).toEqual(["example.com"]);
  });

  test.each<[string, RefusalCode | null]>([
    ["//user@example.com/", "userinfo"],
    ["http:user@example.com/", "not_https"],
    ["//localhost/", "private"],
    ["https:user@example.com/", null],
    ["/a@b", null],
    ["a@b", null],
    ["?a@b", null],
  ])("vets %j in a page as %s", async (raw, expected) => {
    const base = new URL("https://example.com/");
    expect(codeOf(await openTestGuard().vet(raw, { base }))).toBe(expected);
  });

  test.each<[string, number | undefined, RefusalCode | null]>([
    ["https://example.com/", undefined, "not_https"],
    ["http://example.com:8080/", undefined, "port"],
    ["http://example.com:443/", undefined, "port"],
    ["http://127.0.0.1/", undefined, "private"],
    ["http://example.com/", undefined, null],
    ["http://example.com/", 8080, null],
    ["http://example.com:8080/", 8080, null],
  ])("vets %s for plain http, port option %s, as %s", async (raw, httpPort, expected) => {
    const guard = openTestGuard("", httpPort === undefined ? {} : { httpPort });
    expect(codeOf(await guard.vet(raw, { scheme: "http:" }))).toBe(expected);
  });
});

describe("vet, with allowed networks", () => {
  const ALLOWED = "127.0.0.0/8,10.20.0.0/16";

  test.each<[string, RefusalCode]>([
    ["https://10.21.0.1/", "private"],
    ["https://[::1]/", "private"],
    ["https://[::ffff:127.0.0.1]/", "private"],
    ["https://mixed.example.com/", "private"],
    ["https://stray.corp/", "private"],
    ["https://unknown.corp/", "private"],
    ["https://broken.corp/", "private"],
    ["https://unknown.example.com/", "not_found"],
    ["https://example.com:6379/", "port"],
  ])("rejects %s as %s", async (raw, code) => {
    expect(codeOf(await openTestGuard(ALLOWED).vet(raw))).toBe(code);
  });

  test.each([
    "https://127.0.0.1:6379/",
    "https://localhost:3000/",
    "https://wiki.corp/",
    "https://wiki/",
    "https://inside.example.com:9443/",
  ])("allows %s on any port", async (raw) => {
    const vetting = await openTestGuard(ALLOWED).vet(raw);
    expect(vetting).toMatchObject({ ok: true, target: { allowed: true } });
  });

  test("never allows them to a check that started elsewhere", async () => {
    const guard = openTestGuard(ALLOWED);
    const inside = ["https://127.0.0.1/", "https://wiki.corp/", "https://inside.example.com/"];
    const vettings = await Promise.all(
      ["https://example.com/", ...inside].map((url) => guard.vet(url)),
    );
    expect(vettings.map(codeOf)).toEqual([null, "private", "private", "private"]);
    expect(guard.asked).toEqual(["example.com", "inside.example.com"]);
  });

  test("never allows them to a check whose own URL was rejected", async () => {
    const guard = openTestGuard(ALLOWED);
    await guard.vet("http://127.0.0.1/");
    expect(codeOf(await guard.vet("https://127.0.0.1/"))).toBe("private");
  });

  test("lets a check that started inside reach all of them", async () => {
    const guard = openTestGuard(ALLOWED);
    const urls = [
      "https://wiki.corp/",
      "https://127.0.0.1:1/",
      "https://example.com/",
      "https://10.21.0.1/",
    ];
    const vettings = await Promise.all(urls.map((url) => guard.vet(url)));
    expect(vettings.map(codeOf)).toEqual([null, null, null, "private"]);
  });
});

test.each([
  [undefined, false],
  ["127.0.0.1", false],
  ["2606:4700::2", false],
  [PUBLIC, true],
  [`::ffff:${PUBLIC}`, true],
  ["2606:4700:0::1", true],
])("isVettedAddress of a socket at %s is %s", async (remoteAddress, expected) => {
  const vetting = await openTestGuard().vet("https://www.example.com/");
  expect(vetting.ok && isVettedAddress(vetting.target, remoteAddress)).toBe(expected);
});

describe("a name of thousands of addresses", () => {
  const many = [
    ...Array.from({ length: 4000 }, (_, i) => `93.184.${i >> 8}.${i & 255}`),
    ...Array.from({ length: 2200 }, (_, i) => `2606:4700::${(i + 1).toString(16)}`),
  ];
  const openManyGuard = (addresses: string[]) =>
    openTestGuard("", { resolver: { resolve: async () => ({ outcome: "found", addresses }) } });

  test("is reduced to the first 32, and only these are vetted", async () => {
    const guard = openManyGuard([...many, "127.0.0.1"]);
    const vetting = await guard.vet("https://many.example.com/");
    expect(vetting.ok && vetting.target.addresses).toEqual(many.slice(0, 32));
    const known = await guard.getKnown();
    expect(known).toMatchObject([
      ["many.example.com", { resolution: { addresses: { length: 32 } } }],
    ]);
    const within = openManyGuard(["127.0.0.1", ...many]);
    expect(codeOf(await within.vet("https://many.example.com/"))).toBe("private");
  });
});
