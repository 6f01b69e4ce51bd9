import { getAccountId } from "../access/accounts.ts";
import type { Deps } from "../deps.ts";
import { listNamedProjects, readProject, type FoundProject } from "./found.ts";

const describe = ({ name, url, urls, hooks, alerts }: FoundProject) => ({
  name,
  url,
  urls,
  hooks: hooks.map(({ name: hook, provider, repository, api }) => ({
    name: hook,
    provider,
    repository,
    api,
  })),
  alerts: alerts.map(({ name: alert, kind, on }) => ({ name: alert, kind, on })),
});

/**
 * What an account has, in the form that `applyFile` takes: without ids, secrets and where alerts go. Throws `account_not_found`,
 * `project_name_twice`.
 */
export async function exportAccount({ database: { sql } }: Deps, email: string) {
  const accountId = await getAccountId(sql, email);
  const projects = [];
  for (const project of await listNamedProjects(sql, accountId))
    projects.push(describe(await readProject(sql, project)));
  return { version: 1, account: email, projects };
}
