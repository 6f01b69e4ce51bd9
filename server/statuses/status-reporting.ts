import * as z from "zod";
import { describeDeliveryError } from "../alerts/sender.ts";
import { AppError } from "../base/errors.ts";
import { fault, type InputFault } from "../base/input-faults.ts";
import type { Text } from "../../shared/language.ts";
import { findUrl } from "../base/syntax/url.ts";
import type { Manager } from "../db/accounts/actors.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { takeOrRefuse, type Bound } from "../db/checks/buckets.ts";
import {
  deleteStatusReporting,
  upsertStatusReporting,
  type StatusReporting,
} from "../db/deployments/status-reporting.ts";
import { findHook, type HookOfProject } from "../db/deployments/hooks.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps, ProcessDeps } from "../deps.ts";
import { openDeadline } from "../engine/net/deadline.ts";
import { getHook } from "../projects/hooks.ts";
import { changeProject, requireRightTo } from "../projects/rights.ts";
import { CHECKING } from "../projects/commit-statuses.ts";
import { findAppKey, findToken } from "./app-token.ts";
import { callProvider, describeAnswer, isStatusHost, type ProviderAnswer } from "./calls.ts";
import { buildCommentRequest, mayComment } from "./comments.ts";
import { buildStatusRequest, getProvider, STATUS_PROVIDERS } from "./providers.ts";
import { ownerOf } from "./sending.ts";

const Id = z
  .string()
  .trim()
  .regex(/^[\w.-]{1,50}$/, fault("reporting_app_invalid"));
const trimmed = z.string().trim();

const SHAPE = {
  repository: trimmed,
  api: trimmed.transform((text) => text || undefined).optional(),
  context: trimmed
    .regex(/^\P{Cc}{0,100}$/u, fault("reporting_context_invalid"))
    .transform((text) => text || undefined)
    .optional(),
  token: trimmed.regex(/^[!-~]{1,500}$/, fault("reporting_token_invalid")).optional(),
  comment: z.boolean().optional(),
  app: Id.optional(),
  installation: Id.optional(),
  key: trimmed
    .refine((pem) => findAppKey(pem) !== undefined, fault("reporting_key_invalid"))
    .optional(),
};

/** `api` is the URL of a self-hosted provider. The credential is a token, or an app's PEM key with the two ids. */
export const WantedReporting = z
  .object(SHAPE)
  .refine(hasOneCredential, fault("reporting_credential"));
export type WantedReporting = z.infer<typeof WantedReporting>;

/** The input of the operator's command. */
export const TypedReporting = z
  .object({
    ...SHAPE,
    repository: trimmed.optional(),
    hook: z.string(),
    off: z.boolean().default(false),
    tokenStdin: z.boolean().optional(),
    keyStdin: z.boolean().optional(),
  })
  .refine(
    ({ off, repository, token, key, tokenStdin, keyStdin, ...rest }) =>
      off
        ? (repository ?? token ?? key ?? rest.comment ?? rest.app ?? rest.installation) ===
          undefined
        : repository !== undefined &&
          !(tokenStdin && keyStdin) &&
          hasOneCredential({ token, key, ...rest }),
    fault("reporting_credential"),
  );

type Credentials = Partial<Record<"token" | "app" | "installation" | "key", string | undefined>>;

function hasOneCredential({ token, ...ofApp }: Credentials): boolean {
  const { app, installation, key } = ofApp;
  const given = [app, installation, key].filter((one) => one !== undefined).length;
  return given === (token === undefined ? 3 : 0);
}

const refuseInput = (what: InputFault, value = "") =>
  new AppError("input_invalid", { fault: what, value });

/** Each test sends requests to another machine. */
const CREDENTIAL_TESTS: Bound = {
  name: "credentials tried of an account",
  capacity: 30,
  seconds: 3600,
};
const MAX_WAIT_MS = 5000;
const TEST_MS = 20_000;
const NO_COMMIT = "0".repeat(40);

function readApi({ config }: ProcessDeps, typed: string): URL {
  const url = findUrl(typed);
  const isPlain =
    url?.protocol === "https:" && `${url.username}${url.password}${url.search}${url.hash}` === "";
  if (url === undefined || !isPlain) throw refuseInput("reporting_api_invalid", typed);
  if (!isStatusHost(config, url)) throw new AppError("status_host_refused", { host: url.host });
  return url;
}

/**
 * Tests the credential with a commit that does not exist. Returns undefined if it may write, otherwise the answer and the secrets that the
 * answer may repeat.
 */
async function testCredential(
  deps: Deps,
  { provider }: HookOfProject,
  reporting: Omit<StatusReporting, "secret">,
  secret: string,
): Promise<{ answer: ProviderAnswer; secrets: readonly string[] } | undefined> {
  const { signal, clear } = openDeadline(deps.stopping, TEST_MS);
  const secrets = [secret];
  try {
    const found = await findToken(deps, reporting, secret, signal);
    if ("failure" in found && found.failure === "key") throw refuseInput("reporting_key_invalid");
    if (!("token" in found)) return { answer: found, secrets };
    secrets.push(found.token);
    const context = reporting.context ?? "shipscore/production";
    const status = { commit: NO_COMMIT, context, ...CHECKING, target: null };
    const api = getProvider(provider);
    const tests = [
      {
        request: buildStatusRequest(api, reporting, found.token, status),
        mayWrite: api.mayWrite,
      },
      {
        request: buildCommentRequest(api, reporting, found.token, [0, "shipscore"]),
        mayWrite: mayComment,
      },
    ];
    for (const { request, mayWrite } of reporting.comments ? tests : tests.slice(0, 1)) {
      const answer = await callProvider(deps, request, signal);
      if ("failure" in answer || !mayWrite(answer)) return { answer, secrets };
    }
    return undefined;
  } catch (error) {
    if (!signal.aborted || deps.stopping.aborted) throw error;
    return { answer: { failure: "timeout" }, secrets };
  } finally {
    clear();
  }
}

function describeRefusal(answer: ProviderAnswer, secrets: readonly string[]): Text {
  const why = describeAnswer(answer, secrets);
  if ("failure" in answer && answer.failure !== "host")
    return describeDeliveryError(answer.failure);
  return { fr: why, en: why };
}

async function recordEvent(
  sql: Sql,
  actor: Manager,
  { id, projectId }: HookOfProject,
  kind: "hook.reporting" | "hook.reporting_off",
) {
  await insertEvent(sql, actor, { action: kind, projectId, details: { hookId: id } });
}

export interface HookReporting {
  id: string;
  repository: string | null;
  reporting: "active" | "none";
  said: string;
}

/**
 * Throws `hook_not_found`, `project_not_found`, `owner_only`, `reporting_unsupported`, `input_invalid`, `status_host_refused`,
 * `reporting_refused`, `too_often`, `busy`, `secret_key_missing`.
 */
export async function setStatusReporting(
  deps: Deps,
  actor: Manager,
  hookId: string,
  { repository, context, comment = false, api, token, key, app, installation }: WantedReporting,
): Promise<HookReporting> {
  const hook = await getHook(deps, hookId);
  const { id, projectId } = hook;
  const { sql } = deps.database;
  await requireRightTo(sql, actor, "change", projectId);
  const provider = STATUS_PROVIDERS[hook.provider];
  if (provider === undefined) throw new AppError("reporting_unsupported", { id });
  if (!provider.repository.test(repository))
    throw refuseInput("reporting_repository_invalid", repository);
  if (key !== undefined && hook.provider !== "github") throw refuseInput("reporting_credential");
  const url = readApi(deps, api ?? provider.api);
  const secret = token ?? key;
  if (secret === undefined) throw refuseInput("reporting_credential");
  const reporting = {
    id,
    repository,
    api: url.href.replace(/\/+$/, ""),
    host: url.host,
    context: context ?? null,
    comments: comment,
    appId: app ?? null,
    installationId: installation ?? null,
  };
  const sealed = deps.secretBox.seal(secret, ownerOf(id));
  if (actor.by !== "operator")
    await takeOrRefuse(sql, { bound: CREDENTIAL_TESTS, subject: actor.accountId });
  const release = await deps.semaphores.checks.acquire(actor.accountId ?? actor.by, MAX_WAIT_MS);
  const refused = await testCredential(deps, hook, reporting, secret).finally(release);
  if (refused)
    throw new AppError("reporting_refused", {
      repository,
      why: describeRefusal(refused.answer, refused.secrets),
    });
  await changeProject(deps, actor, "change", projectId, async (transaction) => {
    if ((await findHook(transaction, id)) === undefined)
      throw new AppError("hook_not_found", { id });
    await upsertStatusReporting(transaction, projectId, { ...reporting, secret: sealed });
    await recordEvent(transaction, actor, hook, "hook.reporting");
  });
  const also = comment ? ", and comment on its pull requests" : "";
  return {
    id,
    repository,
    reporting: "active",
    said: `may write statuses to ${repository}${also}`,
  };
}

/** Also deletes the pending statuses. Throws `hook_not_found`, `project_not_found`, `owner_only`. */
export async function stopStatusReporting(
  deps: Deps,
  actor: Manager,
  hookId: string,
): Promise<HookReporting> {
  const hook = await getHook(deps, hookId);
  const { id, projectId } = hook;
  await changeProject(deps, actor, "change", projectId, async (sql) => {
    if (await deleteStatusReporting(sql, id))
      await recordEvent(sql, actor, hook, "hook.reporting_off");
  });
  return { id, repository: null, reporting: "none", said: "no longer reports statuses" };
}
