import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { useFiles } from "../../harness/database.ts";
import { openDatabase } from "../../harness/opened-database.ts";
import {
  addAccount,
  getUsage,
  runOrThrow,
  startServerProcess,
  type ServerProcess,
} from "../../harness/process.ts";
import { sendRequest, sendCheck } from "../../harness/request.ts";
import { startSlowSite } from "../../harness/slow-site.ts";
import { use } from "../../harness/use.ts";

describe.runIf(inject("database") === "postgres")("two servers over one database", () => {
  let servers: [ServerProcess, ServerProcess];

  const database = useFiles();
  const site = use(startSlowSite);
  beforeAll(async () => {
    servers = await Promise.all([
      startServerProcess(database.env),
      startServerProcess(database.env),
    ]);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.end("SIGTERM")));
  });

  test("accept exactly 30 of 200 parallel checks with 30 left in the quota", async () => {
    const token = await addAccount(database.env, "max@example.com", "free");
    const ask = (index: number) => sendCheck(servers[index % 2 === 0 ? 0 : 1].url, token, site.url);
    const retryStatement = async (index: number): Promise<number> => {
      const answer = await ask(index);
      if (answer.status !== 503) return answer.status;
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      return retryStatement(index);
    };
    const statuses = await Promise.all(
      Array.from({ length: 200 }, (_, index) => retryStatement(index)),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(170);
    expect(await getUsage(database.env, "max@example.com")).toBe("30/30");
  });

  test("have one answer for thirty uses of a key with one check left", async () => {
    const token = await addAccount(database.env, "kim@example.com", "free");
    const opened = await openDatabase(database.env);
    await opened.sql`
      insert into usage (account_id, month, used)
      select id, date_trunc('month', now() at time zone 'utc'), 29 from accounts where email = 'kim@example.com'`;
    await opened.close();
    const ask = (index: number, key: string) =>
      sendCheck(servers[index % 2 === 0 ? 0 : 1].url, token, site.url, {
        headers: { "idempotency-key": key },
      });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => ask(index, "one")));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
    expect((await ask(0, "another")).status).toBe(429);
    expect(await getUsage(database.env, "kim@example.com")).toBe("30/30");
  });

  test("reject a token at the next request after it was revoked by another process", async () => {
    const token = await addAccount(database.env, "eve@example.com");
    const statuses = () =>
      Promise.all(
        servers.map(
          async ({ url }) => (await sendRequest(url, "/api/v1/projects", { token })).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200]);
    const [listed] = JSON.parse(
      await runOrThrow(["token", "list", "eve@example.com", "--json"], database.env),
    ) as { id: string }[];
    expect(await runOrThrow(["token", "remove", listed?.id ?? ""], database.env)).toBe(listed?.id);
    expect(await statuses()).toEqual([401, 401]);
  });
});
