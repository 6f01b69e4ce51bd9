import type { Sql } from "../db/driver/sql.ts";
import { findStatusPage, type StatusPage } from "../db/projects/status-pages.ts";

const PAGE_MS = 60_000;
const MISSING_MS = 5000;
/** A page with 20 URLs takes up to 0.5 MB. */
const MAX_PAGES = 500;
const MAX_MISSING = 10_000;

export interface KnownStatusPage {
  /** Undefined if no page has the name. */
  readonly page: StatusPage | undefined;
  /** The value of `performance.now()` at which the entry expires. */
  readonly endsAt: number;
}

/** Reads each page from the database at most once a minute. */
export interface StatusPages {
  find(name: string): KnownStatusPage | undefined;
  read(sql: Sql, name: string): Promise<KnownStatusPage>;
  forget(projectIdOrName: string): void;
}

export function createStatusPages(clock = () => performance.now()): StatusPages {
  const pages = new Map<string, KnownStatusPage>();
  const missing = new Map<string, KnownStatusPage>();
  /** Each running read has a set of the keys forgotten since it began, so that it does not store an outdated page. */
  const reading = new Set<Set<string>>();

  function keep(name: string, known: KnownStatusPage): void {
    const [cache, size] = known.page ? [pages, MAX_PAGES] : [missing, MAX_MISSING];
    cache.delete(name);
    cache.set(name, known);
    const [oldest] = cache.keys();
    if (cache.size > size && oldest !== undefined) cache.delete(oldest);
  }

  return {
    find(name) {
      const known = pages.get(name) ?? missing.get(name);
      if (known === undefined || known.endsAt <= clock()) return undefined;
      keep(name, known);
      return known;
    },
    async read(sql, name) {
      const forgotten = new Set<string>();
      const began = clock();
      reading.add(forgotten);
      const page = await findStatusPage(sql, name).finally(() => reading.delete(forgotten));
      const endsAt = began + (page ? PAGE_MS : MISSING_MS);
      const known = { page, endsAt };
      pages.delete(name);
      if (!forgotten.has(name) && !forgotten.has(page?.projectId ?? name)) keep(name, known);
      return known;
    },
    forget(what) {
      for (const forgotten of reading) forgotten.add(what);
      missing.delete(what);
      for (const [name, { page }] of pages)
        if (name === what || page?.projectId === what) pages.delete(name);
    },
  };
}
