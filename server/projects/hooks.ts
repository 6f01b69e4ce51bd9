import { createHmac, randomBytes } from "node:crypto";
import * as z from "zod";
import type { ForAccount, Manager } from "../db/accounts/actors.ts";
import { takeOrRefuse, type Bound } from "../db/checks/buckets.ts";
import { insertEvent } from "../db/accounts/events.ts";
import {
  type HookOfProject,
  deleteHook,
  findHook,
  findOpenHook,
  insertHook,
  replaceHookSecret,
} from "../db/deployments/hooks.ts";
import { newId, randomBase62 } from "../db/id.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { fault } from "../base/input-faults.ts";
import { factsOf, HOOK_PROVIDERS, type HookProvider, readHookKey } from "../base/hook-providers.ts";
import { changeProject, type SharedTransaction } from "./rights.ts";

/** A signature of Standard Webhooks 1.0: an HMAC over a delivery's id, its time in whole seconds and its body. */
export function signStandard(
  key: Buffer,
  { id, seconds, body }: { id: string; seconds: string; body: string | Buffer },
): string {
  const code = createHmac("sha256", key).update(`${id}.${seconds}.`).update(body);
  return `v1,${code.digest("base64")}`;
}

export const MAX_HOOKS = 20;

export const HookProviderName = z.enum(HOOK_PROVIDERS, fault("provider_unknown"));

export const HookSecret = z
  .string()
  .trim()
  .regex(/^[!-~]{1,500}$/, fault("hook_secret_invalid"))
  .optional();

export interface NewHook {
  id: string;
  url: string;
  /** Absent if the provider chose it, or is to choose it. */
  secret?: string;
}

/** Secrets of hooks signed by Standard Webhooks have its form, which GitLab takes as well. */
function newSecret(provider: HookProvider): string {
  return factsOf(provider).signsByStandard
    ? `whsec_${randomBytes(32).toString("base64")}`
    : randomBase62(43);
}

/** The secret to be kept, and the part of the answer that shows it. */
function chooseSecret(provider: HookProvider, given: string | undefined) {
  if (given === undefined) {
    const secret = newSecret(provider);
    return { secret, shown: { secret } };
  }
  if (readHookKey(provider, given) === undefined)
    throw new AppError("input_invalid", { fault: "hook_secret_invalid", value: "" });
  return { secret: given, shown: {} };
}

const urlOf = (deps: Deps, id: string) => new URL(`/hooks/${id}`, deps.site.origin).href;

/**
 * Adds a hook to a project, with a new secret or the provider's; with null it refuses everything until it is given one. Throws `project_not_found`, `owner_only`,
 * `too_many_hooks`, `input_invalid`, `secret_key_missing`.
 */
export async function addHook(
  deps: Deps,
  actor: Manager,
  projectId: string,
  {
    provider,
    secret: given,
    name = "",
  }: { provider: HookProvider; secret?: string | null | undefined; name?: string },
  shared?: SharedTransaction,
): Promise<NewHook> {
  const { secret, shown } =
    given === null ? { secret: null, shown: {} } : chooseSecret(provider, given);
  const id = newId("hook");
  const add = async (sql: Sql) => {
    const sealed = secret === null ? null : deps.secretBox.seal(secret, id);
    const hook = { id, projectId, provider, name, secret: sealed };
    if (!(await insertHook(sql, hook, MAX_HOOKS)))
      throw new AppError("too_many_hooks", { projectId, limit: MAX_HOOKS });
    await insertEvent(sql, actor, { action: "hook.added", projectId, details: { hookId: id } });
  };
  await changeProject(deps, actor, "change", projectId, add, shared);
  return { id, url: urlOf(deps, id), ...shown };
}

/** Throws `hook_not_found`. */
export async function getHook(
  { database: { sql } }: { database: Pick<SharedTransaction, "sql"> },
  id: string,
): Promise<HookOfProject> {
  const hook = await findHook(sql, id);
  if (hook === undefined) throw new AppError("hook_not_found", { id });
  return hook;
}

/** As `changeProject` of the hook's project; `change` returns false if the hook is gone meanwhile. */
const changeHook = (
  deps: Deps,
  actor: Manager,
  { id, projectId }: HookOfProject,
  change: (sql: Sql) => Promise<boolean>,
  shared?: SharedTransaction,
) => {
  const changeOrRefuse = async (sql: Sql) => {
    if (!(await change(sql))) throw new AppError("hook_not_found", { id });
  };
  return changeProject(deps, actor, "change", projectId, changeOrRefuse, shared);
};

/**
 * Gives a hook another secret; the one before it is good for another 24 hours, unless it is a former owner's. Throws `hook_not_found`,
 * `project_not_found`, `owner_only`, `input_invalid`, `secret_key_missing`.
 */
export async function rotateHook(
  deps: Deps,
  actor: Manager,
  id: string,
  given?: string,
): Promise<NewHook> {
  const hook = await getHook(deps, id);
  const { projectId, provider } = hook;
  const { secret, shown } = chooseSecret(provider, given);
  await changeHook(deps, actor, hook, async (sql) => {
    await insertEvent(sql, actor, { action: "hook.rotated", projectId, details: { hookId: id } });
    return replaceHookSecret(sql, id, deps.secretBox.seal(secret, id));
  });
  return { id, url: urlOf(deps, id), ...shown };
}

/** Removes a hook with what it received. Throws `hook_not_found`, `project_not_found`, `owner_only`. */
export async function removeHook(
  deps: Deps,
  actor: Manager,
  id: string,
  shared?: SharedTransaction,
): Promise<void> {
  const hook = await getHook({ database: shared ?? deps.database }, id);
  const { projectId } = hook;
  const remove = async (sql: Sql) => {
    await insertEvent(sql, actor, { action: "hook.removed", projectId, details: { hookId: id } });
    return deleteHook(sql, id);
  };
  await changeHook(deps, actor, hook, remove, shared);
}

/** Each takes the place of an older delivery. */
const TESTS: Bound = { name: "tests of hooks of an account", capacity: 30, seconds: 3600 };

/** A request to a hook, signed with its secret. */
export interface SignedTest {
  headers: Record<string, string>;
  body: string;
}

/**
 * Makes a test of a hook of the plain form, which is to be sent to it as an event is. Throws `hook_not_found`,
 * `project_not_found`, `owner_only`, `too_often`, `secret_key_missing`, `secret_key_wrong`.
 */
export async function signTest(
  deps: Deps,
  actor: ForAccount<Manager>,
  hookId: string,
): Promise<SignedTest> {
  const hook = await getHook(deps, hookId);
  return changeProject(deps, actor, "change", hook.projectId, async (sql) => {
    await takeOrRefuse(sql, { bound: TESTS, subject: actor.accountId });
    const open = await findOpenHook(sql, hookId);
    if (open?.provider !== "plain" || open.secret === null)
      throw new AppError("hook_not_found", { id: hookId });
    const key = readHookKey("plain", deps.secretBox.open(open.secret, hookId)) ?? Buffer.alloc(0);
    const body = JSON.stringify({ type: "test" });
    const signed = {
      id: newId("msg"),
      seconds: String(Math.floor(open.now.getTime() / 1000)),
      body,
    };
    const headers = {
      "webhook-id": signed.id,
      "webhook-timestamp": signed.seconds,
      "webhook-signature": signStandard(key, signed),
    };
    return { headers, body };
  });
}
