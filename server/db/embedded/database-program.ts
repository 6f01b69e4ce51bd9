/* The thread of the embedded database. */
import { mkdirSync, writeFileSync } from "node:fs";
import { access, chmod, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { once } from "node:events";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import { gunzipSync } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { unpackTar } from "modern-tar";
import { type DatabaseData, DIRECTORY } from "./pglite.ts";

/** Next to the folder of the built program, which is the only place that this file runs from. */
const PREPARED = new URL("../database.tar.gz", import.meta.url);
const UNPACKING = "postgres.new-";
/** The default, 128 MB, would be filled at every start. */
const START_PARAMETERS = [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB"];

/** Renamed to `postgres` last, so a directory with that name is complete. */
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
  await unpackFiles(PREPARED, unpacked);
  await rename(unpacked, directory);
  return directory;
}

/** Synchronous, because nothing else runs in this thread yet; asynchronous writes take four times as long. */
async function unpackFiles(archive: URL, folder: string): Promise<void> {
  for (const { header, data } of await unpackTar(gunzipSync(await readFile(archive)))) {
    const path = join(folder, header.name);
    if (header.type === "directory") mkdirSync(path, { recursive: true, mode: 0o700 });
    else writeFileSync(path, data ?? "", { mode: 0o600 });
  }
}

/** Avoids early optimization, which takes a second of processor time and does not pay off in a short run. */
setFlagsFromString("--wasm-tiering-budget=100000000");
const { dataDir, socketPath } = workerData as DatabaseData;
// Listens before waiting for the compiler, which alone does not keep a thread alive.
const ending = once(parentPort as MessagePort, "message");

const db = await PGlite.create({
  dataDir: await prepareDirectory(dataDir),
  startParams: START_PARAMETERS,
});
// Until chmod, another user could connect, so the socket gets its final name last.
const unnamed = socketPath.replace(/sock$/, "new");
await rm(unnamed, { force: true });
// A second connection must be accepted before the end of the first one is noticed: a refused connection would keep its
// place forever.
const server = new PGLiteSocketServer({ db, path: unnamed, maxConnections: 100 });
// The single session, with its transaction, outlives a connection.
server.addEventListener("connection", () => {
  db.exec("rollback").catch(() => {});
});
await server.start();
await chmod(unnamed, 0o600);
await rename(unnamed, socketPath);
parentPort?.postMessage("open");

await ending;
await rm(socketPath, { force: true });
await server.stop();
await db.close();
process.exit();
