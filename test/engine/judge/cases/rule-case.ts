import type { FindingStatus } from "../../../../shared/check.ts";
import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";

export type Edit = (evidence: Evidence) => void;

/** One edit of the good evidence, and the status that one rule then has. */
export type RuleCase = readonly [id: string, status: FindingStatus, why: string, edit: Edit];

type Edits = Readonly<Record<string, Edit>>;

export const cases = (
  table: Readonly<Record<string, Partial<Record<FindingStatus, Edits>>>>,
): RuleCase[] =>
  Object.entries(table).flatMap(([id, statuses]) =>
    Object.entries(statuses).flatMap(([status, edits]) =>
      Object.entries(edits).map(([why, edit]): RuleCase => [
        id,
        status as FindingStatus,
        why,
        edit,
      ]),
    ),
  );

export const each = <T, E = Edit>(
  values: readonly T[],
  row: (value: T) => readonly [why: string, edit: E],
): Readonly<Record<string, E>> => Object.fromEntries(values.map(row));
