import { expect, inject, test } from "vitest";
import { openSession } from "../../../server/access/sessions.ts";
import { newId } from "../../../server/db/id.ts";
import { findStatusPage, MAX_SHOWN_URLS } from "../../../server/db/projects/status-pages.ts";
import type { Database } from "../../../server/db/driver/sql.ts";
import { Client } from "../../harness/application.ts";
import { insertReader } from "../../harness/crowd.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { openDatabase } from "../../harness/opened-database.ts";
import { insertDays } from "../../harness/past.ts";
import { startServerProcess } from "../../harness/process.ts";

const PAGES = 40;
const CLIENTS = 60;
const DAYS = 90;
const CALM_MS = 5000;
const ATTACK_MS = 15_000;
const FORMATS = ["", ".json", ".atom", ".svg"];

const nameOf = (page: number) => `page-${String(page).padStart(2, "0")}`;

/** Pages of 20 URLs that were probed for 90 days. */
async function insertPages({ sql }: Database): Promise<void> {
  const { accountId } = await insertReader(sql, "alice@example.com");
  for (let page = 0; page < PAGES; page++) {
    const id = newId("prj");
    await sql`
      insert into projects (id, owner_id, name, url) values (${id}, ${accountId}, 'Site', 'https://example.com/')`;
    await sql`
      insert into watched_urls (id, project_id, url, is_address, status_label)
      select 'url_' || right(md5(n || ${id}), 20), ${id}, 'https://example.com/' || n, n = 1, 'Part ' || n
      from generate_series(1, ${MAX_SHOWN_URLS}::int) n`;
    await sql`
      update looks set last_outcome = 'good', looked_at = now(), first_looked_at = now() - interval '90 days'
      from watched_urls where watched_urls.number = looks.number and project_id = ${id}`;
    await sql`
      insert into status_pages (project_id, name, shows_addresses, shows_score, is_indexed)
      values (${id}, ${nameOf(page)}, true, true, false)`;
    await insertDays(sql, id, DAYS, true);
  }
}

/** How long an answer takes, in ms, for as long as `ms`, and how each ended. */
async function readFor(ms: number, read: () => Promise<number>) {
  const [times, statuses]: [number[], number[]] = [[], []];
  for (const end = performance.now() + ms; performance.now() < end;) {
    const began = performance.now();
    statuses.push(await read());
    times.push(performance.now() - began);
  }
  return { times, statuses };
}

function describe(what: string, { times, statuses }: Awaited<ReturnType<typeof readFor>>): string {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)]?.toFixed(1);
  const refused = statuses.filter((status) => status === 503).length;
  return `${what}: ${times.length} answers, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ${refused} of them 503`;
}

/** Fills the database; returns bob's cookie, and how long it takes to read a page. */
async function fill(env: TestDatabase["env"]): Promise<{ shipscore: string; lines: string[] }> {
  const opened = await openDatabase(env);
  await insertPages(opened);
  const { accountId } = await insertReader(opened.sql, "bob@example.com");
  await opened.sql`analyze`;
  const lines: string[] = [];
  for (const one of ["first", "second", "third"]) {
    const began = performance.now();
    await findStatusPage(opened.sql, nameOf(0));
    lines.push(`the ${one} read of a page: ${(performance.now() - began).toFixed(1)} ms`);
  }
  const { secret } = await openSession(opened.sql, accountId, {
    browser: "test",
    address: "127.0.0.1",
  });
  await opened.close();
  return { shipscore: secret, lines };
}

/** Prints what was measured. Embedded, the history of these pages would take minutes to insert. */
test.runIf(inject("database") === "postgres")(
  "next to 60 clients on 40 status pages another account can read its projects",
  async () => {
    const database = await createTestDatabase();
    const { shipscore, lines } = await fill(database.env);
    const server = await startServerProcess(database.env);
    const bob = new Client(server.url, { cookies: { shipscore } });
    const readProjects = async () => (await bob.get("/projects")).status;
    await readFor(1000, readProjects);
    const calm = await readFor(CALM_MS, readProjects);
    const flood = Array.from({ length: CLIENTS }, (_, client) => {
      let asked = client;
      return readFor(ATTACK_MS, async () => {
        const path = `/status/${nameOf(asked % PAGES)}${FORMATS[++asked % FORMATS.length]}`;
        const answer = await fetch(new URL(path, server.url));
        await answer.arrayBuffer();
        return answer.status;
      });
    });
    const attacked = await readFor(ATTACK_MS, readProjects);
    const strangers = (await Promise.all(flood)).reduce((all, { times, statuses }) => ({
      times: [...all.times, ...times],
      statuses: [...all.statuses, ...statuses],
    }));
    lines.push(
      describe("calm", calm),
      describe("attacked", attacked),
      describe("the pages", strangers),
    );
    process.stdout.write(`${lines.join("\n")}\n`);
    await server.end("SIGTERM");
    await database.drop();
    expect(attacked.statuses.filter((status) => status !== 200)).toEqual([]);
  },
);
