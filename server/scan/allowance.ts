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
