import { createTestDatabase, type TestDatabase } from "./database.ts";
import { use } from "./use.ts";
import { openEmbedded } from "../../server/db/embedded/pglite.ts";
import { migrate } from "../../server/db/schema/migrate.ts";
import { readMigrations } from "../../server/db/schema/schema.ts";
import { connectDatabase, type Database } from "../../server/db/driver/sql.ts";

const CONNECTIONS = 8;
/** This is longer than any statement takes on a busy machine. */
export const DEADLINE_MS = 20_000;

/** Opens and migrates the database of a server's environment in this process, without a server. */
export async function openDatabase(
  env: Record<string, string | undefined>,
  deadlineMs = DEADLINE_MS,
): Promise<Database> {
  const { DATABASE_URL: url, SHIPSCORE_DATA_DIR: dataDir = "" } = env;
  const embedded = url === undefined ? await openEmbedded(dataDir) : undefined;
  const address = embedded ?? { url: url ?? "" };
  await migrate(address, await readMigrations());
  const database = connectDatabase(address, {
    connections: embedded === undefined ? CONNECTIONS : 1,
    deadlineMs,
  });
  return {
    ...database,
    async close() {
      await database.close();
      await embedded?.close();
    },
  };
}

/** A fresh database, opened without a server, for the tests of a file or `describe`. */
export const useDatabase = (deadlineMs?: number): Database & Pick<TestDatabase, "env"> =>
  use(async () => {
    const files = await createTestDatabase();
    const database = await openDatabase(files.env, deadlineMs);
    return { ...database, env: files.env, close: () => database.close().then(() => files.drop()) };
  });
