import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { startLooking } from "../../server/watching/look-loop.ts";
import { createLookout, lookAtClaimed, type VisitUrl } from "../../server/watching/lookout.ts";
import type { ClaimedUrl } from "../../server/db/watching/looks.ts";
import type { Deps } from "../../server/deps.ts";
import { NO_LOOK, type Look } from "../../server/engine/judge/look-outcome.ts";
import { createWork } from "../../server/base/work.ts";
import { claimDue } from "../harness/looks.ts";
import { addPerson } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

/** What one server on an embedded database seldom has is tried there in the long run. */
const IS_WHOLE = inject("isThorough") || inject("database") === "postgres";
const INTERVAL = 300;
/** A look ends before its claim, which another server may take over after that. */
const LONGEST_LOOK_MS = 29_000;
const GOOD: Look = { ...NO_LOOK, outcome: "good", isAnswered: true, isOwnFault: false };
const FAILED: Look = {
  ...GOOD,
  outcome: "failed",
  reason: { fr: "Statut 500.", en: "Status 500." },
};

const server = useServer();
const alice = use(() => addPerson(server, "alice"));
beforeEach(async () => {
  await server.sql`delete from watched_urls`;
  await server.sql`delete from incidents`;
  await server.sql`
    insert into projects (id, owner_id, name, url)
    select 'prj_looks', id, 'Shop', 'https://shop.example/' from accounts where email = ${alice.email}
    on conflict do nothing`;
});

/** Watches URLs of as many hosts, the first of which is the project's address. */
const watch = (count: number) => server.sql`
  insert into watched_urls (id, project_id, url, is_address)
  select 'url_' || n, 'prj_looks', 'https://site-' || n || '.example/', n = 1 from generate_series(1, ${count}::int) n`;

/** The process of another server over the same database. */
const configured = (more: Partial<Deps["config"]>): Deps => ({
  ...server.deps,
  config: { ...server.deps.config, cycleSeconds: INTERVAL, verifySeconds: 0, ...more },
});

const lookoutOf = (deps: Deps, answer: (url: string) => Look | Promise<Look>) => {
  const visit: VisitUrl = async (url) => ({ look: await answer(url), check: null });
  return { ...createLookout(deps), visit };
};
const store = (deps: Deps, claimed: ClaimedUrl, look: Look) =>
  lookAtClaimed(
    deps,
    lookoutOf(deps, () => look),
    claimed,
    { verifies: false },
  );

interface StoredLook {
  number: number;
  lastOutcome: string | null;
  streak: number;
  isClaimed: boolean;
  inSeconds: number;
}
const stored = () => server.sql<StoredLook>`
  select number::float8 as number, last_outcome, streak, claim_id is not null as is_claimed,
    extract(epoch from due_at - now())::float8 as in_seconds from looks order by number`;

describe("the schedule row of a URL", () => {
  test("is created and deleted with the URL, and due immediately", async () => {
    await watch(2);
    expect(await stored()).toMatchObject([{ streak: 0 }, { lastOutcome: null }]);
    expect((await stored()).every(({ inSeconds }) => inSeconds <= 0)).toBe(true);
    await server.sql`delete from watched_urls where id = 'url_1'`;
    expect(await stored()).toHaveLength(1);
  });

  test.runIf(IS_WHOLE)(
    "is due immediately for 1,500 of 10,000 URLs added together; the others are spread over five minutes",
    async () => {
      await watch(10_000);
      const due = (await stored()).map(({ inSeconds }) => inSeconds);
      const first = Math.min(...due);
      const later = due.map((one) => one - first).filter((one) => one > 0);
      expect(later.length).toBe(8500);
      const minutes = Array.from(
        { length: 5 },
        (_, minute) => later.filter((one) => Math.floor(one / 60) === minute).length,
      );
      expect(Math.min(...minutes)).toBeGreaterThan(1500);
      expect(Math.max(...minutes)).toBeLessThan(1900);
    },
  );
});

describe("a claim", () => {
  test("is impossible during another's lease; after it, the late result changes nothing", async () => {
    await watch(1);
    const [first] = await claimDue(server);
    expect(await claimDue(server)).toEqual([]);
    await server.sql`update looks set lease_until = now() - interval '1 second'`;
    const late = await lostBefore();
    await store(server.deps, first!, FAILED);
    expect(await stored()).toMatchObject([{ lastOutcome: null, isClaimed: true }]);
    const [second] = await claimDue(server);
    await store(server.deps, first!, FAILED);
    await store(configured({}), second!, GOOD);
    expect(await stored()).toMatchObject([{ lastOutcome: "good", streak: 1, isClaimed: false }]);
    expect(await lostBefore()).toBe(late + 2);
  });

  test("is given back if it was delayed by more than five seconds, as after a suspended process", async () => {
    await watch(1);
    const [claimed] = await claimDue(server);
    const late = { ...claimed!, claimedAt: performance.now() - 5001 };
    expect(await store(server.deps, late, GOOD)).toBeUndefined();
    expect(await stored()).toMatchObject([{ lastOutcome: null, isClaimed: false }]);
  });
});

describe("the next probe", () => {
  const after = async (look: Look) => {
    await watch(1);
    const [claimed] = await claimDue(server);
    await store(configured({}), claimed!, look);
    return (await stored())[0]?.inSeconds ?? Number.NaN;
  };

  test("comes at the URL's own phase of the interval", async () => {
    const inSeconds = await after(GOOD);
    expect(inSeconds).toBeLessThanOrEqual(INTERVAL);
    const [row] = await server.sql<{ part: number }>`
      select (extract(epoch from due_at)::float8 / ${INTERVAL}::float8 - phase_of(number)) as part from looks`;
    expect(Math.abs((row?.part ?? 0.5) - Math.round(row?.part ?? 0))).toBeLessThan(0.001);
  });

  test("comes 30 s after the start of a failed one", async () => {
    const inSeconds = await after(FAILED);
    expect(inSeconds).toBeGreaterThan(20);
    expect(inSeconds).toBeLessThanOrEqual(30);
  });

  test("comes no sooner than the site asked for", async () => {
    const inSeconds = await after({ ...GOOD, outcome: "inconclusive", retryAfterSeconds: 3000 });
    expect(inSeconds).toBeGreaterThan(2900);
  });
});

test("an incident opens with the second failed probe, with its message in the same transaction; two good ones close it", async () => {
  await watch(1);
  const incidents = async () =>
    server.sql`select closed_at is not null as closed, reason ->> 'en' as reason from incidents`;
  // The server sends nothing to a paused target, and so drops no opening that has closed before it was sent.
  await server.sql`
    insert into alerts (id, project_id, kind, target, host, tells_incidents, tells_ships, tells_drops, state)
    values ('alr_1', 'prj_looks', 'webhook', '', 'example.com', true, false, false, 'paused')`;
  for (const look of [FAILED, FAILED]) {
    expect(await incidents()).toEqual([]);
    const [claimed] = await claimDue(server);
    await store(server.deps, claimed!, look);
    await server.sql`update looks set due_at = now()`;
  }
  expect(await incidents()).toEqual([{ closed: false, reason: "Status 500." }]);
  for (const look of [GOOD, GOOD]) {
    const [claimed] = await claimDue(server);
    expect(claimed?.hasOpenIncident).toBe(true);
    await store(server.deps, claimed!, look);
    await server.sql`update looks set due_at = now()`;
  }
  expect(await incidents()).toEqual([{ closed: true, reason: "Status 500." }]);
  expect(await server.sql`select type from messages order by created_at`).toEqual([
    { type: "incident.opened" },
    { type: "incident.closed" },
  ]);
});

test("an hour is one of UTC, in any time zone of the connection", async () => {
  await watch(1);
  const [claimed] = await claimDue(server);
  await server.deps.database.begin(async (sql) => {
    await sql`set local time zone 'Asia/Kolkata'`;
    const database = { ...server.deps.database, sql };
    await store({ ...server.deps, database }, claimed!, { ...GOOD, outcome: "inconclusive" });
  });
  const [row] = await server.sql`
    select hour = date_trunc('hour', looked_at, 'UTC') as is_utc from looks`;
  expect(row).toEqual({ isUtc: true });
});

test("the hour's probes move to history when it is over", async () => {
  await watch(1);
  const look = async (one: Look) => {
    await server.sql`update looks set due_at = now()`;
    const [claimed] = await claimDue(server);
    await store(server.deps, claimed!, one);
  };
  await look({ ...GOOD, firstByteMs: 40 });
  await look({ ...GOOD, firstByteMs: 60 });
  await server.sql`update looks set hour = hour - interval '1 hour'`;
  await look({ ...GOOD, outcome: "inconclusive" });
  expect(await server.sql`select looks, failed, first_byte_sum, first_byte_max from hours`).toEqual(
    [{ looks: 2, failed: 0, firstByteSum: 100, firstByteMax: 60 }],
  );
  expect(await server.sql`select looks, inconclusive, first_byte_sum from looks`).toEqual([
    { looks: 1, inconclusive: 1, firstByteSum: 0 },
  ]);
});

test("each past hour is added to its day (UTC), a late one too", async () => {
  await watch(1);
  const endHour = async (hour: string, one: Look) => {
    await server.sql`update looks set due_at = now()`;
    const [claimed] = await claimDue(server);
    await store(server.deps, claimed!, one);
    await server.sql`update looks set hour = ${hour}::text::timestamptz`;
  };
  await endHour("2026-11-19T23:00Z", { ...GOOD, firstByteMs: 40 });
  await endHour("2026-11-20T00:00Z", { ...GOOD, firstByteMs: 60 });
  await endHour("2026-11-20T23:00Z", { ...GOOD, outcome: "failed" });
  await endHour("2026-11-19T23:00Z", { ...GOOD, outcome: "inconclusive" });
  await endHour("2026-11-20T23:00Z", GOOD);
  const days = await server.sql`
    select to_char(day at time zone 'utc', 'DD HH24:MI') as day, looks, good, first_byte_sum
    from days where number = (select number from watched_urls) order by day`;
  expect(days).toEqual([
    { day: "19 00:00", looks: 2, good: 1, firstByteSum: 40 },
    { day: "20 00:00", looks: 2, good: 1, firstByteSum: 60 },
  ]);
});

const lostBefore = async () =>
  (await server.deps.metrics.leasesLost.get()).values.reduce((sum, { value }) => sum + value, 0);

describe.runIf(IS_WHOLE)("two servers over one database", () => {
  let draining: AbortController;
  let ended: Promise<unknown>[];

  beforeEach(() => {
    draining = new AbortController();
    ended = [];
  });
  afterEach(async () => {
    draining.abort();
    await Promise.all(ended);
  });

  const start = (answer: (url: string) => Promise<Look>, probesAtOnce: number) => {
    const work = createWork();
    // So long that no URL's own turn comes meanwhile.
    const config = configured({ probesAtOnce, cycleSeconds: 1_000_000 });
    const deps = { ...config, draining: draining.signal, work };
    void startLooking(deps, lookoutOf(deps, answer));
    ended.push(work.end());
  };

  test("claim nothing before a probe thread has answered, and at first no more than they can start", async () => {
    await watch(40);
    let isWarm = false;
    let warm = () => {};
    const warmUp = () => new Promise<void>((resolve) => (warm = resolve));
    const work = createWork();
    const deps = {
      ...configured({ probesAtOnce: 64 }),
      draining: draining.signal,
      work,
      threads: { ...server.deps.threads, warmUp },
    };
    const asking: (() => void)[] = [];
    const visit: VisitUrl = async (_url, _verifies, { onAsking }) => {
      expect(isWarm).toBe(true);
      asking.push(onAsking);
      await once(draining.signal, "abort");
      return { look: GOOD, check: null };
    };
    void startLooking(deps, { ...createLookout(deps), visit });
    ended.push(work.end());
    expect((await stored()).filter(({ isClaimed }) => isClaimed)).toEqual([]);
    isWarm = true;
    warm();
    await expect.poll(() => asking.length, { timeout: 10_000 }).toBe(4);
    for (const onAsking of asking) onAsking();
    // Four that have asked, and eight that may be beginning.
    await expect.poll(() => asking.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(12);
  });

  test("probe each URL once; eight that never answer keep no one waiting", async () => {
    await watch(300);
    const asked = new Map<string, number>();
    const answer = async (url: string) => {
      asked.set(url, (asked.get(url) ?? 0) + 1);
      if (/site-[1-8]\./.test(url))
        await sleep(LONGEST_LOOK_MS, undefined, { signal: draining.signal }).catch(() => {});
      return GOOD;
    };
    start(answer, 8);
    start(answer, 8);
    await expect.poll(() => asked.size, { timeout: 60_000 }).toBe(300);
    expect(Math.max(...asked.values())).toBe(1);
  });
});
