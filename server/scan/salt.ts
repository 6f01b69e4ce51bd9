import { createHmac, randomBytes } from "node:crypto";
import { findSalts } from "../db/scans/scans.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";

const SALT_BYTES = 32;
const DAY_MS = 86_400_000;
/** The cache lifetime is short, because `performance.now()` stands still while a machine sleeps. */
const MAX_AGE_MS = 600_000;

export interface DaySalts {
  today: Buffer;
  yesterday: Buffer | undefined;
  /** Milliseconds since 1970, by the database's clock. */
  now: () => number;
}

export interface Salts {
  find(): Promise<DaySalts>;
}

/** @param clock milliseconds from any start; tests have shorter days */
export function createSalts(sql: Sql, clock = () => performance.now()): Salts {
  let known: { salts: DaySalts; endsAt: number } | undefined;
  let reading: Promise<DaySalts> | undefined;

  async function read(): Promise<DaySalts> {
    const { today, yesterday, readAt } = await findSalts(sql, randomBytes(SALT_BYTES));
    const offset = readAt.getTime() - clock();
    const leftMs = DAY_MS - (readAt.getTime() % DAY_MS);
    const salts = { today, yesterday: yesterday ?? undefined, now: () => clock() + offset };
    known = { salts, endsAt: clock() + Math.min(leftMs, MAX_AGE_MS) };
    return salts;
  }

  return {
    async find() {
      if (known && clock() < known.endsAt) return known.salts;
      reading ??= read().finally(() => (reading = undefined));
      return reading;
    },
  };
}

/** After two days nobody can derive the address from these hashes. */
export interface VisitorHashes {
  today: string;
  /** The hashes to search for: today's, and the one stored yesterday. */
  recent: readonly string[];
}

const hash = (salt: Buffer, visitor: string) =>
  createHmac("sha256", salt).update(`visitor ${visitor}`).digest("hex");

/** @param visitor as `findVisitor` returns it */
export async function hashVisitor(
  { salts }: Pick<Deps, "salts">,
  visitor: string,
): Promise<VisitorHashes> {
  const { today, yesterday } = await salts.find();
  const [first, ...rest] = [today, ...(yesterday ? [yesterday] : [])].map((salt) =>
    hash(salt, visitor),
  );
  return { today: first ?? "", recent: [first ?? "", ...rest] };
}
