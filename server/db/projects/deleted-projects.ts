import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Step } from "../retention.ts";
import type { Sql } from "../driver/sql.ts";

/**
 * Deletes a project for everybody: it has no owner, no badge, no status page, no people and no watched URL any more, so that a look that
 * is running changes nothing. What else there is of it is removed by `removeDeletedProjects`.
 */
export async function markProjectDeleted(sql: Sql, id: string): Promise<void> {
  await sql`update projects set owner_id = null, badge_id = null where id = ${id}`;
  await sql`delete from acts where project_id = ${id}`;
  await sql`delete from hand_overs where project_id = ${id}`;
  await sql`delete from invitations where project_id = ${id}`;
  await sql`delete from memberships where project_id = ${id}`;
  await sql`delete from status_pages where project_id = ${id}`;
  await sql`delete from watched_urls where project_id = ${id}`;
}

/** The tables with rows of projects, each before those that its rows refer to. */
export const TABLES_OF_PROJECTS = [
  fragment`acts`,
  fragment`hand_overs`,
  fragment`statuses`,
  fragment`answers`,
  fragment`hooks`,
  fragment`invitations`,
  fragment`memberships`,
  fragment`status_pages`,
  fragment`watched_urls`,
  fragment`scores`,
  fragment`messages`,
  fragment`alerts`,
  fragment`recipients`,
  fragment`incidents`,
  fragment`maintenance`,
  fragment`deployments`,
  fragment`checks`,
];

const MAX_ROWS = 100;

const isEmpty = TABLES_OF_PROJECTS.reduce(
  (condition, table) =>
    fragment`${condition} and not exists (select from ${table} where project_id = projects.id)`,
  fragment`true`,
);

/** Another server may be removing the same rows, which are then waited for. */
async function deleteRows(sql: Sql, table: Fragment, projectId: string): Promise<number> {
  const rows = await sql`
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where project_id = ${projectId} limit ${MAX_ROWS}::int for update
    )) returning project_id`;
  return rows.length;
}

/**
 * Removes rows of a deleted project, at most 100 a statement, and the project itself once none is left. The place is
 * the project's id.
 */
export const removeDeletedProjects: Step = async (sql, place) => {
  const [project] = await sql.read<{ id: string }>`
    select id from projects where owner_id is null and id >= ${place} order by id limit 1`;
  if (project === undefined) return null;
  const { id } = project;
  for (const table of TABLES_OF_PROJECTS)
    if ((await deleteRows(sql, table, id)) === MAX_ROWS) return id;
  await sql`delete from projects where id = ${id} and owner_id is null and ${isEmpty}`;
  return `${id} `;
};
