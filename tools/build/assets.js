/*
 * Copies files that the compiler ignores: the migrations, and the pages' picture and style sheet. Also prepares a database, which makes a
 * first start faster.
 */
import { cp, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { createGzip } from "node:zlib";
import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { packTar } from "modern-tar/fs";

const root = new URL("../../", import.meta.url);
const migrations = new URL("server/db/schema/", root);
const isMigration = (name) => name.endsWith(".sql");
const names = (await readdir(migrations)).filter(isMigration);
for (const folder of ["dist/server/db/schema/", "dist/program/"]) {
  const target = new URL(folder, root);
  for (const name of (await readdir(target)).filter(isMigration)) await rm(new URL(name, target));
  for (const name of names) await cp(new URL(name, migrations), new URL(name, target));
}
for (const file of ["pages/public/card.png", "kit/style.css"])
  await cp(new URL(`server/web/${file}`, root), new URL(`dist/program/${basename(file)}`, root));

const prepared = new URL("dist/database.tar.gz", root);
const readTime = (file) =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
const sources = [
  ...names.map((name) => new URL(name, migrations)),
  new URL(import.meta.url),
  // The lock file changes with the version of PGlite, which initializes another database. npm gives all files of a package the same fixed
  // time.
  new URL("package-lock.json", root),
];
const newest = Math.max(...(await Promise.all(sources.map(readTime))));
if ((await readTime(prepared)) <= newest) await writeFile(prepared, await prepareDatabase());

/** Returns a small archive, because a first start writes every file. It has no templates and no spare log files, and was cleanly closed. */
async function prepareDatabase() {
  const { migrate } = await import("../../dist/server/db/schema/migrate.js");
  const { readMigrations } = await import("../../dist/server/db/schema/schema.js");
  const folder = await mkdtemp(join(tmpdir(), "sc-build-"));
  const dataDir = join(folder, "data");
  const socketPath = join(folder, "postgres.sock");
  const db = await PGlite.create({ dataDir, initDbStartParams: ["--wal-segsize=1"] });
  const server = new PGLiteSocketServer({ db, path: socketPath });
  await server.start();
  await migrate({ socketPath }, await readMigrations());
  await server.stop();
  await db.exec("update pg_database set datistemplate = false where datistemplate");
  for (const name of ["template0", "template1"]) await db.exec(`drop database ${name}`);
  await db.exec("checkpoint");
  const { rows } = await db.query("select pg_walfile_name(pg_current_wal_lsn()) as name");
  await db.close();
  const isSpare = (path) => /^[0-9A-F]{24}$/.test(basename(path)) && basename(path) > rows[0].name;
  const packed = packTar(dataDir, { filter: (path) => !isSpare(path) });
  const archive = await buffer(packed.pipe(createGzip({ level: 9 })));
  await rm(folder, { recursive: true });
  return archive;
}
