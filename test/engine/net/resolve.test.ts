import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  areNameServers,
  createResolver,
  type Resolution,
  type Resolver,
} from "../../../server/engine/net/resolve.ts";
import {
  type NameAnswer,
  type NameServer,
  NXDOMAIN,
  REFUSED,
  SERVFAIL,
  startNameServer,
} from "../../harness/name-server.ts";

/** Keys are `TYPE name`; a record's data is an address, or `CNAME target` before it. */
const ZONE: Readonly<Record<string, NameAnswer>> = {
  "A both.example.com": ["93.184.216.34", "93.184.216.35"],
  "AAAA both.example.com": ["2606:4700::1"],
  "A four.example.com": ["93.184.216.34"],
  "AAAA four.example.com": [],
  "AAAA six.example.com": ["2606:4700::1"],
  "A six.example.com": [],
  "A alias.example.com": ["CNAME inside.example.net", "10.0.0.1"],
  "AAAA alias.example.com": ["CNAME inside.example.net"],
  "A half.example.com": ["93.184.216.34"],
  "AAAA half.example.com": SERVFAIL,
  "A none.example.com": [],
  "AAAA none.example.com": [],
  "A broken.example.com": SERVFAIL,
  "AAAA broken.example.com": SERVFAIL,
  "A refused.example.com": REFUSED,
  "AAAA refused.example.com": [],
  "A odd.example.com": "silence",
  "AAAA odd.example.com": NXDOMAIN,
  "A slow.example.com": "silence",
  "AAAA slow.example.com": "silence",
  "A listed.example.com": ["93.184.216.34"],
  "AAAA listed.example.com": [],
  "A both.example.com.svc.cluster.local": ["10.0.0.1"],
  "A unknown.example.com.svc.cluster.local": ["10.0.0.1"],
};

let server: NameServer;
let folder: string;
let hostsFile: string;
let resolver: Resolver;

beforeAll(async () => {
  server = await startNameServer((question) => ZONE[question]);
  folder = await mkdtemp(path.join(tmpdir(), "resolve-"));
  hostsFile = path.join(folder, "hosts");
  resolver = createResolver({ servers: [server.address], hostsFile });
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

beforeEach(() => (server.questions.length = 0));

function resolve(name: string, signal = new AbortController().signal): Promise<Resolution> {
  return resolver.resolve(name, signal);
}

describe("an answer of DNS", () => {
  test.each([
    ["unknown.example.com", { outcome: "not_found" }],
    ["none.example.com", { outcome: "not_found" }],
    ["odd.example.com", { outcome: "not_found" }],
    ["broken.example.com", { outcome: "failed" }],
    ["refused.example.com", { outcome: "failed" }],
    ["half.example.com", { outcome: "found", addresses: ["93.184.216.34"] }],
    ["four.example.com", { outcome: "found", addresses: ["93.184.216.34"] }],
    ["six.example.com", { outcome: "found", addresses: ["2606:4700::1"] }],
    ["alias.example.com", { outcome: "found", addresses: ["10.0.0.1"] }],
    [
      "both.example.com",
      { outcome: "found", addresses: ["93.184.216.34", "93.184.216.35", "2606:4700::1"] },
    ],
  ])("%s is %j", async (name, expected) => {
    expect(await resolve(name)).toEqual(expected);
  });

  test("a silent server is a timeout after about 2 s", async () => {
    const startedAt = performance.now();
    expect(await resolve("slow.example.com")).toEqual({ outcome: "timeout" });
    expect(performance.now() - startedAt).toBeGreaterThan(1_200);
  });

  test("the check's deadline cancels the query", async () => {
    const whole = resolve("slow.example.com").then(() => "whole");
    const cut = resolve("slow.example.com", AbortSignal.timeout(50));
    expect(await Promise.race([whole, cut])).toEqual({ outcome: "timeout" });
    expect(await resolve("both.example.com", AbortSignal.abort())).toEqual({ outcome: "timeout" });
  });

  test("no search suffix is tried", async () => {
    process.env["LOCALDOMAIN"] = "svc.cluster.local";
    try {
      expect(await resolve("unknown.example.com")).toEqual({ outcome: "not_found" });
    } finally {
      delete process.env["LOCALDOMAIN"];
    }
    expect(server.questions.toSorted()).toEqual([
      "A unknown.example.com",
      "AAAA unknown.example.com",
    ]);
  });
});

describe("the second name servers", () => {
  const ERROR: Resolution = { outcome: "failed" };
  const SILENCE: Resolution = { outcome: "timeout" };
  const NONE: Resolution = { outcome: "not_found" };
  const FOUND: Resolution = { outcome: "found", addresses: ["93.184.216.34"] };
  const isConfirmed = true;
  /** What a name server answers to both questions about the name; `dead` also leaves out the one about the root. */
  type Says = NameAnswer | "dead";

  test.concurrent.each<[first: Says, second: Says, Resolution]>([
    [SERVFAIL, ["93.184.216.34"], FOUND],
    ["silence", ["93.184.216.34"], FOUND],
    ["dead", ["93.184.216.34"], FOUND],
    [SERVFAIL, NXDOMAIN, NONE],
    [SERVFAIL, SERVFAIL, { ...ERROR, isConfirmed }],
    [SERVFAIL, "silence", { ...ERROR, isConfirmed }],
    ["dead", SERVFAIL, { ...SILENCE, isConfirmed }],
    ["silence", "silence", { ...SILENCE, isConfirmed }],
    [SERVFAIL, "dead", ERROR],
    ["dead", "dead", SILENCE],
    [NXDOMAIN, ["93.184.216.34"], NONE],
  ])("after the first answers %j, they answer %j: %j", async (first, second, expected) => {
    const start = (says: Says) =>
      startNameServer((question) => {
        if (question === "NS ") return says === "dead" ? "silence" : ["a.root-servers.net"];
        if (says === "dead") return "silence";
        return Array.isArray(says) && question.startsWith("AAAA") ? [] : says;
      });
    const servers = await Promise.all([start(first), start(second)]);
    const [one, two] = servers.map(({ address }) => address);
    const both = createResolver({
      servers: [one ?? ""],
      secondServers: [two ?? ""],
      hostsFile: "/none",
    });
    expect(await both.resolve("www.example.com", new AbortController().signal)).toEqual(expected);
    for (const each of servers) each.close();
  });

  test("confirm nothing if one rejects every query", async () => {
    const refusing = await startNameServer(() => REFUSED);
    const both = createResolver({
      servers: [server.address],
      secondServers: [refusing.address],
      hostsFile: "/none",
    });
    expect(await both.resolve("broken.example.com", new AbortController().signal)).toEqual(ERROR);
    refusing.close();
  });

  test("are all of the system's but the first", async () => {
    const second = await startNameServer((question) =>
      question.startsWith("A ") ? ["93.184.216.34"] : [],
    );
    const both = createResolver({ servers: [server.address, second.address], hostsFile: "/none" });
    expect(await both.resolve("broken.example.com", new AbortController().signal)).toEqual(FOUND);
    second.close();
  });

  test("are not queried about a name that the first resolves", async () => {
    const second = await startNameServer(() => NXDOMAIN);
    const both = createResolver({
      servers: [server.address],
      secondServers: [second.address],
      hostsFile: "/none",
    });
    await both.resolve("both.example.com", new AbortController().signal);
    await both.resolve("unknown.example.com", new AbortController().signal);
    expect(second.questions).toEqual([]);
    second.close();
  });

  test.each([
    ["", false],
    ["dns.example.com", false],
    ["192.0.2.53;192.0.2.54", false],
    ["192.0.2.53,", false],
    ["192.0.2.53", true],
    ["192.0.2.53:5353, 2001:db8::53,[2001:db8::53]:53", true],
  ])("%j lists name servers: %j", (text, expected) => {
    expect(areNameServers(text)).toBe(expected);
  });
});

describe("names that the machine itself resolves", () => {
  test("localhost names are loopback without a hosts file", async () => {
    for (const name of ["localhost", "app.localhost"])
      expect(await resolve(name)).toEqual({ outcome: "found", addresses: ["127.0.0.1", "::1"] });
    expect(server.questions).toEqual([]);
  });

  test("the hosts file comes before DNS and is read again when it changes", async () => {
    await writeFile(hostsFile, "# 10.0.0.9 listed.example.com\nnonsense listed.example.com\n");
    expect(await resolve("listed.example.com")).toEqual({
      outcome: "found",
      addresses: ["93.184.216.34"],
    });

    await writeFile(
      hostsFile,
      "fe80::1%lo0 localhost\r\n\t10.0.0.1\tOther Listed.Example.com. # why\r\n::1 listed.example.com",
    );
    server.questions.length = 0;
    expect(await resolve("listed.example.com")).toEqual({
      outcome: "found",
      addresses: ["10.0.0.1", "::1"],
    });
    expect(await resolve("localhost")).toEqual({ outcome: "found", addresses: ["fe80::1%lo0"] });
    expect(server.questions).toEqual([]);

    await rm(hostsFile);
    expect(await resolve("listed.example.com")).toEqual({
      outcome: "found",
      addresses: ["93.184.216.34"],
    });
  });
});
