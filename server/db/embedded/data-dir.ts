import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../base/errors.ts";
import { DIRECTORY } from "./pglite.ts";
import type { Door, Holder, Perform, Work } from "./holder.ts";
import { DOOR_NAME, DOOR_NAME_LENGTH, findHolder, openDoor, performOver } from "./holder.ts";

export type Occupancy =
  | {
      held: true;
      /** Accepts no more work, waits for what is running, closes the database, and only then gives up the directory. */
      leave(closeDatabase: () => Promise<void>): Promise<void>;
    }
  | { held: false; holder: Holder; perform: Perform };

interface Neighbour {
  readonly name: string;
  readonly holder: Holder;
}

/** Longest path that a Unix socket can have on any platform (sun_path is 104 bytes on macOS). */
const MAX_SOCKET_PATH_BYTES = 100;
const LOOK_INTERVAL_MS = 50;
const SETTLE_MS = 15_000;

function requireShortPath(dataDir: string): void {
  const maxBytes = MAX_SOCKET_PATH_BYTES - DOOR_NAME_LENGTH - 1;
  if (Buffer.byteLength(dataDir) <= maxBytes) return;
  throw new AppError("data_dir_path_too_long", { dataDir, maxBytes });
}

/** All other processes at the directory. Removes the sockets of dead ones. */
async function listNeighbours(dataDir: string, own?: string): Promise<Neighbour[]> {
  const neighbours: Neighbour[] = [];
  for (const name of await readdir(dataDir)) {
    if (!DOOR_NAME.test(name) || name === own) continue;
    const holder = await findHolder(join(dataDir, name));
    if (holder === undefined) await rm(join(dataDir, name), { force: true });
    else neighbours.push({ name, holder });
  }
  return neighbours;
}

/** Whether a database was begun in a directory, or a process is there that may be beginning one. */
export async function holdsDatabase(dataDir: string): Promise<boolean> {
  const names = await readdir(dataDir).catch(() => []);
  return names.some((name) => name === DIRECTORY || DOOR_NAME.test(name));
}

/**
 * True if this process may take the directory, because nobody else is there. If several processes contend, the
 * oldest waits for the others to give way.
 */
async function prevails(dataDir: string, door: Door, self: Holder): Promise<boolean> {
  const orderOf = (name: string, { since }: Holder) => `${since} ${name}`;
  for (;;) {
    const neighbours = await listNeighbours(dataDir, door.name);
    if (neighbours.length === 0) return true;
    const yields = ({ name, holder }: Neighbour) =>
      holder.phase === "contending" && orderOf(name, holder) > orderOf(door.name, self);
    if (!neighbours.every(yields)) return false;
    await sleep(LOOK_INTERVAL_MS);
  }
}

/**
 * Takes the data directory for this process, or finds the process that holds it. The lock is a listening Unix socket
 * with a name that is never reused: a socket that answers belongs to a living process, one that refuses is left over
 * from a dead one. Every process first listens and then looks for others, so that of any two at least one sees the
 * other. Throws `data_dir_path_too_long`, `data_dir_changes_hands` and `holder_silent`.
 */
export async function occupyDataDir(
  dataDir: string,
  command: string,
  work: Work,
): Promise<Occupancy> {
  requireShortPath(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const [neighbour] = await listNeighbours(dataDir);
    if (neighbour?.holder.phase === "holding") {
      const { name, holder } = neighbour;
      return { held: false, holder, perform: performOver(join(dataDir, name), holder) };
    }
    if (neighbour === undefined) {
      const self: Holder = {
        command,
        pid: process.pid,
        since: new Date().toISOString(),
        phase: "contending",
      };
      const door = await openDoor(dataDir, self, work);
      if (await prevails(dataDir, door, self)) return hold(door, self);
      await door.close();
    }
    if (performance.now() > deadline) {
      const { command: other, pid } = neighbour?.holder ?? { command, pid: process.pid };
      throw new AppError("data_dir_changes_hands", { command: other, pid });
    }
    await sleep(LOOK_INTERVAL_MS);
  }
}

function hold(door: Door, self: Holder): Occupancy {
  self.phase = "holding";
  return {
    held: true,
    async leave(closeDatabase) {
      self.phase = "leaving";
      await door.finishWork();
      await closeDatabase().finally(() => door.close());
    },
  };
}
