import { afterEach, describe, expect, inject, test } from "vitest";
import { findScan } from "../../../server/scan/scans.ts";
import { startScan } from "../../../server/scan/scan-request.ts";
import { startServerProcess, type ServerProcess } from "../../harness/process.ts";
import { useServer } from "../../harness/server.ts";
import { startSlowSite, waitUntil } from "../../harness/slow-site.ts";
import { use } from "../../harness/use.ts";

describe.runIf(inject("database") === "postgres")("a scan whose server is killed", () => {
  /** It starts scans and runs none. */
  const processes: ServerProcess[] = [];

  const site = use(startSlowSite);
  const asking = useServer({ env: { SHIPSCORE_PUBLIC_SCAN: "0" } });
  afterEach(() => Promise.all(processes.splice(0).map((each) => each.end("SIGKILL"))));

  const start = (path: string) =>
    startScan(asking.deps, { url: `${site.url}${path}`, again: false }, "192.0.2.1");

  async function startRunning(): Promise<ServerProcess> {
    const started = await startServerProcess(asking.database.env);
    processes.push(started);
    return started;
  }

  const find = async (id: string) => findScan(asking.sql, id, "fr");

  /** Kills a server that visits the scan's page, whose claim then runs out. */
  async function killOne(id: string, tries: number): Promise<void> {
    const server = await startRunning();
    await waitUntil("it visits", async () => {
      const visiting = await asking.sql`
        select from scans where id = ${id} and tries = ${tries} and step = 'visiting'`;
      return visiting.length === 1;
    });
    await server.end("SIGKILL");
    await asking.sql`update scans set lease_until = now() where id = ${id}`;
    await asking.sql`update checks set lease_until = now() where kind = 'scan'`;
  }

  test("is retried once by another", async () => {
    site.hold();
    const { id } = await start("once");
    await killOne(id, 1);
    expect(await find(id)).toMatchObject({ state: "running" });
    site.release();
    await startRunning();
    await waitUntil("it is done", async () => (await find(id))?.state === "done");
    const checks = await asking.sql`select state from checks where kind = 'scan'`;
    expect(checks).toEqual([{ state: "done" }]);
  });

  test("fails with the reason if that one is killed too", async () => {
    site.hold();
    const { id } = await start("twice");
    await killOne(id, 1);
    await killOne(id, 2);
    await startRunning();
    await waitUntil("it has failed", async () => (await find(id))?.state === "failed");
    expect((await find(id))?.failure).toBe("La vérification a été interrompue.");
    site.release();
  });
});
