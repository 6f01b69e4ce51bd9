import { getAccountId } from "../access/accounts.ts";
import { AppError } from "../base/errors.ts";
import { OPERATOR, operatorFor } from "../db/accounts/actors.ts";
import { lockAccount } from "../db/accounts/tokens.ts";
import type { OwnProject } from "../db/projects/projects.ts";
import type { Deps, StoreDeps } from "../deps.ts";
import { createProject, deleteProject, editProject } from "../projects/projects.ts";
import { requireVerifiable } from "../projects/urls.ts";
import type { AccountFile, ProjectInFile } from "./file.ts";
import { listNamedProjects, readProject } from "./found.ts";
import { inOneTransaction, rememberVetted } from "./one-transaction.ts";
import { planProject, type PlanOptions } from "./plan.ts";
import type { Change, Step } from "./steps.ts";

/** A hook that does not answer the repository that a file names: only a credential makes it. */
export interface Unanswered {
  project: string;
  hook: string;
  id: string;
  repository: string;
}

export interface Applied {
  changes: Change[];
  unanswered: Unanswered[];
}

export interface ApplyOptions extends PlanOptions {
  /** True to say what would be done. */
  plan: boolean;
}

const changesOf = (steps: readonly Step[]) => steps.flatMap(({ changes }) => changes);

const ofProject = (action: "add" | "remove", name: string): Change => ({
  action,
  what: "project",
  project: name,
  name,
});

function addressOfNew({ name, url }: ProjectInFile): string {
  if (url !== undefined) return url;
  throw new AppError("input_invalid", { fault: "project_needs_url", value: name });
}

/**
 * Makes what an account has as a file says, one transaction a project. What is vetted first may refuse it all.
 * Throws `account_not_found`, `project_name_twice`, `input_invalid`, and what the verbs throw.
 */
export async function applyFile(
  deps: Deps,
  { account, projects }: AccountFile,
  { plan, ...options }: ApplyOptions,
): Promise<Applied> {
  const { sql } = deps.database;
  const accountId = await getAccountId(sql, account);
  const vetted = rememberVetted(deps);
  const own = new Map((await listNamedProjects(sql, accountId)).map((one) => [one.name, one]));

  async function planOne({ database }: StoreDeps, wanted: ProjectInFile, known?: OwnProject) {
    const found = known && (await readProject(database.sql, known));
    const steps = planProject(found, wanted, options);
    if (known) return steps;
    const url = addressOfNew(wanted);
    const vet = (asked: Deps) => requireVerifiable(asked, OPERATOR, url);
    const { interval, failures } = wanted;
    const pace = interval !== undefined || failures !== undefined;
    const run: Step["run"] = async (joined, id) =>
      pace && editProject(joined, OPERATOR, id, { interval, failures });
    return [{ changes: [ofProject("add", wanted.name)], vet, run }, ...steps];
  }

  /** Compares again under the lock, since somebody may have changed the project meanwhile. */
  const applyOne = (wanted: ProjectInFile) =>
    inOneTransaction(vetted, async (joined) => {
      await lockAccount(joined.database.sql, accountId);
      const { name } = wanted;
      const now = await listNamedProjects(joined.database.sql, accountId);
      const known = now.find((one) => one.name === name);
      const steps = await planOne(joined, wanted, known);
      const { id } =
        known ??
        (await createProject(joined, operatorFor(accountId), { name, url: addressOfNew(wanted) }));
      for (const step of steps) await step.run(joined, id);
      return changesOf(steps);
    });

  const gone = [...own.values()].filter(
    ({ name }) => options.prune && !projects.some((wanted) => wanted.name === name),
  );
  const planned: Step[][] = [];
  for (const wanted of projects) planned.push(await planOne(deps, wanted, own.get(wanted.name)));
  const removed = gone.map(({ name }) => ofProject("remove", name));
  if (plan) return { changes: [...removed, ...planned.flatMap(changesOf)], unanswered: [] };
  for (const { vet } of planned.flat()) await vet?.(vetted);
  for (const { id, name } of gone) await deleteProject(deps, OPERATOR, id, name);
  const done: Change[] = [];
  for (const [index, wanted] of projects.entries())
    if (planned[index]?.length) done.push(...(await applyOne(wanted)));
  const unanswered: Unanswered[] = [];
  for (const project of await listNamedProjects(sql, accountId)) {
    const { hooks: wanted = [] } = projects.find(({ name }) => name === project.name) ?? {};
    if (wanted.every(({ repository }) => !repository)) continue;
    for (const { id, name, repository: answered } of (await readProject(sql, project)).hooks) {
      const { repository } = wanted.find((hook) => hook.name === name) ?? {};
      if (repository && repository !== answered)
        unanswered.push({ project: project.name, hook: name, id, repository });
    }
  }
  return { changes: [...removed, ...done], unanswered };
}
