import { SCAN_BOUNDS } from "../base/bounds.ts";

export interface Allowance {
  /** Uses one turn and returns 0; if none is left, returns the seconds until the next one. */
  take(key: string): number;
}

/** The period of a key begins with its first turn. Remembers only the `size` latest keys. */
export function createAllowance(
  limit: number,
  seconds: number,
  size: number,
  clock = () => performance.now() / 1000,
): Allowance {
  const known = new Map<string, { count: number; endsAt: number }>();
  return {
    take(key) {
      const now = clock();
      const found = known.get(key);
      const turns = found && found.endsAt > now ? found : { count: 0, endsAt: now + seconds };
      known.delete(key);
      known.set(key, turns);
      const [oldest] = known.keys();
      if (known.size > size && oldest !== undefined) known.delete(oldest);
      if (turns.count >= limit) return Math.ceil(turns.endsAt - now);
      turns.count++;
      return 0;
    },
  };
}

export interface ScanState {
  /** Resolves to true if the origin's robots.txt refuses scans. */
  readonly owners: Map<string, Promise<boolean>>;
  /** Limits the requests for robots.txt files, since refused scans count against no other limit. */
  readonly allowance: Allowance;
  /** Limits the lookups of host names, since refused scans count against no other limit. */
  readonly lookups: Allowance;
}

export const OWNERS_AN_HOUR = 2 * SCAN_BOUNDS.visitorDay;
export const NAMES_AN_HOUR = 300;
const VISITORS = 10_000;

export function createScanState(): ScanState {
  return {
    owners: new Map(),
    allowance: createAllowance(OWNERS_AN_HOUR, 3600, VISITORS),
    lookups: createAllowance(NAMES_AN_HOUR, 3600, VISITORS),
  };
}
