import { EventEmitter } from "node:events";
import { SCAN_BOUNDS } from "../base/bounds.ts";
import type { Sql } from "../db/driver/sql.ts";
import { createSemaphore, type Semaphore } from "../checks/semaphore.ts";
import { createAllowance, type Allowance } from "./allowance.ts";
import { createRefusals, type Refusals } from "./refusals.ts";
import { createReuse, type FindReusable } from "./reuse.ts";

/** What all who ask this process for a scan share. */
export interface ScanState {
  /** Apart from those of checks, which so never wait for them. */
  readonly vettings: Semaphore;
  /** One statement that starts a scan at a time: in the database they would wait for each other. */
  readonly starts: Semaphore;
  readonly refusals: Refusals;
  readonly findReusable: FindReusable;
  /** Who asks an owner mostly waits, and does not keep others from being vetted meanwhile. */
  readonly questions: Semaphore;
  /** The owners that are being asked, by origin, and what they will have said. */
  readonly owners: Map<string, Promise<string | null>>;
  /** How many owners a visitor may have asked: scans that are refused afterwards count for nobody. */
  readonly allowance: Allowance;
  /** How many host names a visitor may have looked up: scans that are refused for them count for nobody. */
  readonly lookups: Allowance;
  /** `waiting`: a scan was started here; `changed`: one that runs here has come a step further. */
  readonly news: EventEmitter<{ waiting: []; changed: [id: string] }>;
}

const VETTINGS = { total: 16, perKey: 4 };
const QUESTIONS = { total: 128, perKey: 4 };
/** Twice the scans that a visitor may start in a day. */
export const OWNERS_AN_HOUR = 2 * SCAN_BOUNDS.visitorDay;
export const NAMES_AN_HOUR = 300;
const VISITORS = 10_000;
const STARTS = { total: 1, perKey: 1 };
const REFUSALS = 10_000;

export function createScanState(sql: Sql, stopping: AbortSignal): ScanState {
  return {
    vettings: createSemaphore(VETTINGS, stopping),
    starts: createSemaphore(STARTS, stopping),
    refusals: createRefusals(REFUSALS),
    findReusable: createReuse(sql),
    questions: createSemaphore(QUESTIONS, stopping),
    owners: new Map(),
    allowance: createAllowance(OWNERS_AN_HOUR, 3600, VISITORS),
    lookups: createAllowance(NAMES_AN_HOUR, 3600, VISITORS),
    news: new EventEmitter<{ waiting: []; changed: [id: string] }>().setMaxListeners(0),
  };
}
