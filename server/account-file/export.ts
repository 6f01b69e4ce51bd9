import { isDeepStrictEqual } from "node:util";
import { getAccountId } from "../access/accounts.ts";
import { NO_GATE } from "../db/projects/gates.ts";
import type { StoreDeps } from "../deps.ts";
import { listNamedProjects, readProject, type FoundProject } from "./found.ts";

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

/**
 * What an account has, in the form that `applyFile` takes: without ids, secrets and where alerts go. Throws `account_not_found`,
 * `project_name_twice`.
 */
export async function exportAccount({ database: { sql } }: StoreDeps, email: string) {
  const accountId = await getAccountId(sql, email);
  const projects = [];
  for (const project of await listNamedProjects(sql, accountId))
    projects.push(describe(await readProject(sql, project)));
  return { version: 1, account: email, projects };
}
