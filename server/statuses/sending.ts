import { findPause } from "../alerts/sending.ts";
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
import { askProvider, describeRefused, findLimit, isGood, NotAnswered, type Asked } from "./ask.ts";
import { writeComment } from "./comments.ts";
import { askForList, askToWrite, getProvider, isListed } from "./providers.ts";

/** The claim lasts longer. */
const TRY_MS = 20_000;

/** Whom the secret of status reporting is sealed for, so that it is not taken for the hook's own. */
export const ownerOf = (hookId: string): string => `${hookId} status reporting`;

/** The next try, as an alert's, or the end where there is none. */
function tryAgain(error: string, attempts: number, limitSeconds?: number): AttemptResult {
  const retryInSeconds = findPause(attempts, limitSeconds);
  if (retryInSeconds === null) return { as: "dead", error };
  return { as: "failed", error, retryInSeconds, isLimit: limitSeconds !== undefined };
}

/** What an answer other than a good one means for a status. */
function judge(
  asked: Asked,
  { attempts, now }: ClaimedStatus,
  secrets: readonly string[],
): AttemptResult {
  const error = describeRefused(asked, secrets);
  if ("failure" in asked) {
    if (asked.failure === "key") return { as: "refused", error };
    return asked.failure === "host" ? { as: "dead", error } : tryAgain(error, attempts);
  }
  const limit = findLimit(asked, now);
  // GitLab answers 409 while another update of the same status is in progress.
  if (limit !== undefined || asked.status >= 500 || [409, 429].includes(asked.status))
    return tryAgain(error, attempts, limit);
  return { as: asked.status === 401 ? "refused" : "dead", error };
}

async function write(
  deps: Deps,
  claimed: ClaimedReporting,
  status: ClaimedStatus,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const secret = deps.secretBox.open(claimed.secret, ownerOf(claimed.id));
  const found = await findToken(deps, claimed, secret, signal);
  if (!("token" in found)) return judge(found, status, []);
  const { token } = found;
  try {
    return await writeWith(deps, { claimed, status, token, signal });
  } catch (error) {
    if (error instanceof NotAnswered) return judge(error.asked, status, [token]);
    throw error;
  }
}

interface Writing {
  claimed: ClaimedReporting;
  status: ClaimedStatus;
  token: string;
  signal: AbortSignal;
}

/** Throws `NotAnswered`. */
async function writeWith(
  deps: Deps,
  { claimed, status, token, signal }: Writing,
): Promise<AttemptResult> {
  const { publicUrl } = deps.config;
  const provider = getProvider(claimed.provider);
  const ask = async (wanted: ApiRequest) => {
    const asked = await askProvider(deps, wanted, signal);
    if (!isGood(asked)) throw new NotAnswered(asked);
    return asked;
  };
  if (status.state === "comment")
    return writeComment({ sql: deps.database.sql, claimed, provider, token, ask }, status);
  const target =
    status.deployment === null || publicUrl === undefined
      ? null
      : new URL(`/deployments/${status.deployment}`, publicUrl).href;
  const written = { ...status, target };
  // An earlier try may have arrived, though its answer did not.
  if (status.attempts > 1) {
    const list = await ask(askForList(provider, claimed, token, written));
    if (isListed(provider, list, written)) return { as: "sent" };
  }
  await ask(askToWrite(provider, claimed, token, written));
  return { as: "sent" };
}

/** The end of a try that this server is at fault for; undefined if it is ending: somebody else will try. */
function describeFault(
  deps: Deps,
  { attempts }: ClaimedStatus,
  error: unknown,
): AttemptResult | undefined {
  if (deps.stopping.aborted) return undefined;
  const isKey = isAppError(error, "secret_key_missing", "secret_key_wrong");
  if (!isKey) deps.log.error({ err: error }, "a status could not be sent");
  return tryAgain(isKey ? "key_missing" : "unsent", attempts);
}

export const createStatusOutbox = (deps: Deps): Outbox<ClaimedReporting> => ({
  targets: STATUS_REPORTING,
  async send(claimed) {
    const status = await claimStatus(deps.database, claimed);
    if (status === undefined) return endStatusClaim(deps.database, claimed);
    const { signal, clear } = openDeadline(deps.stopping, TRY_MS);
    const end = await write(deps, claimed, status, signal)
      .catch((error: unknown) =>
        signal.aborted && !deps.stopping.aborted
          ? tryAgain("timeout", status.attempts)
          : describeFault(deps, status, error),
      )
      .finally(clear);
    await endStatusClaim(deps.database, claimed, status, end);
    if (end === undefined || !("error" in end)) return;
    const line = { hookId: claimed.id, statusId: status.id, attempts: status.attempts };
    deps.log.warn({ ...line, reason: end.error }, "a status was not sent");
  },
});
