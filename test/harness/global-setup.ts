import type { TestProject } from "vitest/node";
import { migrate } from "../../server/db/schema/migrate.ts";
import { readMigrations } from "../../server/db/schema/schema.ts";
import { findPooler, startPooler } from "./pooler.ts";
import { runSql, startPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The database under test in this project. */
    database: "postgres" | "embedded";
    postgresUrl: string;
    /** The URL of a pooler in front of Postgres. Undefined unless this project's servers use one. */
    poolerUrl: string | undefined;
    /** The database to copy, and how to copy it. */
    template: string;
  }
}

/** These settings reduce disk writes. No standby needs them, and the data may be lost with the machine. */
const SETTINGS = [
  "wal_level=minimal",
  "max_wal_senders=0",
  "full_page_writes=off",
  "autovacuum=off",
];

/** Starts one Postgres for the run (or uses TEST_DATABASE_URL's) and migrates a template that each test file copies. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["TEST_DATABASE_URL"];
  const server = given === undefined ? await startPostgres(SETTINGS) : undefined;
  const url = given ?? server?.url ?? "";
  const templateName = `shipscore_template_${process.pid}`;
  await runSql(url, `create database ${templateName}`);
  const template = new URL(url);
  template.pathname = `/${templateName}`;
  await migrate({ url: template.href }, await readMigrations());
  const pooler = project.name === "pooled" ? await startPooler(findPooler() ?? "", url) : undefined;
  project.provide("postgresUrl", url);
  project.provide("poolerUrl", pooler?.url);
  // This strategy takes half the CPU time of the default one. Postgres 14 does not know the option.
  project.provide(
    "template",
    given === undefined ? `${templateName} strategy file_copy` : templateName,
  );
  return async () => {
    await pooler?.stop();
    await runSql(url, `drop database ${templateName} with (force)`);
    await server?.stop();
  };
}
