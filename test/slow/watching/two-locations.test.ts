import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { IncomingMessage, ServerResponse } from "node:http";
import { beforeAll, describe, expect, inject, test } from "vitest";
import type { IncidentOfProject } from "../../../server/db/watching/incidents.ts";
import type { Status } from "../../../server/db/server-status.ts";
import { useFiles } from "../../harness/database.ts";
import { openDatabase } from "../../harness/opened-database.ts";
import { runOrThrow, useProcess } from "../../harness/process.ts";
import { startSite } from "../../harness/site.ts";
import { waitUntil } from "../../harness/slow-site.ts";
import { watchAddresses } from "../../harness/watching.ts";
import { use, useFolder } from "../../harness/use.ts";

describe.runIf(inject("database") === "postgres")(
  "servers of two locations on one database",
  () => {
    let projectId: string;
    let bad = new Set<string>();

    const folder = useFolder();
    const database = useFiles();
    const opened = use(() => openDatabase(database.env));
    /** Servers name their location as the host of their public URL. */
    const locationOf = ({ headers }: IncomingMessage) =>
      /\+https?:\/\/(\w+)/.exec(headers["user-agent"] ?? "")?.[1] ?? "";
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      response.writeHead(bad.has(locationOf(request)) ? 500 : 200, { "content-type": "text/html" });
      response.end("<!doctype html><title>x</title><p>Here.");
    };
    const site = use(() => startSite({ routes: { "*": answer } }));
    beforeAll(async () => {
      await writeFile(join(folder, "authority.pem"), site.authority.certificate);
    });
    const settingsOf = (location: string) => ({
      ...database.env,
      NODE_EXTRA_CA_CERTS: join(folder, "authority.pem"),
      SHIPSCORE_LOCATION: location,
      SHIPSCORE_PUBLIC_URL: `http://${location}.example`,
      SHIPSCORE_CYCLE_SECONDS: "1",
      SHIPSCORE_VERIFY_SECONDS: "0",
    });
    useProcess(() => settingsOf("virginia"));
    // It learns of the other as it starts, and the other within 10 s of it.
    useProcess(() => settingsOf("paris"));
    beforeAll(async () => {
      const servers = async () =>
        (JSON.parse(await runOrThrow(["status", "--json"], database.env)) as Status).servers;
      const told = (await servers()).map(({ location, setAside }) => `${location} ${setAside}`);
      expect(told.toSorted()).toEqual(["paris false", "virginia false"]);
      [projectId = ""] = await watchAddresses(opened, [site.url]);
      const before = site.requests.length;
      await new Promise((resolve) => setTimeout(resolve, 11_000));
      expect(site.requests.length).toBeGreaterThan(before);
    });

    const listIncidents = async () =>
      JSON.parse(
        await runOrThrow(["incident", "list", projectId, "--all", "--json"], database.env),
      ) as IncidentOfProject[];
    const readLocations = async () =>
      (await listIncidents()).map(({ locations, closedAt }) => [locations, closedAt !== null]);
    const readFailsFrom = async () =>
      (await opened.sql<{ failsFrom: string | null }>`select fails_from from watched_urls`)[0]
        ?.failsFrom;
    const fail = (...locations: string[]) => (bad = new Set(locations));
    const until = (what: string, expected: unknown, read: () => Promise<unknown>) =>
      waitUntil(what, async () => JSON.stringify(await read()) === JSON.stringify(expected));

    test("a failure from one location only is no incident, and is shown until it is good there", async () => {
      fail("paris");
      await until("it fails from paris alone", "paris", readFailsFrom);
      const from = site.requests.length;
      const asked = (location: string) =>
        site.requests
          .slice(from)
          .filter(({ headers }) => headers["user-agent"]?.includes(location));
      await waitUntil("both look again", () =>
        ["paris", "virginia"].every((location) => asked(location).length >= 3),
      );
      expect([await readFailsFrom(), await readLocations()]).toEqual(["paris", []]);
      fail();
      await until("it is good again", null, readFailsFrom);
      expect(await readLocations()).toEqual([]);
    });

    test("a failure from both is an incident that names them, and closes once both are good", async () => {
      fail("paris", "virginia");
      await until("an incident", [[["paris", "virginia"], false]], readLocations);
      fail("virginia");
      const from = site.requests.length;
      await waitUntil("ten more looks", () => site.requests.length > from + 10);
      expect(await readLocations()).toEqual([[["paris", "virginia"], false]]);
      fail();
      await until("it is closed", [[["paris", "virginia"], true]], readLocations);
    });

    test("with the owner's setting, one location opens and closes an incident", async () => {
      await runOrThrow(["project", "edit", projectId, "--one-location", "on"], database.env);
      fail("paris");
      await until(
        "an incident",
        [
          [["paris"], false],
          [["paris", "virginia"], true],
        ],
        readLocations,
      );
      expect(await readFailsFrom()).toBe("paris");
      fail();
      await until(
        "it is closed",
        [
          [["paris"], true],
          [["paris", "virginia"], true],
        ],
        readLocations,
      );
      expect(await readFailsFrom()).toBeNull();
    });
  },
);
