import { createReadStream } from "node:fs";
import { access, chmod, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { unpackTar } from "modern-tar/fs";

/** A Postgres inside this process, reached over a socket. It is one session: connect exactly once. */
export interface EmbeddedDatabase {
  readonly socketPath: string;
  close(): Promise<void>;
}

const DIRECTORY = "postgres";
const UNPACKING = "postgres.new-";

/** A directory called `postgres` is whole: it got its name last. */
async function prepareDirectory(dataDir: string): Promise<string> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(UNPACKING)) await rm(join(dataDir, name), { recursive: true });
  }
  const directory = join(dataDir, DIRECTORY);
  const exists = await access(directory).then(
    () => true,
    () => false,
  );
  if (exists) return directory;
  const unpacked = await mkdtemp(join(dataDir, UNPACKING));
  const prepared = createRequire(import.meta.url).resolve("#prepared-database");
  await pipeline(createReadStream(prepared), createGunzip(), unpackTar(unpacked));
  await rename(unpacked, directory);
  return directory;
}

/**
 * Opens the embedded database of a data directory that this process holds. The first start unpacks one
 * that was initialised when the program was built.
 */
export async function openEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
  const db = await PGlite.create(await prepareDirectory(dataDir));
  const socketPath = join(dataDir, "postgres.sock");
  await rm(socketPath, { force: true });
  const server = new PGLiteSocketServer({ db, path: socketPath });
  await server.start();
  await chmod(socketPath, 0o600);
  return {
    socketPath,
    async close() {
      await server.stop();
      await db.close();
    },
  };
}
