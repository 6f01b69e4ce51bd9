import { writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Status } from "../../../server/db/server-status.ts";
import { useFiles } from "../../harness/database.ts";
import { canIsolate, startNamespaces } from "../../harness/namespaces.ts";
import { openDatabase } from "../../harness/opened-database.ts";
import { runOrThrow, startServerProcess, type ServerProcess } from "../../harness/process.ts";
import { startSite } from "../../harness/site.ts";
import { waitUntil } from "../../harness/slow-site.ts";
import { watchAddresses } from "../../harness/watching.ts";
import { use, useFolder } from "../../harness/use.ts";

const LOCATIONS = ["paris", "virginia"];
const CLOCK = new URL("../../harness/clock.js", import.meta.url).href;
const WAIT_MS = 200_000;

const SLOW_MS = 12_000;

/** PageDriver connections on to a port of loopback, which no namespace but this has; those from slow addresses after a while. */
const handOn = (port: number, slow = new Set<string>()): Server =>
  createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    const begin = () => void client.pipe(upstream).pipe(client);
    setTimeout(begin, slow.has(client.remoteAddress ?? "") ? SLOW_MS : 0);
    for (const socket of [client, upstream])
      socket.on("error", () => (client.destroy(), upstream.destroy()));
  });

describe.runIf(inject("database") === "postgres" && canIsolate())(
  "five URLs, watched by servers of two locations in separate networks",
  () => {
    const servers: Record<string, ServerProcess> = {};
    let isBad = false;
    const slow = new Set<string>();

    const folder = useFolder();
    const database = useFiles();
    const opened = use(() => openDatabase(database.env));
    const network = use(() => Promise.resolve(startNamespaces(LOCATIONS)));
    const site = use(() =>
      startSite({
        hosts: [network.address],
        routes: {
          "*": (_, response) =>
            void response
              .writeHead(isBad ? 500 : 200, { "content-type": "text/html" })
              .end("<!doctype html><title>x</title><p>Here."),
        },
      }),
    );
    beforeAll(async () => {
      await writeFile(join(folder, "authority.pem"), site.authority.certificate);
      const { port, pathname } = new URL(database.url);
      const toSite = handOn(site.port, slow);
      const toDatabase = handOn(Number(port));
      await new Promise<void>((resolve) => toSite.listen(site.port, network.address, resolve));
      // A socket of the file system is in each namespace.
      const socket = join(folder, ".s.PGSQL.5432");
      await new Promise<void>((resolve) => toDatabase.listen(socket, resolve));
      await watchAddresses(
        opened,
        [1, 2, 3, 4, 5].map((n) => `https://${network.address}:${site.port}/${n}`),
      );
      database.env["DATABASE_URL"] = `postgres://postgres@${pathname}?host=${folder}`;
      for (const location of LOCATIONS) servers[location] = await start(location);
    });
    afterAll(async () => {
      for (const server of Object.values(servers)) await server.end("SIGKILL");
      database.env["DATABASE_URL"] = database.url;
    });

    const start = (location: string, more: Record<string, string> = {}) =>
      startServerProcess(
        {
          ...database.env,
          NODE_EXTRA_CA_CERTS: join(folder, "authority.pem"),
          SHIPSCORE_ALLOW_NETWORKS: "10.77.0.0/16",
          SHIPSCORE_LOCATION: location,
          SHIPSCORE_PUBLIC_URL: `http://${location}.example`,
          SHIPSCORE_CYCLE_SECONDS: "2",
          SHIPSCORE_VERIFY_SECONDS: "0",
          ...more,
        },
        [],
        network.within(location),
      );

    const readSetAside = async () => {
      const { servers: alive } = JSON.parse(
        await runOrThrow(["status", "--json"], { ...database.env, DATABASE_URL: database.url }),
      ) as Status;
      return alive.filter(({ setAside }) => setAside).map(({ location }) => location);
    };
    const readOpen = () => opened.sql<{ url: string; locations: string[] }>`
      select url, locations from incidents where closed_at is null order by url`;
    const readFailsFrom = async () =>
      (
        await opened.sql<{ location: string }>`
        select distinct fails_from as location from watched_urls where fails_from is not null`
      ).map(({ location }) => location);

    /** Waits until each location has looked so often from now on. */
    async function haveLooked(locations: readonly string[], times: number): Promise<void> {
      const from = site.requests.length;
      const count = (location: string) =>
        site.requests
          .slice(from)
          .filter(({ headers }) => headers["user-agent"]?.includes(`//${location}.`)).length;
      const have = () => locations.every((location) => count(location) >= times);
      await waitUntil(`${locations.join()} look`, have, WAIT_MS);
    }

    const untilSetAside = (locations: string[]) =>
      waitUntil(
        `set aside: ${locations.join()}`,
        async () => (await readSetAside()).join() === locations.join(),
        WAIT_MS,
      );

    beforeAll(() => haveLooked(LOCATIONS, 10));

    test.each<[how: string, harm: () => unknown, heal: () => unknown]>([
      ["cut off", () => network.cut("paris", true), () => network.cut("paris", false)],
      ["slow", () => slow.add(network.addressOf("paris")), () => slow.clear()],
    ])(
      "a location that is %s is set aside and opens no incident, until it works again",
      async (_, harm, heal) => {
        harm();
        try {
          await untilSetAside(["paris"]);
          expect(servers["paris"]?.stdout()).toContain("this location is set aside: ");
          await haveLooked(["virginia"], 20);
          expect(await readOpen()).toEqual([]);
        } finally {
          heal();
        }
        await untilSetAside([]);
        await haveLooked(LOCATIONS, 20);
        expect(await readOpen()).toEqual([]);
        await waitUntil(
          "nothing fails from it alone",
          async () => (await readFailsFrom()).length === 0,
          WAIT_MS,
        );
      },
    );

    test("a location with a wrong clock confirms, and its incidents have the database's times", async () => {
      await servers["paris"]?.end("SIGTERM");
      servers["paris"] = await start("paris", {
        NODE_OPTIONS: `--import ${CLOCK}`,
        CLOCK_AHEAD_SECONDS: "-86400",
      });
      await haveLooked(LOCATIONS, 10);
      // By then each knows of the other.
      await new Promise((resolve) => setTimeout(resolve, 11_000));
      isBad = true;
      await waitUntil("incidents", async () => (await readOpen()).length === 5, WAIT_MS);
      expect((await readOpen()).map(({ locations }) => locations)).toEqual(
        Array.from({ length: 5 }, () => LOCATIONS),
      );
      const [{ wrong } = { wrong: -1 }] = await opened.sql<{ wrong: number }>`
        select count(*)::int as wrong from incidents where since < now() - interval '10 minutes' or since > now()`;
      expect(wrong).toBe(0);
      isBad = false;
      await waitUntil("all are closed", async () => (await readOpen()).length === 0, WAIT_MS);
    });

    test("after one location is killed, the other decides alone", async () => {
      await servers["virginia"]?.end("SIGKILL");
      isBad = true;
      await waitUntil("incidents", async () => (await readOpen()).length === 5, WAIT_MS);
      for (const { locations } of await readOpen()) expect(locations).toContain("paris");
      isBad = false;
      await waitUntil("all are closed", async () => (await readOpen()).length === 0, WAIT_MS);
    });
  },
);
