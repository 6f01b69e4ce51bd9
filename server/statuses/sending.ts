import { findRetryDelay } from "../alerts/sending.ts";
import type { Outbox } from "../alerts/queue.ts";
import { isAppError } from "../base/errors.ts";
import { STATUS_REPORTING, type ClaimedReporting } from "../db/deployments/status-reporting.ts";
import {
  endStatusClaim,
  claimStatus,
  type ClaimedStatus,
  type AttemptResult,
} from "../db/deployments/commit-statuses.ts";
import type { Deps } from "../deps.ts";
import type { ApiRequest } from "../engine/net/post.ts";
import { openDeadline } from "../engine/net/deadline.ts";
import { findToken } from "./app-token.ts";
import {
  callProvider,
  describeAnswer,
  findRateLimit,
  isSuccess,
  ProviderError,
  type ProviderAnswer,
} from "./calls.ts";
import { writeComment } from "./comments.ts";
import { buildListRequest, buildStatusRequest, getProvider, isListed } from "./providers.ts";

/** The deadline of an attempt, shorter than the claim. */
const ATTEMPT_MS = 20_000;

/** The credential is encrypted for a separate owner, so that it cannot be mistaken for the hook's own secret. */
export const ownerOf = (hookId: string): string => `${hookId} status reporting`;

function scheduleRetry(error: string, attempts: number, limitSeconds?: number): AttemptResult {
  const retryInSeconds = findRetryDelay(attempts, limitSeconds);
  if (retryInSeconds === null) return { as: "dead", error };
  return { as: "failed", error, retryInSeconds, isLimit: limitSeconds !== undefined };
}

function describeEnd(
  answer: ProviderAnswer,
  { attempts, now }: ClaimedStatus,
  secrets: readonly string[],
): AttemptResult {
  const error = describeAnswer(answer, secrets);
  if ("failure" in answer) {
    if (answer.failure === "key") return { as: "refused", error };
    return answer.failure === "host" ? { as: "dead", error } : scheduleRetry(error, attempts);
  }
  const limit = findRateLimit(answer, now);
  // GitLab responds with 409 while another update of the same status is in progress.
  if (limit !== undefined || answer.status >= 500 || [409, 429].includes(answer.status))
    return scheduleRetry(error, attempts, limit);
  return { as: answer.status === 401 ? "refused" : "dead", error };
}

async function send(
  deps: Deps,
  claimed: ClaimedReporting,
  status: ClaimedStatus,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const secret = deps.secretBox.open(claimed.secret, ownerOf(claimed.id));
  const found = await findToken(deps, claimed, secret, signal);
  if (!("token" in found)) return describeEnd(found, status, []);
  const { token } = found;
  try {
    return await sendWith(deps, { claimed, status, token, signal });
  } catch (error) {
    if (error instanceof ProviderError) return describeEnd(error.answer, status, [token]);
    throw error;
  }
}

interface SendContext {
  claimed: ClaimedReporting;
  status: ClaimedStatus;
  token: string;
  signal: AbortSignal;
}

/** Throws `ProviderError`. */
async function sendWith(
  deps: Deps,
  { claimed, status, token, signal }: SendContext,
): Promise<AttemptResult> {
  const { publicUrl } = deps.config;
  const provider = getProvider(claimed.provider);
  const ask = async (request: ApiRequest) => {
    const answer = await callProvider(deps, request, signal);
    if (!isSuccess(answer)) throw new ProviderError(answer);
    return answer;
  };
  if (status.state === "comment")
    return writeComment({ sql: deps.database.sql, claimed, provider, token, ask }, status);
  const target =
    status.deployment === null || publicUrl === undefined
      ? null
      : new URL(`/deployments/${status.deployment}`, publicUrl).href;
  const newStatus = { ...status, target };
  // An earlier attempt may have arrived, although its answer was lost.
  if (status.attempts > 1) {
    const list = await ask(buildListRequest(provider, claimed, token, newStatus));
    if (isListed(provider, list, newStatus)) return { as: "sent" };
  }
  await ask(buildStatusRequest(provider, claimed, token, newStatus));
  return { as: "sent" };
}

/** Returns undefined if this process is stopping, since another process will send the status. */
function describeError(
  deps: Deps,
  { attempts }: ClaimedStatus,
  error: unknown,
): AttemptResult | undefined {
  if (deps.stopping.aborted) return undefined;
  const isKey = isAppError(error, "secret_key_missing", "secret_key_wrong");
  if (!isKey) deps.log.error({ err: error }, "a status could not be sent");
  return scheduleRetry(isKey ? "key_missing" : "unsent", attempts);
}

export const createStatusOutbox = (deps: Deps): Outbox<ClaimedReporting> => ({
  targets: STATUS_REPORTING,
  async send(claimed) {
    const status = await claimStatus(deps.database, claimed);
    if (status === undefined) return endStatusClaim(deps.database, claimed);
    const { signal, clear } = openDeadline(deps.stopping, ATTEMPT_MS);
    const end = await send(deps, claimed, status, signal)
      .catch((error: unknown) =>
        signal.aborted && !deps.stopping.aborted
          ? scheduleRetry("timeout", status.attempts)
          : describeError(deps, status, error),
      )
      .finally(clear);
    await endStatusClaim(deps.database, claimed, status, end);
    if (end === undefined || !("error" in end)) return;
    const line = { hookId: claimed.id, statusId: status.id, attempts: status.attempts };
    deps.log.warn({ ...line, reason: end.error }, "a status was not sent");
  },
});
