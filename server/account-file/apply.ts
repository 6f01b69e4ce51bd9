import { isDeepStrictEqual } from "node:util";
import { getAccountId } from "../access/accounts.ts";
import { AppError } from "../base/errors.ts";
import { OPERATOR, operatorFor } from "../db/accounts/actors.ts";
import { lockAccount } from "../db/accounts/tokens.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { OwnProject } from "../db/projects/projects.ts";
import type { Deps } from "../deps.ts";
import { createProject, deleteProject, editProject } from "../projects/projects.ts";
import type { SharedTransaction } from "../projects/rights.ts";
import { requireVerifiable } from "../projects/urls.ts";
import type { AccountFile, ProjectInFile } from "./file.ts";
import { listNamedProjects, readProject } from "./export.ts";
import { planProject, type Change, type PlanOptions, type Step } from "./plan.ts";

/** The file turns on status reporting for this hook, but the hook has no credential for the repository. */
export interface HookWithoutCredential {
  project: string;
  hook: string;
  id: string;
  repository: string;
}

export interface Applied {
  changes: Change[];
  withoutCredential: HookWithoutCredential[];
}

export interface ApplyOptions extends PlanOptions {
  /** True to return the changes without making them. */
  plan: boolean;
}

const changesOf = (steps: readonly Step[]) => steps.flatMap(({ changes }) => changes);

const ofProject = (action: "add" | "remove", name: string): Change => ({
  action,
  what: "project",
  project: name,
  name,
});

function addressOf({ name, url }: ProjectInFile, known?: OwnProject): string {
  if (url !== undefined) return url;
  if (known) return known.url;
  throw new AppError("input_invalid", { fault: "project_needs_url", value: name });
}

function planNewProject(wanted: ProjectInFile): Step {
  const { name, interval, failures } = wanted;
  const url = addressOf(wanted);
  return {
    changes: [ofProject("add", name)],
    vet: (deps) => requireVerifiable(deps, OPERATOR, url),
    run: async (deps, id, shared) =>
      (interval !== undefined || failures !== undefined) &&
      editProject(deps, OPERATOR, id, { interval, failures }, shared),
  };
}

/**
 * Uses one transaction per project. Vets everything before the first change. Throws `account_not_found`, `project_name_twice`,
 * `input_invalid`, and the errors of the steps.
 */
export async function applyFile(
  deps: Deps,
  { account, projects }: AccountFile,
  { plan, ...options }: ApplyOptions,
): Promise<Applied> {
  const { sql } = deps.database;
  const accountId = await getAccountId(sql, account);

  async function planOne(on: Sql, wanted: ProjectInFile) {
    const known = (await listNamedProjects(on, accountId)).find(({ name }) => name === wanted.name);
    const found = known && (await readProject(on, known));
    const steps = planProject(found, wanted, options);
    return { known, steps: known ? steps : [planNewProject(wanted), ...steps] };
  }

  /** Undefined if the project was changed in the meantime. */
  async function runSteps(wanted: ProjectInFile, steps: Step[]): Promise<Change[] | undefined> {
    const afterCommit: SharedTransaction["afterCommit"] = [];
    const changes = changesOf(steps);
    const isDone = await deps.database.begin(async (transaction) => {
      // The transaction can run twice.
      afterCommit.length = 0;
      const shared = { sql: transaction, afterCommit };
      await lockAccount(transaction, accountId);
      const { known, steps: needed } = await planOne(transaction, wanted);
      if (!isDeepStrictEqual(changesOf(needed), changes)) return false;
      const project = { name: wanted.name, url: addressOf(wanted, known) };
      const { id } =
        known ?? (await createProject(deps, operatorFor(accountId), project, undefined, shared));
      for (const step of steps) await step.run(deps, id, shared);
      return true;
    });
    for (const run of afterCommit) await run();
    return isDone ? changes : undefined;
  }

  const vetAll = async (steps: readonly Step[]) => {
    for (const { vet } of steps) await vet?.(deps);
  };
  const gone = (await listNamedProjects(sql, accountId)).filter(
    ({ name }) => options.prune && !projects.some((wanted) => wanted.name === name),
  );
  const planned: Step[][] = [];
  for (const wanted of projects) planned.push((await planOne(sql, wanted)).steps);
  const removed = gone.map(({ name }) => ofProject("remove", name));
  if (plan) return { changes: [...removed, ...planned.flatMap(changesOf)], withoutCredential: [] };
  await vetAll(planned.flat());
  for (const { id, name } of gone) await deleteProject(deps, OPERATOR, id, name);
  const done: Change[] = [];
  for (const [index, wanted] of projects.entries()) {
    let steps = planned[index] ?? [];
    if (steps.length === 0) continue;
    let changes = await runSteps(wanted, steps);
    while (changes === undefined) {
      ({ steps } = await planOne(sql, wanted));
      await vetAll(steps);
      changes = await runSteps(wanted, steps);
    }
    done.push(...changes);
  }
  const withoutCredential: HookWithoutCredential[] = [];
  for (const project of await listNamedProjects(sql, accountId)) {
    const { hooks: wanted = [] } = projects.find(({ name }) => name === project.name) ?? {};
    if (wanted.every(({ repository }) => !repository)) continue;
    for (const { id, name, repository: answered } of (await readProject(sql, project)).hooks) {
      const { repository } = wanted.find((hook) => hook.name === name) ?? {};
      if (repository && repository !== answered)
        withoutCredential.push({ project: project.name, hook: name, id, repository });
    }
  }
  return { changes: [...removed, ...done], withoutCredential };
}
