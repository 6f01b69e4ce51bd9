import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { connectDatabase, DEADLINE_MS, type Database } from "../../../server/db/driver/sql.ts";
import { addTarget, openIncident } from "../../harness/alerts.ts";
import {
  addHook,
  sendToHook,
  signStandard,
  type AddedHook,
} from "../../harness/deployment-hosts.ts";
import { addPerson, addProject, type Person } from "../../harness/people.ts";
import { startPostgres, type PostgresServer, type Standby } from "../../harness/postgres.ts";
import { startProxy, type Proxy } from "../../harness/proxy.ts";
import { startReceiver } from "../../harness/receiver.ts";
import { sendCheck, sendRequest } from "../../harness/request.ts";
import { columnOf, valueOf } from "../../harness/rows.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { startSlowSite, waitUntil } from "../../harness/slow-site.ts";
import { use, useFolder } from "../../harness/use.ts";

const ACCOUNTS = ["ann", "ben", "cid", "dan"];
const CHECKERS = 32;
const QUOTA = 30;
/** How many checks have been acknowledged when the primary goes. */
const BEFORE = 40;

const BACK_WITHIN_MS = 5000;

/** What the server has acknowledged, as those know who asked. */
interface Acknowledged {
  checks: { token: string; key: string; body: string }[];
  ships: string[];
  incidents: string[];
}

describe
  .runIf(inject("database") === "postgres")
  .each<[how: string, leave: (primary: PostgresServer, proxy: Proxy) => Promise<void> | void]>([
    ["is killed", (primary) => primary.kill()],
    ["is cut off and lives on", (_, proxy) => proxy.freeze()],
  ])(
  "while checks, webhooks and probes run, a primary %s and its standby is promoted",
  (_, leave) => {
    let standby: Standby;
    let server: TestServer;
    let promoted: Database;
    let people: { person: Person; projectId: string; hook: AddedHook }[];
    let looks = 0;
    const acknowledged: Acknowledged = { checks: [], ships: [], incidents: [] };

    const folder = useFolder();
    const site = use(() => startSlowSite());
    const receiver = use(startReceiver);
    const primary = use(
      () => startPostgres(),
      (it) => it.stop(),
    );
    const proxy = use(() => startProxy(primary.url));
    beforeAll(async () => {
      standby = await primary.addStandby();
      const env = {
        DATABASE_URL: proxy.url,
        SHIPSCORE_DATA_DIR: folder,
        SHIPSCORE_SECRET_KEY: randomBytes(32).toString("base64"),
      };
      const database = { kind: "postgres", url: primary.url, env, drop: async () => {} } as const;
      server = await startTestServer({
        database,
        env: { SHIPSCORE_CYCLE_SECONDS: "1" },
        deadlineMs: DEADLINE_MS,
      });
      people = await Promise.all(
        ACCOUNTS.map(async (name) => {
          const person = await addPerson(server, name, "free");
          const projectId = await addProject(server, person, `${site.url}${name}`);
          await addTarget(server, projectId, receiver.at(projectId), { on: ["incident"] });
          return { person, projectId, hook: await addHook(server, projectId, "plain") };
        }),
      );
    });
    afterAll(async () => {
      await server.close();
      await promoted.close();
      await standby.stop();
    });

    const countLooks = ({ sql }: Pick<Database, "sql">) =>
      valueOf<number>(sql`select coalesce(sum(looks), 0)::int as looks from looks`);

    /** Asks for checks, each until it is answered, until the month's are used up. */
    async function check(index: number): Promise<void> {
      const { person, projectId, hook } = people[index % people.length] as (typeof people)[number];
      const { token } = person;
      for (let count = 0; ; count++) {
        const key = randomUUID();
        const headers = { "idempotency-key": key };
        const ask = () => sendCheck(server.url, token, `${site.url}page`, { headers });
        let answer = await ask();
        while (answer.status === 503) {
          await sleep(100);
          answer = await ask();
        }
        const body = await answer.text();
        if (answer.headers.get("x-shipscore-error") === "quota_exceeded") return;
        expect([answer.status, body]).toEqual([200, expect.any(String)]);
        acknowledged.checks.push({ token, key, body });
        if (count % 2 === 0) await Promise.all([ship(hook), open(projectId)]);
      }
    }

    /** Reports a ship until that is accepted. A repetition whose answer was lost names no deployment. */
    async function ship(hook: AddedHook): Promise<void> {
      const data = { commit: randomBytes(20).toString("hex") };
      const body = JSON.stringify({ type: "deployment.succeeded", data });
      const signed = signStandard(hook.secret, body);
      const send = () => sendToHook(hook.url, body, signed);
      let answer = await send();
      while (answer.status === 503) {
        await sleep(100);
        answer = await send();
      }
      expect(answer.ok).toBe(true);
      const { deployment } = (await answer.json()) as { deployment?: string };
      if (deployment) acknowledged.ships.push(deployment);
    }

    /** Opens an incident as a look does, which is one message. */
    async function open(projectId: string): Promise<void> {
      const opened = await openIncident(server, projectId).catch(() => undefined);
      if (opened) acknowledged.incidents.push(opened);
    }

    test("the first success is within 5 s of the promotion", async () => {
      const checking = Promise.all(Array.from({ length: CHECKERS }, (__, index) => check(index)));
      checking.catch(() => {});
      await waitUntil("checks are done", () => acknowledged.checks.length >= BEFORE);
      await waitUntil(
        "it looks",
        async () => ((looks = (await countLooks(server)) ?? 0), looks > 0),
      );
      await leave(primary, proxy);
      await standby.promote();
      proxy.lead(standby.url);
      proxy.thaw();
      const promotedAt = performance.now();
      const token = people[0]?.person.token;
      const isBack = async () =>
        (await sendRequest(server.url, "/api/v1/projects", { token })).status === 200;
      await waitUntil("a read succeeds", isBack);
      expect(performance.now() - promotedAt).toBeLessThan(BACK_WITHIN_MS);
      await checking;
      promoted = connectDatabase({ url: standby.url }, { connections: 1, deadlineMs: 60_000 });
    });

    test("every acknowledged check is stored, counted once, and no account exceeds its quota", async () => {
      const counts = () => promoted.sql`
      select used, (select count(*)::int from checks where account_id = usage.account_id and kind = 'api'
        and state = 'done') as done
      from usage`;
      const all = { used: QUOTA, done: QUOTA };
      await expect.poll(counts, { timeout: 60_000 }).toEqual(ACCOUNTS.map(() => all));
      expect(acknowledged.checks).toHaveLength(QUOTA * ACCOUNTS.length);
      for (const { token, key, body } of acknowledged.checks) {
        const headers = { "idempotency-key": key };
        const again = await sendCheck(server.url, token, `${site.url}page`, { headers });
        expect(await again.text()).toBe(body);
      }
    });

    test("every deployment is stored, every incident with its message, and every probe", async () => {
      const ships = await columnOf<string>(promoted.sql`select id from deployments`);
      const told = await columnOf<string>(promoted.sql`select incident_id from messages`);
      expect(acknowledged.ships.length).toBeGreaterThan(ACCOUNTS.length);
      expect(ships).toEqual(expect.arrayContaining(acknowledged.ships));
      expect(acknowledged.incidents.length).toBeGreaterThan(ACCOUNTS.length);
      expect(told).toEqual(expect.arrayContaining(acknowledged.incidents));
      await expect.poll(() => countLooks(promoted), { timeout: 60_000 }).toBeGreaterThan(looks);
    });

    test("every message that a target received is stored, and each stored as sent has arrived", async () => {
      const posted = people.flatMap(({ projectId }) => receiver.posted(projectId));
      const arrived = new Set(posted.map(({ headers }) => headers["webhook-id"]));
      const kept = await promoted.sql<{
        id: string;
        state: string;
      }>`select id, state from messages`;
      const ids = kept.map(({ id }) => id);
      expect(arrived.size).toBeGreaterThan(0);
      expect(ids).toEqual(expect.arrayContaining([...arrived]));
      for (const { id, state } of kept) if (state === "sent") expect([...arrived]).toContain(id);
    });
  },
);
