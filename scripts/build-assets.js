/* What the compiler leaves out: the migrations, and a database initialised once so that a first start need not. */
import { access, cp, writeFile } from "node:fs/promises";
import { PGlite } from "@electric-sql/pglite";

const root = new URL("../", import.meta.url);
await cp(new URL("server/db/migrations/", root), new URL("dist/server/db/migrations/", root), {
  recursive: true,
});

const prepared = new URL("dist/database.tar.gz", root);
const exists = await access(prepared).then(
  () => true,
  () => false,
);
if (!exists) {
  const db = await PGlite.create("memory://");
  const archive = await db.dumpDataDir("gzip");
  await db.close();
  await writeFile(prepared, Buffer.from(await archive.arrayBuffer()));
}
