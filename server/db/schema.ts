import { readdir, readFile } from "node:fs/promises";
import { AppError } from "../errors.ts";
import type { Sql } from "./sql.ts";

/** One file of `migrations/`, and what its comments say of it. */
export interface Migration {
  readonly version: number;
  readonly script: string;
  /** `-- serves programs from schema N on`: the oldest programs that work beside it; without it none but those that know it. */
  readonly servesFrom: number;
  /** `-- outside a transaction`: each statement is one of its own, and can be run again. */
  readonly isOutsideTransaction: boolean;
}

/** What a database says of itself; version 0 before its first migration. */
export interface Schema {
  readonly version: number;
  /** The oldest version whose programs it serves. */
  readonly servesFrom: number;
}

const MIGRATIONS = new URL("./migrations/", import.meta.url);
const SERVES_FROM = /^-- serves programs from schema (\d+) on$/m;
const OUTSIDE_TRANSACTION = /^-- outside a transaction$/m;

/** Every migration that this program knows, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith(".sql")).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const script = await readFile(new URL(name, MIGRATIONS), "utf8");
      const version = Number.parseInt(name, 10);
      return {
        version,
        script,
        servesFrom: Number(SERVES_FROM.exec(script)?.[1] ?? version),
        isOutsideTransaction: OUTSIDE_TRANSACTION.test(script),
      };
    }),
  );
}

export async function readSchema(sql: Sql): Promise<Schema> {
  const [table] = await sql<{ exists: boolean }>`
    select to_regclass('migrations') is not null as exists`;
  const nothing = { version: 0, servesFrom: 0 };
  if (!table?.exists) return nothing;
  // The column is missing where a program of schema 3 or before made the table: as JSON it is then null.
  const [schema] = await sql<Schema>`
    select coalesce(max(version), 0) as version,
      coalesce(max(coalesce((to_jsonb(migrations) ->> 'serves_from')::int, version)), 0) as serves_from
    from migrations`;
  return schema ?? nothing;
}

/** Throws `schema_too_new` for one that serves no program which knows `known`. */
export function requireServed({ version, servesFrom }: Schema, known: number): void {
  if (servesFrom <= known) return;
  throw new AppError("schema_too_new", { version, servesFrom, known });
}

/** Throws `schema_too_new` and `schema_too_old` for a schema that this program cannot work on. */
export async function requireSchema(sql: Sql): Promise<void> {
  const known = (await readMigrations()).at(-1)?.version ?? 0;
  const schema = await readSchema(sql);
  requireServed(schema, known);
  if (schema.version >= known) return;
  throw new AppError("schema_too_old", { version: schema.version, known });
}
