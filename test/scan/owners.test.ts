import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { createResolver } from "../../server/engine/net/resolve.ts";
import { createVet } from "../../server/engine/net/vet.ts";
import { AppError } from "../../server/base/errors.ts";
import { requireOwnerPermission, startScan } from "../../server/scan/scan-request.ts";
import { describeError } from "../../server/http/errors.ts";
import { startHostileSite } from "../hostile/hostile-site.ts";
import { startNameServer } from "../harness/name-server.ts";
import { useServer } from "../harness/server.ts";
import {
  findClosedPort,
  startSite,
  type Route,
  type Site,
  type SiteOptions,
} from "../harness/site.ts";
import { createAuthority } from "../harness/certificates.ts";
import { use } from "../harness/use.ts";

const ROBOTS = "/robots.txt";
const robots = (body: string | Buffer, encoding?: string): Record<string, Route> => ({
  [ROBOTS]: { body, ...(encoding && { headers: { "content-encoding": encoding } }) },
});
const NO = "User-agent: shipscore\nDisallow: /";
const SHUT = { body: NO };

let visitors = 0;
const started: { close(): Promise<void> }[] = [];

const server = useServer({
  env: { SHIPSCORE_SCANS_AT_ONCE: "100" },
});
const names = use(() =>
  startNameServer((question) => (question === "A owner.example.com" ? ["127.0.0.1"] : [])),
);
afterEach(async () => {
  await Promise.all(started.splice(0).map((site) => site.close()));
  // A later site may get the port of this one.
  await server.sql`delete from robots_permissions`;
});

async function open<Started extends { close(): Promise<void> }>(
  starting: Promise<Started>,
): Promise<Started> {
  const site = await starting;
  started.push(site);
  return site;
}

const openSite = (routes: Record<string, Route>, options: SiteOptions = {}) =>
  open(startSite({ ...options, routes }));

/** Another server on the same database. */
const otherServer = () => ({
  ...server.deps,
  scanState: { ...server.deps.scanState, owners: new Map<string, Promise<boolean>>() },
});

/** The file in which the owner refuses, or null. */
async function ask(
  url: string,
  deps = server.deps,
  visitor = `visitor ${visitors++}`,
): Promise<string | null> {
  const visit = await deps.probe.vetScan(url, deps.stopping);
  try {
    await requireOwnerPermission(deps, visit, visitor);
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "scan_refused_by_owner") throw error;
    return (error as AppError<"scan_refused_by_owner">).parameters.file;
  } finally {
    visit.close();
  }
}

/** For how long the answer is kept. */
async function findKept({ url }: { url: string }): Promise<"a day" | "a moment" | undefined> {
  const [row] = await server.sql<{ seconds: number }>`
    select extract(epoch from expires_at - now())::int as seconds from robots_permissions
    where origin = ${new URL(url).origin}`;
  if (row === undefined) return undefined;
  return row.seconds > 80_000 ? "a day" : "a moment";
}

/** As `ask`, until the owner has answered in time, which a busy machine may take several times for. */
async function askUntilAnswered(url: string): Promise<string | null> {
  for (;;) {
    const file = await ask(url);
    if ((await findKept({ url })) !== "a moment") return file;
    await server.sql`delete from robots_permissions where origin = ${new URL(url).origin}`;
  }
}

const pathsOf = ({ requests }: Site) => requests.map(({ url }) => url).toSorted();

describe("a scan is rejected because of", () => {
  test.each<[string, Record<string, Route>]>([
    ["a group that names shipscore", { [ROBOTS]: SHUT }],
    ["a file with a byte order mark", robots(`\ufeff${NO}`)],
    ["a file that is not all UTF-8", robots(Buffer.from(`\xff\xfe\n${NO}`, "latin1"))],
    ["a packed file", robots(gzipSync(NO), "gzip")],
    [
      "a file behind a redirect on the origin",
      { [ROBOTS]: redirectTo("/shipscore.txt"), "/shipscore.txt": SHUT },
    ],
    [
      "a file that is longer than is read",
      { [ROBOTS]: { body: `${NO}\n${"# more\n".repeat(100_000)}` } },
    ],
  ])("%s", async (_, routes) => {
    const site = await openSite(routes);
    expect(await askUntilAnswered(`${site.url}some/page?with=query`)).toBe(
      new URL(ROBOTS, site.url).href,
    );
    expect(await findKept(site)).toBe("a day");
  });

  test("a host whose certificate has expired", async () => {
    const expired = { notBefore: new Date("2020-01-01"), notAfter: new Date("2021-01-01") };
    const site = await openSite({ [ROBOTS]: SHUT }, { order: expired });
    expect(await askUntilAnswered(site.url)).toBe(new URL(ROBOTS, site.url).href);
  });

  test("an owner, in a sentence that names the file", () => {
    const file = "https://example.com/robots.txt";
    const error = new AppError("scan_refused_by_owner", { host: "example.com", file });
    expect(describeError(error)).toEqual({
      status: 403,
      code: "scan_refused_by_owner",
      parameters: `host="example.com", file="${file}"`,
      sentence:
        "Le propriétaire de « example.com » refuse, dans https://example.com/robots.txt, les analyses publiques de son site. Modifiez ce fichier si le site est le vôtre, ou vérifiez la page depuis un compte : ce refus ne s'y applique pas.",
    });
  });
});

function redirectTo(location: string, status = 302): Route {
  return { status, headers: { location } };
}

describe("a scan is allowed, and the answer cached for a day, because of", () => {
  test.each<[string, Record<string, Route>]>([
    ["an owner without the file", {}],
    ["an empty file", robots("")],
    ["a refusal of others", robots("User-agent: *\nDisallow: /")],
    ["a refusal of a part", robots("User-agent: shipscore\nDisallow: /a")],
    ["a refusal in a page of an error", { [ROBOTS]: { status: 403, ...SHUT } }],
    ["a redirect that has no end", { [ROBOTS]: redirectTo("/robots.txt") }],
    [
      "more redirects than are followed",
      { [ROBOTS]: redirectTo("/1"), "/1": redirectTo("/2"), "/2": redirectTo("/3"), "/3": SHUT },
    ],
    ["a body in an encoding that was not asked for", robots(NO, "zstd")],
    [
      "a last line cut off by the limit, which may mean something else",
      robots(`${"#".repeat(512_000 - NO.length - 1)}\n${NO}admin/`),
    ],
    ["a gzip bomb", robots(gzipSync(Buffer.alloc(50_000_000, "a")), "gzip")],
    ["a gigabyte", { [ROBOTS]: sendForever }],
  ])("%s", async (_, routes) => {
    const site = await openSite(routes);
    expect(await askUntilAnswered(site.url)).toBe(null);
    expect(await findKept(site)).toBe("a day");
  });
});

/** A gigabyte, as fast as it is taken. */
function sendForever(_request: unknown, response: ServerResponse): void {
  const chunk = randomBytes(1_000_000);
  let left = 1000;
  const write = () => {
    while (left > 0 && response.write(chunk)) left--;
    if (left > 0) response.once("drain", write);
    else response.end();
  };
  response.on("error", () => {});
  write();
}

describe("a scan is allowed, and the owner is soon asked again, if", () => {
  test.each<[string, Record<string, Route>]>([
    ["the site fails", { [ROBOTS]: { status: 500, ...SHUT } }],
    ["the site has enough of us", { [ROBOTS]: { status: 429 } }],
    ["the site hangs", { [ROBOTS]: () => {} }],
    ["a body never ends", { [ROBOTS]: (_request, response) => void response.write(`${NO}\n`) }],
    ["the connection breaks", { "*": (_request, response) => void response.destroy() }],
  ])("%s", async (_, routes) => {
    const site = await openSite(routes);
    expect(await ask(site.url)).toBe(null);
    expect(await findKept(site)).toBe("a moment");
  });

  test.each<[string, string]>([
    ["what answers is not HTTP", "SSH-2.0-OpenSSH\r\n"],
    ["the headers have no end", `HTTP/1.1 200 OK\r\n${"X: y\r\n".repeat(100_000)}`],
    ["one header has no end", `HTTP/1.1 200 OK\r\nX: ${"y".repeat(1_000_000)}`],
    ["redirects lead to no URL", "HTTP/1.1 302 Found\r\nLocation: https://[\r\nContent-Len"],
  ])("%s", async (_, answer) => {
    const site = await open(startHostileSite((socket) => void socket.write(answer)));
    expect(await ask(site.url)).toBe(null);
    expect(await findKept(site)).toBe("a moment");
  });

  test("nothing listens", async () => {
    const url = `https://127.0.0.1:${await findClosedPort()}/`;
    expect(await ask(url)).toBe(null);
    expect(await findKept({ url })).toBe("a moment");
  });
});

test("an untrusted certificate does not prevent a scan", async () => {
  const site = await openSite({}, { authority: await createAuthority() });
  expect(await ask(site.url)).toBe(null);
});

describe("only the owner is asked:", () => {
  test("a redirect to another origin is not followed, not even on the same host", async () => {
    const inside = await openSite({ "*": SHUT }, { plainRoutes: { "*": SHUT } });
    for (const location of [
      `${inside.url}robots.txt`,
      `http://127.0.0.1:${inside.plainPort}/robots.txt`,
      `//127.0.0.1:${inside.port}/robots.txt`,
      `https://localhost:${inside.port}/robots.txt`,
    ]) {
      const site = await openSite({ "*": redirectTo(location, 307) });
      expect(await ask(site.url)).toBe(null);
      expect(pathsOf(site)).toEqual([ROBOTS]);
    }
    expect(inside.accepted()).toBe(0);
  });

  test("the request goes to the vetted addresses, without another lookup", async () => {
    const resolver = createResolver({ servers: [names.address], hostsFile: "/nowhere" });
    const vetScan = createVet({ ...server.deps.networks.scans, resolver });
    const deps = { ...server.deps, probe: { ...server.deps.probe, vetScan } };
    const site = await openSite({ [ROBOTS]: SHUT }, { hosts: ["owner.example.com"] });
    const file = `https://owner.example.com:${site.port}/robots.txt`;
    expect(await ask(`https://owner.example.com:${site.port}/`, deps)).toBe(file);
    expect(names.questions.filter((question) => question === "A owner.example.com")).toHaveLength(
      1,
    );
    expect(site.requests[0]?.headers.host).toBe(`owner.example.com:${site.port}`);
  });

  test("a forbidden host is not contacted at all", async () => {
    const visit = await server.deps.probe.vetScan("https://10.0.0.1/", server.deps.stopping);
    await requireOwnerPermission(server.deps, visit, "192.0.2.1");
    visit.close();
    expect(await findKept({ url: "https://10.0.0.1/" })).toBe(undefined);
  });
});

test("a visitor can have 60 owners asked in an hour, and in addition those asked already", async () => {
  const site = await openSite({});
  const originOf = (index: number) => `https://v${index}.localhost:${site.port}/`;
  for (let index = 0; index < 60; index++) await ask(originOf(index), server.deps, "192.0.2.99");
  await expect(ask(originOf(60), server.deps, "192.0.2.99")).rejects.toMatchObject({
    code: "scan_visitor_bound",
    parameters: { bound: "owners", limit: 60 },
  });
  expect(site.requests).toHaveLength(60);
  expect(await ask(originOf(0), server.deps, "192.0.2.99")).toBe(null);
  expect(await ask(originOf(60), server.deps, "192.0.2.98")).toBe(null);
});

test("the request has its own User-Agent, and is for one file, for any page to scan", async () => {
  const site = await openSite({});
  await askUntilAnswered(`${site.url}a?token=secret`);
  expect(new Set(pathsOf(site))).toEqual(new Set([ROBOTS]));
  for (const { method, headers } of site.requests) {
    expect(method).toBe("GET");
    expect(headers["user-agent"]).toMatch(/^shipscore\//);
    expect(headers).not.toHaveProperty("cookie");
  }
});

test("scans of an origin that start together ask once, and other servers do not ask again that day", async () => {
  const site = await openSite({ [ROBOTS]: SHUT });
  const file = new URL(ROBOTS, site.url).href;
  const asked = Array.from({ length: 20 }, (_, page) => ask(`${site.url}${page}`));
  expect(new Set(await Promise.all(asked))).toEqual(new Set([file]));
  expect(await ask(site.url, otherServer())).toBe(file);
  expect(pathsOf(site)).toEqual([ROBOTS]);

  await server.sql`update robots_permissions set expires_at = now()`;
  expect(await ask(site.url, otherServer())).toBe(file);
  expect(site.requests).toHaveLength(2);
});

test("many owners that do not answer prevent no scan", async () => {
  const hanging = await openSite({ [ROBOTS]: () => {} });
  const starts = Array.from({ length: 48 }, (_, index) => {
    const url = `https://n${index}.localhost:${hanging.port}/`;
    return startScan(server.deps, { url, again: false }, `10.0.${index}.1`);
  });
  const outcomes = await Promise.allSettled(starts);
  expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
});
