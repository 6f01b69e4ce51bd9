import { once } from "node:events";
import { startServerProcess, type ServerProcess } from "../../test/harness/process.ts";

/** Several servers over one database, which are killed, stopped and started again. */
export interface Fleet {
  /** When which process was killed, by the name that its requests give. */
  readonly killed: ReadonlyMap<string, number>;
  /** When which process was continued after it had been stopped. */
  readonly continued: ReadonlyMap<string, number>;
  /** For how long each of these had been listening. */
  readonly livesMs: readonly number[];
  /** How long the slowest of the first servers took to start. */
  readonly startMs: number;
  /** What the log of a process says, by the name that its requests give. */
  readLog(name: string): string;
  /** Kills the server that has been listening the longest with -9 and starts it again, if at least so many are listening. */
  killOldest(least: number): void;
  /** Stops a server for a while with SIGSTOP. */
  stopOne(ms: number): Promise<void>;
  close(): Promise<void>;
}

interface Member {
  number: number;
  name: string;
  server: ServerProcess;
  listeningAt: number;
}

const PRELOAD = new URL("../../test/harness/clock.js", import.meta.url).href;

/** Starts so many servers; the clock of the second is `aheadSeconds` ahead. */
export async function startFleet(
  size: number,
  env: Record<string, string>,
  aheadSeconds = 0,
): Promise<Fleet> {
  const members = new Map<number, Member>();
  const killed = new Map<string, number>();
  const continued = new Map<string, number>();
  const logs = new Map<string, () => string>();
  const livesMs: number[] = [];
  const starting = new Set<Promise<void>>();
  let starts = 0;
  let isClosing = false;

  async function start(number: number): Promise<void> {
    const name = `server-${number}-${++starts}`;
    const server = await startServerProcess({
      ...env,
      SHIPSCORE_PUBLIC_URL: `http://${name}`,
      ...(number === 1 && aheadSeconds > 0
        ? { NODE_OPTIONS: `--import ${PRELOAD}`, CLOCK_AHEAD_SECONDS: String(aheadSeconds) }
        : {}),
    });
    logs.set(name, server.stdout);
    members.set(number, { number, name, server, listeningAt: performance.now() });
  }

  function restart(number: number): void {
    if (isClosing) return;
    const started = start(number).finally(() => starting.delete(started));
    starting.add(started);
  }

  const findOldest = () =>
    [...members.values()].toSorted((a, b) => a.listeningAt - b.listeningAt)[0];

  const beganAt = performance.now();
  await Promise.all(Array.from({ length: size }, (_, number) => start(number)));
  const startMs = performance.now() - beganAt;
  return {
    killed,
    continued,
    livesMs,
    startMs,
    readLog: (name) => logs.get(name)?.() ?? "",
    killOldest(least) {
      const oldest = findOldest();
      if (oldest === undefined || members.size < least) return;
      members.delete(oldest.number);
      killed.set(oldest.name, performance.now());
      livesMs.push(performance.now() - oldest.listeningAt);
      void once(oldest.server.child, "exit").then(() => restart(oldest.number));
      oldest.server.child.kill("SIGKILL");
    },
    async stopOne(ms) {
      const oldest = findOldest();
      oldest?.server.child.kill("SIGSTOP");
      await new Promise((resolve) => setTimeout(resolve, ms));
      oldest?.server.child.kill("SIGCONT");
      if (oldest) continued.set(oldest.name, performance.now());
    },
    async close() {
      isClosing = true;
      await Promise.all(starting);
      await Promise.all([...members.values()].map(({ server }) => server.end("SIGTERM")));
    },
  };
}
