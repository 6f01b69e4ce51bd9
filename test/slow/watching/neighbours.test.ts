import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { createWork } from "../../../server/base/work.ts";
import { NO_LOOK, type Look } from "../../../server/engine/judge/look-outcome.ts";
import { startLooking } from "../../../server/watching/look-loop.ts";
import { createLookout, type VisitUrl } from "../../../server/watching/lookout.ts";
import { useServer } from "../../harness/server.ts";

/*
 * Real: the claims and results in the database, and who gets the places. A stand-in answers for the sites. Times are
 * a tenth of the usual ones: an interval of 30 s, and 0.9 s in which a silent site holds its place.
 */
const INTERVAL_SECONDS = 30;
const SILENCE_MS = 900;
const PLACES = 128;
const CROWD = 100;
const FILL_MS = 300_000;

const GOOD: Look = { ...NO_LOOK, outcome: "good", isAnswered: true, isOwnFault: false };
const SILENT: Look = {
  ...NO_LOOK,
  outcome: "failed",
  isOwnFault: false,
  reason: { fr: "Pas de réponse.", en: "No answer." },
};

const server = useServer();
beforeAll(async () => {
  await watch("crowd", CROWD, 1000);
  await watch("honest", 1, 21);
  await server.sql`analyze looks`;
}, FILL_MS);

/** Accounts with a project each, which watches so many URLs of hosts of their own, all due. */
async function watch(who: string, accounts: number, urls: number): Promise<void> {
  await server.sql`
    insert into accounts (id, email, plan)
    select 'acc_' || ${who} || n, ${who} || n || '@example.com', 'free' from generate_series(1, ${accounts}::int) n`;
  await server.sql`
    insert into projects (id, owner_id, name, url)
    select 'prj_' || ${who} || n, 'acc_' || ${who} || n, 'Site', '' from generate_series(1, ${accounts}::int) n`;
  for (let account = 1; account <= accounts; account++)
    await server.sql`
      insert into watched_urls (id, project_id, url)
      select 'url_' || its.id || '_' || n, its.id, 'https://site-' || n || '-' || ${account}::int || '-' || ${who} || '.example/'
      from generate_series(1, ${urls}::int) n, (select 'prj_' || ${who} || ${account}::int as id) its`;
  await silence(who, accounts, false);
}

/** Makes the accounts' URLs due, as those that are looked at for the first time, or as those whose incidents are open. */
async function silence(who: string, accounts: number, isLong: boolean): Promise<void> {
  for (let account = 1; account <= accounts; account++) {
    const project = `prj_${who}${account}`;
    await server.sql`
      update looks set due_at = now(), claim_id = null, lease_until = null,
        silences = case when ${isLong}::boolean then 2 else 0 end, is_silent = ${isLong}::boolean,
        last_outcome = case when ${isLong}::boolean then 'failed' end, streak = case when ${isLong}::boolean then 2 else 0 end
      from watched_urls where watched_urls.number = looks.number and project_id = ${project}`;
    if (isLong)
      await server.sql`
        insert into incidents (id, watched_url_id, project_id, url, since, reason, last_checked_at)
        select 'inc_' || id, id, project_id, url, now(), '{}', now() from watched_urls where project_id = ${project}
        on conflict do nothing`;
  }
}

/** Looks for so long; returns the longest time for which each honest URL was not looked at, in intervals, and all looks. */
async function lookFor(seconds: number): Promise<{ gaps: number[]; looks: number }> {
  const draining = new AbortController();
  const work = createWork();
  const config = {
    ...server.deps.config,
    cycleSeconds: INTERVAL_SECONDS,
    verifySeconds: 0,
    probesAtOnce: PLACES,
  };
  const deps = { ...server.deps, config, draining: draining.signal, work };
  const times = new Map<string, number[]>();
  let looks = 0;
  const visit: VisitUrl = async (url, _verifies, { onAsking }) => {
    looks++;
    onAsking();
    if (url.includes("honest")) times.set(url, [...(times.get(url) ?? []), performance.now()]);
    if (url.includes("honest") && !url.includes("site-21-")) return { look: GOOD, check: null };
    await sleep(SILENCE_MS);
    return { look: SILENT, check: null };
  };
  const judgement = { confirm: async (look: Look) => look };
  const began = performance.now();
  void startLooking(deps, { ...createLookout(deps), visit, judgement });
  await sleep(seconds * 1000);
  const ended = performance.now();
  draining.abort();
  await work.end();
  const gaps = Array.from({ length: 21 }, (_, index) => {
    const seen = times.get(`https://site-${index + 1}-1-honest.example/`) ?? [];
    const all = [began, ...seen, ended];
    return Math.max(...all.slice(1).map((time, n) => time - (all[n] ?? 0)));
  });
  return { gaps: gaps.map((ms) => ms / 1000 / INTERVAL_SECONDS), looks };
}

test.each([
  ["new", false],
  ["silent for long", true],
])(
  "next to 100,000 silent URLs of 100 accounts, %s, each URL of an honest account is probed within 1.3 intervals, its silent one too",
  async (age, isLong) => {
    await silence("crowd", CROWD, isLong);
    const { gaps, looks } = await lookFor(2.5 * INTERVAL_SECONDS);
    const longest = Math.max(...gaps);
    process.stdout.write(
      `${age}: longest ${longest.toFixed(2)} intervals, ${looks} looks in all\n`,
    );
    expect(longest).toBeLessThan(1.3);
  },
  2 * FILL_MS,
);
