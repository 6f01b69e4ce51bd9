import { beforeEach, describe, expect, inject, test } from "vitest";
import { fragment } from "../../server/db/driver/fragment.ts";
import { claimDueLooks, type Claim, type DueOptions } from "../../server/db/watching/looks.ts";
import { setPaused } from "../../server/db/watching/watched-urls.ts";
import { hold, waitForWaiting } from "../harness/locks.ts";
import { dueOptionsOf } from "../harness/looks.ts";
import { useServer } from "../harness/server.ts";

const server = useServer();
beforeEach(async () => {
  await server.sql`delete from watched_urls`;
  await server.sql`delete from projects`;
  await server.sql`delete from accounts`;
});

/** An account with due URLs, all of one host or each of its own; the first is due longest. Returns the account's number. */
async function watch(who: string, count: number, host = `site-N.${who}.example`): Promise<string> {
  const [account] = await server.sql<{ number: string }>`
    insert into accounts (id, email, plan) values ('acc_' || ${who}, ${who} || '@example.com', 'free')
    returning number::text as number`;
  await server.sql`insert into projects (id, owner_id, name, url) values ('prj_' || ${who}, 'acc_' || ${who}, 'Site', '')`;
  await server.sql`
    insert into watched_urls (id, project_id, url)
    select 'url_' || ${who} || n, 'prj_' || ${who}, 'https://' || replace(${host}, 'N', n::text) || '/' || n
    from generate_series(1, ${count}::int) n`;
  await server.sql`
    update looks set due_at = now() - interval '1 minute' + interval '1 millisecond' * number where account = ${account?.number ?? ""}::bigint`;
  return account?.number ?? "";
}

const claim = (more: Partial<DueOptions>) =>
  claimDueLooks(server.deps.database.sql, { ...dueOptionsOf(server), ...more });

/** How many URLs of each account are taken. */
async function countTaken(more: Partial<DueOptions>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { account } of (await claim(more)).taken) counts[account] = (counts[account] ?? 0) + 1;
  return counts;
}

describe("from the due URLs", () => {
  test("accounts get equal numbers, however many wait", async () => {
    const [one, other] = [await watch("one", 50), await watch("other", 50)];
    expect(await countTaken({ limit: 16 })).toEqual({ [one]: 8, [other]: 8 });
  });

  test("the account with the fewest running probes gets the next", async () => {
    const [one, other] = [await watch("one", 50), await watch("other", 50)];
    const running = { accounts: { [one]: 5 }, domains: {} };
    expect(await countTaken({ limit: 9, running })).toEqual({ [one]: 2, [other]: 7 });
    expect(await countTaken({ limit: 3, running })).toEqual({ [other]: 3 });
  });

  test("an account gets only its share while others wait, and everything if it is alone", async () => {
    const one = await watch("one", 50);
    expect(await countTaken({ limit: 20, ofAccount: 8 })).toEqual({ [one]: 20 });
    const other = await watch("other", 3);
    const running = { accounts: { [one]: 6 }, domains: {} };
    const wanted = { limit: 20, ofAccount: 8, running };
    expect(await countTaken(wanted)).toEqual({ [one]: 2, [other]: 3 });
  });

  test("an account's URLs are claimed in the order of their due times", async () => {
    await watch("one", 50);
    const { taken, isFull } = await claim({ limit: 3 });
    expect(new Set(taken.map(({ url }) => url.split("/").at(-1)))).toEqual(
      new Set(["1", "2", "3"]),
    );
    expect(isFull).toBe(true);
  });

  test("silent ones are claimed separately", async () => {
    await watch("one", 4);
    await server.sql`update looks set is_silent = true where number % 2 = 0`;
    expect((await claim({})).taken).toHaveLength(2);
    expect((await claim({ isSilent: true })).taken).toHaveLength(2);
    expect((await claim({ isSilent: true })).isFull).toBe(false);
  });

  test("accounts take turns: a claim continues after the previous account", async () => {
    const accounts = [await watch("one", 5), await watch("two", 5), await watch("three", 5)];
    let after: number | null = null;
    const turns: string[] = [];
    for (let turn = 0; turn < 4; turn++) {
      const { taken, last }: Claim = await claim({ limit: 1, after });
      turns.push(...taken.map(({ account }) => String(account)));
      after = last;
    }
    expect(turns).toEqual(accounts);
    expect(after).toBeNull();
  });
});

test.runIf(inject("database") === "postgres")(
  "a URL that is paused between a claim's snapshot and its lock is not claimed",
  async () => {
    await watch("one", 1);
    const { database } = server.deps;
    const release = await hold(database, (sql) => sql`select pg_advisory_xact_lock(1)`);
    const lock = fragment`(select 0 from pg_advisory_xact_lock_shared(1))`;
    const claiming = claim({ after: lock as unknown as number });
    await waitForWaiting(database, 1);
    const url = "https://site-1.one.example/1";
    expect(await setPaused(database.sql, "prj_one", { url }, true)).toMatchObject({ url });
    await release();
    expect((await claiming).taken).toEqual([]);
  },
);

describe("from one domain", () => {
  test("two are claimed, minus the running ones", async () => {
    const one = await watch("one", 9, "big.example");
    const running = { accounts: {}, domains: { "big.example": 1 } };
    expect(await countTaken({ running })).toEqual({ [one]: 1 });
    expect(await countTaken({})).toEqual({ [one]: 2 });
    expect(await countTaken({ running: { accounts: {}, domains: { "big.example": 2 } } })).toEqual(
      {},
    );
  });

  test("5,000 do not block other URLs of the account: most miss their turn", async () => {
    await watch("big", 5000, "big.example");
    await server.sql`
      insert into watched_urls (id, project_id, url) values ('url_small', 'prj_big', 'https://small.example/')`;
    const urls: string[] = [];
    for (let second = 0; second < 60 && !urls.includes("https://small.example/"); second++) {
      const { taken } = await claim({ limit: 100 });
      urls.push(...taken.map(({ url }) => url));
      await server.sql`update looks set claim_id = null, lease_until = null, due_at = now() + interval '5 minutes' where claim_id is not null`;
    }
    expect(urls).toContain("https://small.example/");
    const [row] = await server.sql<{ latest: number }>`
      select extract(epoch from max(due_at) - now())::float8 as latest from looks`;
    expect(row?.latest).toBeLessThanOrEqual(300);
  });

  test("a URL that may decide an incident is claimed first", async () => {
    await watch("one", 50, "big.example");
    await server.sql`update looks set streak = 9`;
    await server.sql`
      update looks set streak = 1, last_outcome = 'failed' where number = (select max(number) from looks)`;
    expect((await claim({})).taken.map(({ lastOutcome }) => lastOutcome)).toContain("failed");
  });
});
