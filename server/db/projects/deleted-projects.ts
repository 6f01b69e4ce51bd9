import { fragment } from "../driver/fragment.ts";
import { removeDeleted } from "../removal.ts";
import type { Sql } from "../driver/sql.ts";

const ENDING = [
  fragment`hand_overs`,
  fragment`invitations`,
  fragment`memberships`,
  fragment`status_pages`,
  fragment`watched_urls`,
];

/** A running probe then changes nothing. `removeDeletedProjects` removes the rest later. */
export async function markProjectDeleted(sql: Sql, id: string): Promise<void> {
  await sql`update projects set owner_id = null, badge_id = null where id = ${id}`;
  for (const table of ENDING) await sql`delete from ${table} where project_id = ${id}`;
}

export const TABLES_OF_PROJECTS = [
  ...ENDING,
  fragment`statuses`,
  fragment`status_reporting`,
  fragment`hooks`,
  fragment`scores`,
  fragment`messages`,
  fragment`alerts`,
  fragment`recipients`,
  fragment`incidents`,
  fragment`maintenance`,
  fragment`deployments`,
  fragment`checks`,
];

export const removeDeletedProjects = removeDeleted({
  table: fragment`projects`,
  isDeleted: fragment`owner_id is null`,
  reference: fragment`project_id`,
  parts: TABLES_OF_PROJECTS.map((table) => [table, fragment`true`]),
  isUnused: fragment`true`,
});
