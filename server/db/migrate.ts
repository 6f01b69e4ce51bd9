import { readdir, readFile } from "node:fs/promises";
import { AppError } from "../errors.ts";
import { connectDatabase, type DatabaseAddress } from "./sql.ts";

const MIGRATIONS = new URL("./migrations/", import.meta.url);
const LOCK_ID = 7_073_686;
const DEADLINE_MS = 120_000;

/**
 * Brings the database up to the program's schema, all in one transaction, and returns the versions applied.
 * The lock makes a second server wait; on the embedded database, which is one session, the data directory's
 * lock has already done so. Throws `refused_operation` when the database is newer than the program.
 */
export async function migrate(address: DatabaseAddress): Promise<number[]> {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith(".sql")).toSorted();
  const versions = files.map((name) => Number.parseInt(name, 10));
  const newest = versions.at(-1) ?? 0;
  const database = connectDatabase(address, { connections: 1, deadlineMs: DEADLINE_MS });
  try {
    return await database.begin(async (sql, runScript) => {
      await sql`select pg_advisory_xact_lock(${LOCK_ID})`;
      await runScript(
        "create table if not exists migrations (version integer primary key, applied_at timestamptz not null default now())",
      );
      const [row] = await sql<{
        version: number | null;
      }>`select max(version) as version from migrations`;
      const current = row?.version ?? 0;
      if (current > newest) {
        throw new AppError(
          "refused_operation",
          `The database is at schema ${current}, newer than this program, which knows ${newest}. Upgrade shipscore-server.`,
        );
      }
      const pending = versions.filter((version) => version > current);
      for (const version of pending) {
        const file = files[versions.indexOf(version)] ?? "";
        await runScript(await readFile(new URL(file, MIGRATIONS), "utf8"));
        await sql`insert into migrations (version) values (${version})`;
      }
      return pending;
    });
  } finally {
    await database.close();
  }
}
