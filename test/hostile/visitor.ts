import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Evidence } from "../../server/engine/evidence/evidence.ts";
import type { CheckResult } from "../../shared/check.ts";
import { getAuthority } from "../harness/site.ts";
import { type Neighbour, startNeighbour } from "./neighbour.ts";

const ENTRY = fileURLToPath(new URL("visitor-process.ts", import.meta.url));

/** What to visit, and what a name leads to; without names or a name server no name leads anywhere. */
export interface Trip {
  url: string;
  headers?: Record<string, string>;
  names?: Record<string, readonly string[]>;
  /** `address:port` */
  dnsServer?: string;
  /** Stands in for port 80. */
  httpPort?: number;
}

export interface Order extends Trip {
  number: number;
  roots: readonly string[];
}

/** A check and its score, and what they cost the process that made them. */
export interface Report {
  evidence: Evidence;
  result: CheckResult;
  /** Without the time in which a busy machine did not let it run. */
  durationMs: number;
  /** By how much its memory grew at most, since it last was idle. */
  grownBytes: number;
  /** Sockets and the like that it did not let go of. */
  leftOpen: string;
}

/** The real probe, rules and score in a process of their own. */
export interface Visitor {
  visit(trip: Trip): Promise<Report>;
  neighbour: Neighbour;
  close(): Promise<void>;
}

export async function startVisitor(): Promise<Visitor> {
  const child = fork(ENTRY, {
    execArgv: ["--import", "tsx", "--expose-gc", "--max-semi-space-size=2"],
  });
  const roots = [(await getAuthority()).certificate];
  const waiting = new Map<number, (answer: Report & { fault?: string }) => void>();
  child.on("message", (answer: Report & { number: number }) =>
    waiting.get(answer.number)?.(answer),
  );
  let count = 0;
  const visitor: Omit<Visitor, "neighbour"> = {
    async visit(trip) {
      const number = count++;
      const answered = new Promise<Report & { fault?: string }>((resolve, reject) => {
        waiting.set(number, resolve);
        child.once("exit", (code) => reject(new Error(`the visitor's process ended with ${code}`)));
      });
      child.setMaxListeners(0);
      child.send({ ...trip, number, roots });
      const report = await answered;
      if (report.fault) throw new Error(report.fault);
      return report;
    },
    async close() {
      if (child.exitCode !== null) return;
      child.disconnect();
      child.kill();
      await once(child, "exit");
    },
  };
  const neighbour = await startNeighbour(visitor);
  return {
    ...visitor,
    neighbour,
    close: async () => void (await Promise.all([visitor.close(), neighbour.close()])),
  };
}
