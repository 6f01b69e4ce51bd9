import { expect, inject, test } from "vitest";
import { runSql } from "../harness/postgres.ts";
import { useServer } from "../harness/server.ts";
import { waitUntil } from "../harness/slow-site.ts";

const server = useServer({ tickMs: 50 });

/** What a standby, or a disk that became read-only, answers to each connection from now on. */
async function setReadOnly(value: "on" | "off"): Promise<void> {
  const name = new URL(server.database.url).pathname.slice(1);
  await runSql(
    inject("postgresUrl"),
    `alter database ${name} set default_transaction_read_only = ${value};
     select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
}

async function probe(path: string): Promise<string> {
  const answer = await server.request(path);
  return `${answer.status} ${await answer.text()}`;
}

test.runIf(inject("database") === "postgres")(
  "a server with a read-only database stays up, and is ready again once it is writable",
  async () => {
    const countStatements = async () => {
      const { values } = await server.deps.metrics.querySeconds.get();
      return values.find(({ metricName }) => metricName?.endsWith("_count"))?.value ?? 0;
    };
    await setReadOnly("on");
    await waitUntil("it is seen", async () => {
      return (await probe("/readyz")) === '503 {"status":"read-only"}';
    });
    const before = await countStatements();
    await waitUntil("more is refused", async () => (await countStatements()) > before + 30);
    expect(await probe("/healthz")).toMatch(/^200 /);
    expect((await server.request("/sign-in")).status).toBe(200);

    await setReadOnly("off");
    await waitUntil("a heartbeat is written", async () =>
      (await probe("/readyz")).startsWith("200"),
    );
    expect(server.log.join("").match(/.*25006.*/g)).toEqual([
      expect.stringContaining("free or repair the database's disk"),
    ]);
  },
);
