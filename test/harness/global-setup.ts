import type { TestProject } from "vitest/node";
import { migrate } from "../../server/db/schema/migrate.ts";
import { readMigrations } from "../../server/db/schema/schema.ts";
import { findPooler, startPooler } from "./pooler.ts";
import { runSql, startPostgres } from "./postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Which database this project's tests run on. */
    database: "postgres" | "embedded";
    postgresUrl: string;
    /** A pooler before that Postgres; undefined unless this project's servers go through one. */
    poolerUrl: string | undefined;
    /** Which database is copied, and how. */
    template: string;
  }
}

/** No copy follows it, and it need not outlive the machine: it writes little beside its data. */
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
  // Half the processor time of Postgres' usual way, for which 14 has no word.
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
