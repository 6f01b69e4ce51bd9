import { storeLooks, type LookResult } from "../db/watching/look-results.ts";
import type { Deps, ProcessDeps } from "../deps.ts";
import { retryStatement } from "../checks/retry-statement.ts";
import { BATCH_MS, STORE_BATCH_MS } from "./look-times.ts";

export interface Results {
  /** Resolves to false and writes nothing if the claim was lost. Rejects if the database does not answer. */
  store(result: LookResult): Promise<boolean>;
}

interface Waiting {
  result: LookResult;
  readonly resolve: (isStored: boolean) => void;
  readonly reject: (error: unknown) => void;
}

const BATCH = 500;

export function createResults(deps: Deps): Results {
  const { database, config, metrics, stopping } = deps;
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function write(batch: readonly Waiting[]): Promise<void> {
    const results = batch.map(({ result }) => result);
    const ask = () => storeLooks(database.sql, results, intervalOf(config));
    try {
      const { stored, lost } = await retryStatement(ask, STORE_BATCH_MS, stopping);
      metrics.leasesLost.inc(lost);
      for (const { result, resolve } of batch) {
        if (stored.has(result.number)) countLook(deps, result);
        resolve(stored.has(result.number));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    void write(batch);
  }

  return {
    store(result) {
      return new Promise((resolve, reject) => {
        waiting.push({ result, resolve, reject });
        if (waiting.length >= BATCH) flush();
        else timer ??= setTimeout(flush, BATCH_MS);
      });
    },
  };
}

/** The seconds between two probes of a URL. If only rounds probe, the value does not matter. */
export const intervalOf = ({ cycleSeconds }: Deps["config"]): number => cycleSeconds || 300;

export function countLook(
  { metrics }: ProcessDeps,
  { outcome }: Pick<LookResult, "outcome">,
): void {
  metrics.looks.inc({ outcome });
  metrics.results.inc();
}
