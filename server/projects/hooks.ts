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

/** Standard Webhooks 1.0. */
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
  /** Absent if the provider chooses the secret. */
  secret?: string;
}

/** GitLab accepts the form of Standard Webhooks too. */
function newSecret(provider: HookProvider): string {
  return factsOf(provider).signsByStandard
    ? `whsec_${randomBytes(32).toString("base64")}`
    : randomBase62(43);
}

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
 * An undefined `secret` generates one. With a null `secret`, the hook refuses everything until it gets a secret. Throws
 * `project_not_found`, `owner_only`, `too_many_hooks`, `input_invalid`, `secret_key_missing`.
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

export async function getHook(
  { database: { sql } }: { database: Pick<SharedTransaction, "sql"> },
  id: string,
): Promise<HookOfProject> {
  const hook = await findHook(sql, id);
  if (hook === undefined) throw new AppError("hook_not_found", { id });
  return hook;
}

/** `change` returns false if the hook was removed in the meantime. */
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
 * The previous secret stays valid for 24 hours, unless a former owner knows it. Throws `hook_not_found`, `project_not_found`, `owner_only`,
 * `input_invalid`, `secret_key_missing`.
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

/** Also removes the received events. Throws `hook_not_found`, `project_not_found`, `owner_only`. */
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

/** Limits tests because each one displaces an older delivery from the list. */
const TESTS: Bound = { name: "tests of hooks of an account", capacity: 30, seconds: 3600 };

export interface SignedTest {
  headers: Record<string, string>;
  body: string;
}

/** Throws `hook_not_found`, `project_not_found`, `owner_only`, `too_often`, `secret_key_missing`, `secret_key_wrong`. */
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
