import { beforeAll, describe, expect, inject, test } from "vitest";
import { migrate } from "../../server/db/schema/migrate.ts";
import { readMigrations, type Migration } from "../../server/db/schema/schema.ts";
import { useFiles } from "../harness/database.ts";
import { addAccount, getUsage, runServerCommandHere } from "../harness/process.ts";
import { sendCheck } from "../harness/request.ts";
import { startTestServer, useServerOn, type TestServer } from "../harness/server.ts";
import { startSlowSite, waitUntil } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";

const EMAIL = "ann@example.com";

/** As a rolling deployment has it: servers of one version run on while the next one migrates the database. */
describe.runIf(inject("database") === "postgres")("with a newer schema", () => {
  let token: string;
  let own: Migration[];
  let serving: Migration[];

  const check = ({ url }: Pick<TestServer, "url">) => sendCheck(url, token, site.url);
  const migrateTo = (migrations: Migration[]) => migrate({ url: files.url }, migrations);

  const files = useFiles();
  const site = use(startSlowSite);
  const server = useServerOn(files);
  beforeAll(async () => {
    token = await addAccount(files.env, EMAIL, "free");
    own = await readMigrations();
    const known = own.at(-1)?.version ?? 0;
    serving = [
      ...own,
      {
        version: known + 1,
        script:
          "alter table checks add column colour text not null default 'red'; create table colours (name text primary key)",
        servesFrom: known,
        isOutsideTransaction: false,
      },
      {
        version: known + 2,
        script: "create index concurrently if not exists checks_by_colour on checks (colour);",
        servesFrom: known,
        isOutsideTransaction: true,
      },
    ];
  });

  test("that supports it, a server finishes the check that was running during the migration, and continues", async () => {
    site.hold();
    const answer = check(server);
    await waitUntil("the check visits", () => site.requests.length > 0);
    expect(await migrateTo(serving)).toEqual(serving.slice(-2).map(({ version }) => version));
    site.release();
    expect((await answer).status).toBe(200);
    expect((await check(server)).status).toBe(200);
    expect(await getUsage(files.env, EMAIL)).toBe("2/30");
  });

  test("that supports it, a server starts", async () => {
    const other = await startTestServer({ database: files });
    expect((await check(other)).status).toBe(200);
    await other.stop();
  });

  test("that does not support it, a server refuses to start, and to migrate to the older schema", async () => {
    const version = serving.length + 1;
    const removing = {
      version,
      script: "alter table checks drop column masked_url",
      servesFrom: version,
      isOutsideTransaction: false,
    };
    expect(await migrateTo([...serving, removing])).toEqual([version]);
    const { exitCode, stderr } = await runServerCommandHere(["start"], files.env);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("Upgrade shipscore-server.")]);
    await expect(migrateTo(own)).rejects.toMatchObject({ code: "schema_too_new" });
  });
});
