import type { Acceptance } from "../../../shared/acceptance.ts";
import type { Sql } from "../driver/sql.ts";
import { done, firstRow } from "../driver/rows.ts";

/** Null pages mean all pages. */
export type ProjectAcceptance = Omit<Acceptance, "pages"> & { pages: string[] | null };

/** Null means that there is no such condition. */
export interface ProjectGate {
  minScore: number | null;
  minCategory: Readonly<Record<string, number>> | null;
  require: readonly string[] | null;
  maxDrop: number | null;
  failOnNew: true | null;
  accept: readonly ProjectAcceptance[];
}

export const NO_GATE: ProjectGate = {
  minScore: null,
  minCategory: null,
  require: null,
  maxDrop: null,
  failOnNew: null,
  accept: [],
};

export const findGate = (sql: Sql, projectId: string) =>
  firstRow(sql.read<{ gate: ProjectGate | null }>`
    select gate from projects where id = ${projectId}`).then((project) => ({
    ...NO_GATE,
    ...project?.gate,
  }));

/** Requires a lock on the project, so that concurrent changes of its gate are not lost. */
export const updateGate = (sql: Sql, projectId: string, gate: ProjectGate) =>
  done(
    sql`update projects set gate = ${JSON.stringify(gate)}::text::jsonb where id = ${projectId}`,
  );
