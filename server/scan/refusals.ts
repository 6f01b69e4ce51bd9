import { AppError } from "../base/errors.ts";

/** A refusal that ends by itself. */
export type ScanRefusal = AppError<
  "scan_visitor_bound" | "scan_host_bound" | "scan_queue_full" | "scan_proof_needed"
>;

/** Refusals of this process that still hold, so that a flood is refused without asking the database each time. */
export interface Refusals {
  /** The refusal of one of these keys, with the time that is left of it. */
  find(keys: readonly string[]): ScanRefusal | undefined;
  remember(key: string, refusal: ScanRefusal, forMs: number): void;
}

function shorten({ code, parameters }: ScanRefusal, elapsedMs: number): ScanRefusal {
  const leftSeconds = Math.ceil(parameters.retryAfterSeconds - elapsedMs / 1000);
  return new AppError(code, { ...parameters, retryAfterSeconds: Math.max(1, leftSeconds) });
}

/** Keeps the latest `size` refusals. */
export function createRefusals(size: number): Refusals {
  const known = new Map<string, { refusal: ScanRefusal; at: number; forMs: number }>();

  function findOne(key: string): ScanRefusal | undefined {
    const one = known.get(key);
    const elapsedMs = performance.now() - (one?.at ?? 0);
    if (one && elapsedMs < one.forMs) return shorten(one.refusal, elapsedMs);
    known.delete(key);
    return undefined;
  }

  return {
    find: (keys) => keys.map(findOne).find((refusal) => refusal !== undefined),
    remember(key, refusal, forMs) {
      known.delete(key);
      known.set(key, { refusal, at: performance.now(), forMs });
      const [oldest] = known.keys();
      if (known.size > size && oldest !== undefined) known.delete(oldest);
    },
  };
}
