import { readdir, readFile } from "node:fs/promises";
import type { Sql } from "../../server/db/sql.ts";

const TICKS_A_SECOND = 100;

/** The parent of a process, and the CPU seconds that it and its ended children have used (Linux, proc(5)). */
async function readProcess(pid: string): Promise<{ parent: string; seconds: number } | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  if (fields === undefined) return undefined;
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: fields[1] ?? "", seconds: ticks / TICKS_A_SECOND };
}

/** The CPU seconds that a Postgres on this machine has used, over all its processes, including those that ended. */
export async function readClusterSeconds(sql: Sql): Promise<number> {
  const [backend] = await sql<{ pid: number }>`select pg_backend_pid() as pid`;
  const postmaster = (await readProcess(String(backend?.pid)))?.parent;
  if (postmaster === undefined)
    throw new Error("the processor's time is read from /proc, on Linux");
  let seconds = 0;
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const read = await readProcess(pid);
    if (pid === postmaster || read?.parent === postmaster) seconds += read?.seconds ?? 0;
  }
  return seconds;
}
