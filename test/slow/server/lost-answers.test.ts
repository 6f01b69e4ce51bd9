import { beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { useFiles } from "../../harness/database.ts";
import { hold, waitForWaiting } from "../../harness/locks.ts";
import { startProxy } from "../../harness/proxy.ts";
import { openDatabase } from "../../harness/opened-database.ts";
import { addAccount, useProcess } from "../../harness/process.ts";
import { sendCheck } from "../../harness/request.ts";
import { startSlowSite, waitUntil } from "../../harness/slow-site.ts";
import { use } from "../../harness/use.ts";
import { columnOf, valueOf } from "../../harness/rows.ts";

/** What only the statement that takes a slot, and the one that ends its check, send. */
const SLOT = '"free":30';
const FINISH = '"findings":';
/** As the driver sends it, alone. */
const COMMIT = "commit\0";

describe.runIf(inject("database") === "postgres")(
  "the database commits, but its answer is lost",
  () => {
    let token: string;

    const files = useFiles();
    const site = use(startSlowSite);
    const database = use(() => openDatabase(files.env));
    const proxy = use(() => startProxy(files.url));
    const server = useProcess(() => ({ DATABASE_URL: proxy.url }));
    beforeAll(async () => {
      token = await addAccount(files.env, "ann@example.com");
      // No lease runs out, so whatever comes back was given back by those who knew of it.
      await database.begin((_sql, runScript) =>
        runScript(`
          create function never_ends() returns trigger language plpgsql as
            'begin new.lease_until := ''infinity''; return new; end';
          create trigger leases before insert or update on checks
            for each row execute function never_ends()`),
      );
    });
    beforeEach(async () => {
      await database.sql`truncate checks cascade`;
      await database.sql`truncate usage`;
    });

    const check = (key?: string) =>
      sendCheck(server.url, token, site.url, { headers: key ? { "idempotency-key": key } : {} });
    const states = () => columnOf<string>(database.sql`select state from checks order by state`);
    const used = () => valueOf<number>(database.sql`select used from usage`);
    const committed = (state: string) =>
      waitUntil(`a check is ${state}`, async () => (await states()).includes(state));

    test("the end of a check, found done: a 200, counted once, that its key repeats", async () => {
      const lost = proxy.lose("server", FINISH);
      const asking = check("done");
      await lost;
      await committed("done");
      proxy.restore();
      const answer = await asking;
      expect(answer.status).toBe(200);
      expect([await states(), await used()]).toEqual([["done"], 1]);
      expect(await (await check("done")).text()).toBe(await answer.text());
    });

    test("the end of a check that never reached the database: it is sent again", async () => {
      const lost = proxy.lose("client", FINISH);
      const asking = check();
      await lost;
      expect(await states()).toEqual(["running"]);
      proxy.restore();
      expect((await asking).status).toBe(200);
      expect([await states(), await used()]).toEqual([["done"], 1]);
    });

    test.each<[string, key: string | undefined, states: string[], used: number]>([
      ["with a key keeps its slot, for the answer that the key leads to", "away", ["done"], 1],
      ["without a key gives its slot back", undefined, [], 0],
    ])(
      "the end of a check, while the database stays away: a 503, and one %s",
      async (_, key, left, slots) => {
        const lost = proxy.lose("server", FINISH);
        const asking = check(key);
        await lost;
        await committed("done");
        proxy.cut();
        expect((await asking).status).toBe(503);
        const release = await hold(database, (sql) => sql`select from usage for update`);
        proxy.restore();
        await waitForWaiting(database, 1);
        await release();
        await waitUntil("it was asked to give the slot back", async () => {
          const giving = await database.sql`
            select from pg_stat_activity where state = 'active' and query like 'select give_slots_back%'`;
          return giving.length === 0;
        });
        expect([await states(), await used()]).toEqual([left, slots]);
        expect((await check(key)).status).toBe(200);
        expect([await states(), await used()]).toEqual([["done"], 1]);
      },
    );

    test("a check that runs when the database goes away: a 503, and its quota and key are given back later", async () => {
      site.hold();
      const asking = check("running");
      await committed("running");
      await waitUntil("it visits", () => site.open.size > 0);
      proxy.cut();
      site.release();
      expect((await asking).status).toBe(503);
      proxy.restore();
      await waitUntil("the slot is back", async () => (await used()) === 0);
      expect(await states()).toEqual([]);
      expect((await check("running")).status).toBe(200);
    });

    test("the end of a deployment's check: it is verified, with no other result", async () => {
      await database.sql`
        insert into projects (id, owner_id, name, url) select 'prj_lost', id, 'Lost', ${site.url} from accounts`;
      const deploy = (id: string) =>
        database.sql`
          insert into deployments (id, project_id, url, environment)
          values (${id}, 'prj_lost', ${site.url}, 'production')`;
      const lost = proxy.lose("server", COMMIT);
      await deploy("dep_lost");
      await lost;
      await committed("done");
      proxy.restore();
      await deploy("dep_next");
      await waitUntil("the next is verified", async () => (await states()).join() === "done,done");
      const left = await database.sql`
        select id, claim_id from deployments where check_id is null or claim_id is not null`;
      expect(left).toEqual([]);
      expect(server.stdout()).not.toContain("deployment not verified");
    });

    test("the start of a check: a 503, and its quota and key are given back", async () => {
      const lost = proxy.lose("server", SLOT);
      const asking = check("slot");
      await lost;
      await committed("running");
      proxy.restore();
      expect((await asking).status).toBe(503);
      await waitUntil("the slot is back", async () => (await used()) === 0);
      expect(await states()).toEqual([]);
      expect((await check("slot")).status).toBe(200);
      expect(await used()).toBe(1);
    });
  },
);
