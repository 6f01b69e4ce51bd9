import { fragment, type Fragment } from "./driver/fragment.ts";
import { countRows, firstValue } from "./driver/rows.ts";
import type { CleanUpStep } from "./retention.ts";

const MAX_ROWS = 100;

interface Deleted {
  table: Fragment;
  isDeleted: Fragment;
  reference: Fragment;
  /** Each table comes before the tables that its rows refer to. */
  parts: readonly (readonly [table: Fragment, mayGo: Fragment])[];
  isUnused: Fragment;
}

export function removeDeleted({
  table,
  isDeleted,
  reference,
  parts,
  isUnused,
}: Deleted): CleanUpStep {
  const isEmpty = parts.reduce(
    (condition, [part]) =>
      fragment`${condition} and not exists (select from ${part} where ${part}.${reference} = ${table}.id)`,
    isUnused,
  );
  return async (sql, cursor) => {
    const id = await firstValue(sql.read<{ id: string }>`
      select id from ${table} where ${isDeleted} and id >= ${cursor} order by id limit 1`);
    if (id === undefined) return null;
    for (const [part, mayGo] of parts) {
      // If another server is removing the same rows, this waits for it.
      const count = await countRows(sql`
        delete from ${part} where ctid = any(array(
          select ctid from ${part} where ${reference} = ${id} and ${mayGo} limit ${MAX_ROWS}::int for update
        )) returning 1 as one`);
      if (count === MAX_ROWS) return id;
    }
    await sql`delete from ${table} where id = ${id} and ${isDeleted} and ${isEmpty}`;
    return `${id} `;
  };
}
