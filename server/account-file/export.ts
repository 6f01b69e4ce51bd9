import { isDeepStrictEqual } from "node:util";
import { getAccountId } from "../access/accounts.ts";
import { listAlerts, type Occasion } from "../db/alerts/alerts.ts";
import type { Language } from "../../shared/language.ts";
import { listNamedHooks, type NamedHook } from "../db/deployments/hooks.ts";
import type { Sql } from "../db/driver/sql.ts";
import { findGate, NO_GATE, type ProjectGate } from "../db/projects/gates.ts";
import { findPreviews, type Previews } from "../db/projects/previews.ts";
import { findStatusSettings, type StatusChoice } from "../db/projects/status-pages.ts";
import { listOwnProjects, type OwnProject } from "../db/projects/projects.ts";
import { listWatchedUrls } from "../db/watching/watched-urls.ts";
import { AppError } from "../base/errors.ts";
import type { StoreDeps } from "../deps.ts";

export interface FoundAlert {
  id: string;
  name: string;
  kind: string;
  on: readonly Occasion[];
  language: Language;
  after: number | null;
  remind: number | null;
}

export interface FoundProject extends OwnProject {
  /** The watched URLs, without the project's own URL. */
  urls: string[];
  gate: ProjectGate;
  previews: Pick<Previews, "hosts">;
  /** Includes the label of each shown URL. Null while the status page is off. */
  statusPage: (StatusChoice & { urls: Record<string, string> }) | null;
  hooks: NamedHook[];
  alerts: FoundAlert[];
}

const MAX_NAME_LENGTH = 60;

/** Names each row by its own name or its kind. Adds a number if an older row has the same name. */
function nameEach<Row extends { name: string }>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): Row[] {
  const taken = new Set(rows.map(({ name }) => name));
  const used = new Set<string>();
  const named = rows.map((row) => {
    const wanted = row.name || nameOf(row);
    let name = wanted;
    for (let count = 2; used.has(name) || (name !== row.name && taken.has(name)); count++)
      name = `${wanted.slice(0, MAX_NAME_LENGTH - 4)} ${count}`;
    used.add(name);
    return { ...row, name };
  });
  return named.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

export async function readProject(sql: Sql, project: OwnProject): Promise<FoundProject> {
  const { id, url } = project;
  const urls = await listWatchedUrls(sql, id);
  const hooks = await listNamedHooks(sql, id);
  const alerts = await listAlerts(sql, id);
  const { page = null, urls: shown = [] } = (await findStatusSettings(sql, id)) ?? {};
  return {
    ...project,
    gate: await findGate(sql, id),
    previews: await findPreviews(sql, id),
    statusPage: page && {
      ...page,
      urls: Object.fromEntries(shown.map(({ url: one, label }) => [one, label])),
    },
    urls: urls.filter((one) => one !== url).toSorted(),
    hooks: nameEach(hooks, ({ provider }) => provider),
    alerts: nameEach(
      alerts.map(({ label, ...alert }) => ({ ...alert, name: label })),
      ({ kind }) => kind,
    ),
  };
}

/** Throws `project_name_twice`, since a file identifies projects by name. */
export async function listNamedProjects(sql: Sql, accountId: string): Promise<OwnProject[]> {
  const projects = await listOwnProjects(sql, accountId);
  const twin = projects.find(({ name }, index) => projects[index + 1]?.name === name);
  if (twin) throw new AppError("project_name_twice", { name: twin.name });
  return projects;
}

const describe = ({ gate, previews, hooks, alerts, ...project }: FoundProject) => ({
  name: project.name,
  url: project.url,
  urls: project.urls,
  interval: project.interval,
  failures: project.failures,
  gate: isDeepStrictEqual(gate, NO_GATE) ? null : gate,
  previews: previews.hosts.length === 0 ? null : { hosts: previews.hosts },
  statusPage: project.statusPage,
  hooks: hooks.map(({ name, provider, repository, api }) => ({ name, provider, repository, api })),
  alerts: alerts.map(({ name, kind, on, after, remind, language }) => {
    return { name, kind, on, after, remind, language };
  }),
});

/** Leaves out ids, secrets and alert targets. Throws `account_not_found` and `project_name_twice`. */
export async function exportAccount({ database: { sql } }: StoreDeps, email: string) {
  const accountId = await getAccountId(sql, email);
  const projects = [];
  for (const project of await listNamedProjects(sql, accountId))
    projects.push(describe(await readProject(sql, project)));
  return { version: 1, account: email, projects };
}
