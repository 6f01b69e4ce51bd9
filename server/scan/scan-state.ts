import { SCAN_BOUNDS } from "../base/bounds.ts";

/** How often each key may act within a time. */
export interface Allowance {
  /** Takes one turn; if none is left, the seconds until there is one, and otherwise 0. */
  take(key: string): number;
}

/** Each key has `limit` turns in `seconds`, from its first on; the `size` latest keys are known. */
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

/** What all who ask this process for a scan share. */
export interface ScanState {
  /** The origins whose robots.txt is being read, and whether it refuses scans. */
  readonly owners: Map<string, Promise<boolean>>;
  /** Limits for how many origins a visitor may have robots.txt read: scans that are refused afterwards count for nobody. */
  readonly allowance: Allowance;
  /** How many host names a visitor may have looked up: scans that are refused for them count for nobody. */
  readonly lookups: Allowance;
}

/** Twice the scans that a visitor may start in a day. */
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
