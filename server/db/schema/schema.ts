import { readdir, readFile } from "node:fs/promises";
import { AppError } from "../../base/errors.ts";
import type { Sql } from "../driver/sql.ts";

/** The files of this folder that begin with its number, in order. */
export interface Migration {
  readonly version: number;
  readonly script: string;
  /** From `-- serves programs from schema N on`. Without it, only programs that know this migration work. */
  readonly servesFrom: number;
  /** From `-- outside a transaction`: each statement can be repeated. */
  readonly isOutsideTransaction: boolean;
}

export interface Schema {
  readonly version: number;
  readonly servesFrom: number;
}

const FOLDER = new URL("./", import.meta.url);
const SERVES_FROM = /^-- serves programs from schema (\d+) on$/m;
const OUTSIDE_TRANSACTION = /^-- outside a transaction$/m;

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).toSorted();
  const scripts: string[] = [];
  for (const name of names) {
    const index = Number.parseInt(name, 10) - 1;
    scripts[index] = (scripts[index] ?? "") + (await readFile(new URL(name, FOLDER), "utf8"));
  }
  return scripts.map((script, index) => ({
    version: index + 1,
    script,
    servesFrom: Number(SERVES_FROM.exec(script)?.[1] ?? index + 1),
    isOutsideTransaction: OUTSIDE_TRANSACTION.test(script),
  }));
}

export const latestOf = (migrations: readonly Migration[]): number =>
  migrations.at(-1)?.version ?? 0;

/** Throws `schema_unreleased` for a database from before the first release, whose migrations have other numbers. */
export async function readSchema(sql: Sql): Promise<Schema> {
  const [found] = await sql.read<{ hasTable: boolean; isUnreleased: boolean }>`
    select to_regclass('migrations') is not null as has_table, exists (
      select from pg_attribute where attrelid = to_regclass('watched_urls') and attname = 'look_id'
    ) as is_unreleased`;
  if (found?.isUnreleased) throw new AppError("schema_unreleased", {});
  const nothing = { version: 0, servesFrom: 0 };
  if (!found?.hasTable) return nothing;
  const [schema] = await sql.read<Schema>`
    select coalesce(max(version), 0) as version, coalesce(max(serves_from), 0) as serves_from from migrations`;
  return schema ?? nothing;
}

export function requireServed({ version, servesFrom }: Schema, known: number): void {
  if (servesFrom <= known) return;
  throw new AppError("schema_too_new", { version, servesFrom, known });
}

export async function requireSchema(sql: Sql, migrations: readonly Migration[]): Promise<void> {
  const known = latestOf(migrations);
  const schema = await readSchema(sql);
  requireServed(schema, known);
  if (schema.version >= known) return;
  throw new AppError("schema_too_old", { version: schema.version, known });
}
