import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { runSql } from "./postgres.ts";
import { use } from "./use.ts";

/** A new database of the kind that this run tests. `env` has the settings of a server that uses it. */
export interface TestDatabase {
  readonly kind: "postgres" | "embedded";
  readonly env: Record<string, string>;
  /** The URL of a Postgres without its pooler; empty for the embedded database. */
  readonly url: string;
  drop(): Promise<void>;
}

export async function createTestDatabase(kind = inject("database")): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "sc-"));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  if (kind === "embedded")
    return { kind, env: { SHIPSCORE_DATA_DIR: folder }, url: "", drop: removeFolder };
  const name = `shipscore_${randomBytes(6).toString("hex")}`;
  await runSql(inject("postgresUrl"), `create database ${name} template ${inject("template")}`);
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${name}`;
  const pooler = inject("poolerUrl");
  return {
    kind,
    url: url.href,
    env: {
      DATABASE_URL:
        pooler === undefined ? url.href : url.href.replace(url.host, new URL(pooler).host),
      SHIPSCORE_DATA_DIR: folder,
      SHIPSCORE_SECRET_KEY: randomBytes(32).toString("base64"),
    },
    async drop() {
      await runSql(inject("postgresUrl"), `drop database ${name} with (force)`);
      await removeFolder();
    },
  };
}

export const useFiles = (): TestDatabase =>
  use(
    () => createTestDatabase(),
    (database) => database.drop(),
  );
