/* What the compiler leaves out: the migrations, the picture of the pages, and a database initialised and migrated once so that a first start need not. */
import { cp, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";

const root = new URL("../../", import.meta.url);
const migrations = new URL("server/db/migrations/", root);
await cp(migrations, new URL("dist/server/db/migrations/", root), { recursive: true });
await cp(
  new URL("server/web/public/card.png", root),
  new URL("dist/server/web/public/card.png", root),
);

const prepared = new URL("dist/database.tar.gz", root);
const timeOf = (file) =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
const files = (await readdir(migrations)).map((name) => new URL(name, migrations));
const newest = Math.max(...(await Promise.all(files.map(timeOf))));
if ((await timeOf(prepared)) <= newest) await writeFile(prepared, await prepareDatabase());

async function prepareDatabase() {
  const { migrate } = await import("../../dist/server/db/migrate.js");
  const folder = await mkdtemp(join(tmpdir(), "sc-build-"));
  const socketPath = join(folder, "postgres.sock");
  const db = await PGlite.create("memory://");
  const server = new PGLiteSocketServer({ db, path: socketPath });
  await server.start();
  await migrate({ socketPath });
  await server.stop();
  await db.exec("checkpoint");
  const archive = await db.dumpDataDir("gzip");
  await db.close();
  await rm(folder, { recursive: true });
  return Buffer.from(await archive.arrayBuffer());
}
