/* Visits the site from a separate process: `visitor.ts KIND URL`. The parent sends the number of visits over IPC. */
import { readFileSync } from "node:fs";
import { createBareVisitor } from "./bare-visitor.ts";
import { createOwnVisitor } from "./own-visitor.ts";

/** Rejects on an unexpected result. */
export type VisitOnce = () => Promise<void>;

/** The cost of several visits. `wallMs` has one value per visit. The other times are totals, and the memory is that at the end. */
export interface Visits {
  wallMs: number[];
  elapsedMs: number;
  cpuMs: number;
  rssMb: number;
}

const [kind = "", url = ""] = process.argv.slice(2);
const authority = () => readFileSync(process.env["NODE_EXTRA_CA_CERTS"] ?? "", "utf8");
const KINDS: Record<string, () => VisitOnce | Promise<VisitOnce>> = {
  own: () => createOwnVisitor(url, authority()),
  bare: () => createBareVisitor(url, authority()),
};
const visit = await KINDS[kind]?.();

async function makeVisits(count: number, atOnce: number): Promise<Visits> {
  const wallMs: number[] = [];
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  let left = count;
  const visitRepeatedly = async (): Promise<void> => {
    while (left-- > 0) {
      const at = performance.now();
      await visit?.();
      wallMs.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, visitRepeatedly));
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    wallMs,
    elapsedMs: performance.now() - startedAt,
    cpuMs: (user + system) / 1000,
    rssMb: process.memoryUsage.rss() / 2 ** 20,
  };
}

process.on("message", ({ count, atOnce }: { count: number; atOnce: number }) =>
  makeVisits(count, atOnce).then(
    (visits) => process.send?.({ visits }),
    (error: unknown) => process.send?.({ error: String(error) }),
  ),
);
process.send?.({ ready: true });
