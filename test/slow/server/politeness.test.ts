import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { startTestServer, type TestServer } from "../../harness/server.ts";
import { useFiles } from "../../harness/database.ts";
import { sendRequest } from "../../harness/request.ts";
import { startSite } from "../../harness/site.ts";
import { waitUntil } from "../../harness/slow-site.ts";
import { use } from "../../harness/use.ts";

const CHECKS = 200;
const ACCOUNTS = ["ann@example.com", "ben@example.com", "cid@example.com"];
const VISIT_MS = 400;

/** Counts the checks at the site itself: each sends its account's name along, and asks once for the page. */
class Visitors {
  readonly seen = new Map<string, number>();
  readonly #inside = new Map<string, number>();
  mostOfOne = 0;
  mostOfAll = 0;

  enter(name: string): void {
    this.seen.set(name, (this.seen.get(name) ?? 0) + 1);
    this.#inside.set(name, (this.#inside.get(name) ?? 0) + 1);
    const counts = [...this.#inside.values()];
    this.mostOfOne = Math.max(this.mostOfOne, ...counts);
    this.mostOfAll = Math.max(
      this.mostOfAll,
      counts.reduce((sum, count) => sum + count, 0),
    );
  }

  leave(name: string): void {
    this.#inside.set(name, (this.#inside.get(name) ?? 1) - 1);
  }
}

describe.runIf(inject("database") === "postgres")(
  "200 checks at once over two servers with one database",
  () => {
    const visitors = new Visitors();
    let servers: TestServer[];
    let tokens: string[];
    let answers: Response[];

    const database = useFiles();
    const site = use(() =>
      startSite({
        routes: {
          "/": async ({ headers }, response) => {
            const name = headers.origin ? undefined : String(headers["cf-access-client-id"]);
            if (name) visitors.enter(name);
            await sleep(VISIT_MS);
            if (name) visitors.leave(name);
            response
              .writeHead(200, { "content-type": "text/html" })
              .end("<!doctype html><p>Hello.");
          },
        },
      }),
    );
    beforeAll(async () => {
      servers = await Promise.all([startOne(), startOne()]);
      tokens = await Promise.all(ACCOUNTS.map(addAccount));
      answers = await Promise.all(Array.from({ length: CHECKS }, (_, index) => ask(index)));
    });
    afterAll(async () => {
      await Promise.all(servers.map((server) => server.stop()));
    });

    /** A server for which the site's host is one of the public ones, whose bounds are counted. */
    async function startOne(): Promise<TestServer> {
      const server = await startTestServer({ database });
      const { probe } = server.deps;
      const { vet } = probe;
      probe.vet = async (...args) => ({ ...(await vet(...args)), exempt: false });
      return server;
    }

    async function addAccount(email: string): Promise<string> {
      await servers[0]?.perform("account add", { email, plan: "team" });
      const created = await servers[0]?.perform("token add", { email, name: "test" });
      return (created as { token: string }).token;
    }

    function ask(index: number): Promise<Response> {
      const account = index % ACCOUNTS.length;
      return sendRequest(servers[index % 2]?.url ?? "", "/api/v1/check", {
        method: "POST",
        token: tokens[account],
        body: { url: site.url, headers: { "cf-access-client-id": ACCOUNTS[account] } },
      });
    }

    test("make at most 8 visits to the site at once, and 4 for one account", () => {
      expect(visitors.mostOfAll).toBeGreaterThan(4);
      expect(visitors.mostOfAll).toBeLessThanOrEqual(8);
      expect(visitors.mostOfOne).toBeGreaterThan(1);
      expect(visitors.mostOfOne).toBeLessThanOrEqual(4);
    });

    test("are answered, or rejected for now", () => {
      const busy = answers.filter(({ status }) => status === 503);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
      for (const { headers } of busy) {
        expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
        expect(headers.get("x-shipscore-busy")).toBe("1");
      }
    });

    test("count if they were answered, with one visit each", async () => {
      const done = answers.filter(({ status }) => status === 200).length;
      const [{ used } = { used: 0 }] = await servers[0]!.deps.database.sql<{ used: number }>`
      select sum(used)::int as used from usage`;
      expect(used).toBe(done);
      expect([...visitors.seen.values()].reduce((sum, count) => sum + count, 0)).toBe(done);
    });

    test("leave no row if they were rejected", async () => {
      const { sql } = servers[0]!.deps.database;
      await waitUntil(
        "their slots are back",
        async () => (await sql`select from checks where state = 'running'`).length === 0,
      );
      expect(await sql`select from checks where state <> 'done'`).toEqual([]);
    });

    test("run at most 60 a minute for one account", () => {
      for (const count of visitors.seen.values()) expect(count).toBeLessThanOrEqual(60);
    });

    test("identify themselves, with a URL, in every request", () => {
      const agents = new Set(site.requests.map(({ headers }) => headers["user-agent"]));
      expect(agents).toEqual(new Set(["shipscore/1.0 (URL verification)"]));
    });
  },
);
