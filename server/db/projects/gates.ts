import type { Acceptance } from "../../../shared/acceptance.ts";
import type { Sql } from "../driver/sql.ts";
import { done, firstRow } from "../driver/rows.ts";

/** A finding that the owner of a project lives with: on these pages, or with null on all. */
export type ProjectAcceptance = Omit<Acceptance, "pages"> & { pages: string[] | null };

/** What a deployment of a project must meet; null for what is not asked. */
export interface ProjectGate {
  minScore: number | null;
  /** The least points, by categories. */
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

/** Only under a lock on the project, so that no other change of its gate is lost. */
export const updateGate = (sql: Sql, projectId: string, gate: ProjectGate) =>
  done(
    sql`update projects set gate = ${JSON.stringify(gate)}::text::jsonb where id = ${projectId}`,
  );
