import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startProxy } from "../../harness/proxy.ts";
import { useFiles } from "../../harness/database.ts";
import { NXDOMAIN, startNameServer, type NameServer } from "../../harness/name-server.ts";
import { openDatabase } from "../../harness/opened-database.ts";
import { useProcess } from "../../harness/process.ts";
import { findClosedPort, startSite } from "../../harness/site.ts";
import { waitUntil } from "../../harness/slow-site.ts";
import { watchAddresses } from "../../harness/watching.ts";
import { use, useFolder } from "../../harness/use.ts";

const PRELOAD = new URL("../../harness/name-servers.js", import.meta.url).href;
const NAMES = Array.from({ length: 30 }, (_, index) => `s${index % 2}.d${index >> 1}.example`);
const STOPPED_MS = 8000;
const WAIT_MS = 120_000;

describe.runIf(inject("database") === "postgres")("30 sites over 15 domains", () => {
  const folder = useFolder();
  let nameServers: NameServer[];
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
  });
  const site = use(() =>
    startSite({
      hosts: NAMES,
      routes: {
        "*": (_, response) =>
          void setTimeout(() => response.end("<!doctype html><title>x</title><p>Here."), 300),
      },
    }),
  );
  const network = use(() => startProxy(site.url));
  const database = useFiles();
  const opened = use(() => openDatabase(database.env));
  beforeAll(async () => {
    await writeFile(join(folder, "authority.pem"), site.authority.certificate);
    await watchAddresses(
      opened,
      NAMES.map((name) => `https://${name}:${network.port}/`),
    );
    metrics = `127.0.0.1:${await findClosedPort()}`;
  });
  const server = useProcess(() => ({
    ...database.env,
    NODE_OPTIONS: `--import ${PRELOAD}`,
    NODE_EXTRA_CA_CERTS: join(folder, "authority.pem"),
    SYSTEM_NAME_SERVERS: nameServers[0]!.address,
    SHIPSCORE_DNS_SERVERS: nameServers[1]!.address,
    SHIPSCORE_CYCLE_SECONDS: "2",
    SHIPSCORE_VERIFY_SECONDS: "0",
    SHIPSCORE_METRICS_ADDRESS: metrics,
  }));
  beforeAll(() => haveAllLooked(2));
  afterAll(async () => {
    for (const each of nameServers) each.close();
  });

  /** Waits until each site has received this many requests from now on. */
  async function haveAllLooked(times: number): Promise<void> {
    const from = site.requests.length;
    const count = (name: string) =>
      site.requests.slice(from).filter(({ headers }) => headers.host?.startsWith(`${name}:`));
    await waitUntil(
      "each site has its requests",
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
    await expect.poll(countSaid).toBe(saidBefore + 1);
  }

  async function expectJudging(): Promise<void> {
    await waitUntil("looks are judged again", async () => (await readGauge()) === "0", WAIT_MS);
    await haveAllLooked(2);
    expect(await listFailing()).toEqual([]);
  }

  test("no incident opens while no name server answers", async () => {
    expect(await readGauge()).toBe("0");
    areNamesLost = true;
    for (const each of nameServers) each.questions.length = 0;
    await expectWithheld(0);
    const timesAsked = (name: string) =>
      nameServers
        .flatMap(({ questions }) => questions)
        .filter((question) => question === `A ${name}`);
    const all = () => NAMES.every((name) => timesAsked(name).length >= 16);
    await waitUntil("two looks at each", all, WAIT_MS);
    expect(await listFailing()).toEqual([]);
    areNamesLost = false;
    await expectJudging();
  });

  test("no incident opens while the network drops everything", async () => {
    const said = countSaid();
    network.freeze();
    await expectWithheld(said);
    const before = network.accepted();
    await waitUntil("two looks at each", () => network.accepted() - before >= 120, WAIT_MS);
    expect(await listFailing()).toEqual([]);
    network.restore();
    await expectJudging();
  });

  test("no incident opens if the process is suspended and resumed during probes", async () => {
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

  test("an incident opens for one site that fails while the others answer", async () => {
    const [name = ""] = NAMES;
    gone.add(name);
    await waitUntil("an incident", async () => (await listFailing()).length > 0, WAIT_MS);
    expect(await listFailing()).toEqual([name]);
  });
});
