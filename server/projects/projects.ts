import * as z from "zod";
import { Name } from "../access/name.ts";
import type { ForAccount, Manager } from "../db/accounts/actors.ts";
import { takeOrRefuse, type Bound } from "../db/checks/buckets.ts";
import { markProjectDeleted } from "../db/projects/deleted-projects.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { idOf, newId } from "../db/id.ts";
import {
  updatePace,
  updateProjectAddress,
  updateProjectName,
} from "../db/projects/project-settings.ts";
import { countOwnProjects, insertProject } from "../db/projects/projects.ts";
import { findActorsProject, type ActorsProject } from "../db/projects/roles.ts";
import type { Sql } from "../db/driver/sql.ts";
import { lockAccount } from "../db/accounts/tokens.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { fault } from "../base/input-faults.ts";
import { oneLine } from "../base/syntax/text.ts";
import { changeProject, requireRight, type SharedTransaction } from "./rights.ts";
import { requireVerifiable } from "./urls.ts";
import { requireRoomForUrls } from "./watching.ts";

export const MAX_PROJECTS = 100;
export const PROJECTS_A_DAY = 100;
const NEW_PROJECTS: Bound = {
  name: "new projects of an account",
  capacity: PROJECTS_A_DAY,
  seconds: 86_400,
};

export const NewProject = z.object({ name: Name, url: z.string().trim() });
export type NewProject = z.infer<typeof NewProject>;

/**
 * `form` is an id: a form that is sent twice creates only one project. Throws `url_refused`, `too_often`, `busy`, `too_many_projects`,
 * `too_many_account_urls`.
 */
export async function createProject(
  deps: Deps,
  actor: ForAccount<Manager>,
  { name, url }: NewProject,
  form?: string,
  shared?: SharedTransaction,
): Promise<NewProject & { id: string }> {
  if (!shared) await requireVerifiable(deps, actor, url);
  const { accountId } = actor;
  const ids = [...(form === undefined ? [] : [idOf("prj", `${accountId} ${form}`)]), newId("prj")];
  const create = async (sql: Sql) => {
    await lockAccount(sql, accountId);
    const twin = await findActorsProject(sql, actor, ids[0] ?? "");
    if (twin?.name === name && twin.url === url) return { id: twin.id, name, url };
    if ((await countOwnProjects(sql, accountId)) >= MAX_PROJECTS)
      throw new AppError("too_many_projects", { limit: MAX_PROJECTS });
    await requireRoomForUrls(sql, accountId, 1);
    if (actor.by !== "operator")
      await takeOrRefuse(sql, { bound: NEW_PROJECTS, subject: accountId });
    const id = await insertWithFreeId(sql, ids, { ownerId: accountId, name, url });
    await insertEvent(sql, actor, { action: "project.created", projectId: id });
    return { id, name, url };
  };
  return shared ? create(shared.sql) : deps.database.begin(create);
}

async function insertWithFreeId(
  sql: Sql,
  ids: readonly string[],
  project: NewProject & { ownerId: string },
): Promise<string> {
  for (const id of ids) if (await insertProject(sql, { id, ...project })) return id;
  throw new Error("No id was free.");
}

const INTERVAL_INVALID = fault("interval_invalid");
const FAILURES_INVALID = fault("failures_invalid");

/** Seconds between two probes; null for the server's default. */
const Interval = z.union(
  [
    z.null(),
    z.literal("none").transform(() => null),
    z.coerce
      .number(INTERVAL_INVALID)
      .int(INTERVAL_INVALID)
      .min(1, INTERVAL_INVALID)
      .max(3600, INTERVAL_INVALID),
  ],
  INTERVAL_INVALID,
);

/**
 * Omitted fields do not change. `failures` is the number of consecutive failed probes that open an incident. `oneLocation` is true if
 * failures from a single location are enough.
 */
export const ProjectEdit = NewProject.partial().extend({
  interval: Interval.optional(),
  failures: z.coerce
    .number(FAILURES_INVALID)
    .int(FAILURES_INVALID)
    .min(2, FAILURES_INVALID)
    .max(5, FAILURES_INVALID)
    .optional(),
  oneLocation: z
    .enum(["on", "off"], fault("on_or_off"))
    .transform((word) => word === "on")
    .optional(),
});
export type ProjectEdit = z.infer<typeof ProjectEdit>;

/**
 * The old URL is no longer watched; a new URL has no history, unless it was watched before. Throws `project_not_found`, `owner_only`,
 * `interval_too_short`, `url_refused`, `too_often`, `busy`.
 */
export async function editProject(
  deps: Deps,
  actor: Manager,
  projectId: string,
  { name, url, interval, failures, oneLocation }: ProjectEdit,
  shared?: SharedTransaction,
): Promise<void> {
  const { cycleSeconds, leastSeconds } = deps.config;
  const found = await findActorsProject(shared?.sql ?? deps.database.sql, actor, projectId);
  const before = requireRight(found, "change", { projectId });
  const isSame = interval === before.intervalSeconds;
  if (typeof interval === "number" && interval < leastSeconds && !isSame)
    throw new AppError("interval_too_short", { least: leastSeconds });
  if (url !== undefined && url !== before.url && !shared) await requireVerifiable(deps, actor, url);
  const change = async (sql: Sql, project: ActorsProject) => {
    const isMoved = url !== undefined && url !== project.url;
    if (name !== undefined && name !== project.name) {
      await updateProjectName(sql, projectId, name);
      await insertEvent(sql, actor, { action: "project.renamed", projectId });
    }
    if ([interval, failures, oneLocation].some((value) => value !== undefined)) {
      await updatePace(
        sql,
        projectId,
        { intervalSeconds: interval, failures, oneLocation },
        cycleSeconds || 300,
      );
      await insertEvent(sql, actor, { action: "project.pace_changed", projectId });
    }
    if (isMoved) {
      await updateProjectAddress(sql, projectId, url);
      await insertEvent(sql, actor, { action: "project.address_changed", projectId });
    }
  };
  await changeProject(deps, actor, "change", projectId, change, shared);
}

/** Normalizes accents, which keyboards type in different ways. */
const foldText = (text: string) => oneLine(text, Infinity).normalize();

export const isNameOf = ({ name }: { name: string }, typed: string): boolean =>
  foldText(typed) === foldText(name);

/** Throws `project_not_found`, `owner_only`, `project_name_wrong`. */
export const deleteProject = (deps: Deps, actor: Manager, projectId: string, name: string) =>
  changeProject(deps, actor, "delete", projectId, async (sql, project) => {
    if (!isNameOf(project, name)) throw new AppError("project_name_wrong", { projectId });
    await markProjectDeleted(sql, projectId);
    await insertEvent(sql, actor, { action: "project.deleted", projectId });
  });
