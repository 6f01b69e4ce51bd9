import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Database } from "../../server/db/driver/sql.ts";
import { startBlackHole, type BlackHole } from "../harness/black-hole.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { NXDOMAIN, startNameServer, type NameServer } from "../harness/name-server.ts";
import { openDatabase } from "../harness/opened-database.ts";
import { startServerProcess, type ServerProcess } from "../harness/process.ts";
import { findClosedPort, startSite, type Site } from "../harness/site.ts";
import { waitUntil } from "../harness/slow-site.ts";
import { watchAddresses } from "../harness/watching.ts";

const PRELOAD = new URL("../harness/name-servers.js", import.meta.url).href;
const NAMES = Array.from({ length: 30 }, (_, index) => `s${index % 2}.d${index >> 1}.example`);
const STOPPED_MS = 8000;
const WAIT_MS = 120_000;

describe.runIf(inject("database") === "postgres")("30 sites over 15 domains", () => {
  let database: TestDatabase;
  let opened: Database;
  let folder: string;
  let site: Site;
  let network: BlackHole;
  let nameServers: NameServer[];
  let server: ServerProcess;
  let metrics: string;
  let areNamesLost = false;
  const gone = new Set<string>();

  beforeAll(async () => {
    const answer = (question: string) => {
      const [type = "", name = ""] = question.split(" ");
      if (areNamesLost) return "silence";
      if (gone.has(name)) return NXDOMAIN;
      return type === "A" ? ["127.0.0.1"] : [];
    };
    nameServers = [await startNameServer(answer), await startNameServer(answer)];
    site = await startSite({
      hosts: NAMES,
      routes: {
        "*": (_, response) =>
          void setTimeout(() => response.end("<!doctype html><title>x</title><p>Here."), 300),
      },
    });
    network = await startBlackHole(site.port);
    folder = await mkdtemp(join(tmpdir(), "faults-"));
    const authority = join(folder, "authority.pem");
    await writeFile(authority, site.authority.certificate);
    database = await createTestDatabase();
    opened = await openDatabase(database.env);
    await watchAddresses(
      opened,
      NAMES.map((name) => `https://${name}:${network.port}/`),
    );
    metrics = `127.0.0.1:${await findClosedPort()}`;
    const [first, second] = nameServers.map(({ address }) => address);
    server = await startServerProcess({
      ...database.env,
      NODE_OPTIONS: `--import ${PRELOAD}`,
      NODE_EXTRA_CA_CERTS: authority,
      SYSTEM_NAME_SERVERS: first ?? "",
      SHIPSCORE_DNS_SERVERS: second ?? "",
      SHIPSCORE_CYCLE_SECONDS: "2",
      SHIPSCORE_VERIFY_SECONDS: "0",
      SHIPSCORE_METRICS_ADDRESS: metrics,
    });
    await haveAllLooked(2);
  });
  afterAll(async () => {
    await server.end("SIGTERM");
    await opened.close();
    await database.drop();
    await network.close();
    await site.close();
    for (const each of nameServers) each.close();
    await rm(folder, { recursive: true });
  });

  /** Waits until each site has been asked this often from now on. */
  async function haveAllLooked(times: number): Promise<void> {
    const from = site.requests.length;
    const count = (name: string) =>
      site.requests.slice(from).filter(({ headers }) => headers.host?.startsWith(`${name}:`));
    await waitUntil(
      "each site is asked",
      () => NAMES.every((name) => count(name).length >= times),
      WAIT_MS,
    );
  }

  const readGauge = async () =>
    /^shipscore_judgement_withheld (\d)$/m.exec(
      await (await fetch(`http://${metrics}/metrics`)).text(),
    )?.[1];
  const listFailing = async () =>
    (await opened.sql<{ url: string }>`select url from incidents`).map(
      ({ url }) => new URL(url).hostname,
    );
  const countSaid = () => server.stdout().split("judgement withheld").length - 1;

  async function expectWithheld(saidBefore: number): Promise<void> {
    await waitUntil("judgement is withheld", async () => (await readGauge()) === "1", WAIT_MS);
    expect(countSaid()).toBe(saidBefore + 1);
  }

  async function expectJudging(): Promise<void> {
    await waitUntil("looks are judged again", async () => (await readGauge()) === "0", WAIT_MS);
    await haveAllLooked(2);
    expect(await listFailing()).toEqual([]);
  }

  test("no incident opens while no name server answers", async () => {
    expect(await readGauge()).toBe("0");
    areNamesLost = true;
    for (const each of nameServers) each.asked.length = 0;
    await expectWithheld(0);
    const timesAsked = (name: string) =>
      nameServers.flatMap(({ asked }) => asked).filter((question) => question === `A ${name}`);
    const all = () => NAMES.every((name) => timesAsked(name).length >= 16);
    await waitUntil("two looks at each", all, WAIT_MS);
    expect(await listFailing()).toEqual([]);
    areNamesLost = false;
    await expectJudging();
  });

  test("no incident opens while the network swallows everything", async () => {
    const said = countSaid();
    network.swallow();
    await expectWithheld(said);
    const before = network.accepted();
    await waitUntil("two looks at each", () => network.accepted() - before >= 120, WAIT_MS);
    expect(await listFailing()).toEqual([]);
    network.restore();
    await expectJudging();
  });

  test("no incident opens when the process is stopped and continued in the middle of looks", async () => {
    for (let times = 0; times < 3; times++) {
      await waitUntil("looks are judged", async () => (await readGauge()) === "0", WAIT_MS);
      const said = countSaid();
      await waitUntil("looks are under way", () => network.passing() > 0, WAIT_MS);
      server.child.kill("SIGSTOP");
      await new Promise((resolve) => setTimeout(resolve, STOPPED_MS));
      server.child.kill("SIGCONT");
      await waitUntil("it is said", () => countSaid() > said, WAIT_MS);
    }
    await expectJudging();
  });

  test("one site that fails while the others answer does open one", async () => {
    const [name = ""] = NAMES;
    gone.add(name);
    await waitUntil("an incident", async () => (await listFailing()).length > 0, WAIT_MS);
    expect(await listFailing()).toEqual([name]);
  });
});
