import { findPause } from "../alerts/sending.ts";
import type { Outbox } from "../alerts/queue.ts";
import { isAppError } from "../base/errors.ts";
import { claimAnswers, putOffAnswers, type ClaimedAnswer } from "../db/deployments/answers.ts";
import {
  endStatus,
  takeStatus,
  type TakenStatus,
  type TryEnd,
} from "../db/deployments/statuses.ts";
import type { Deps } from "../deps.ts";
import { openDeadline } from "../engine/net/deadline.ts";
import { findToken } from "./app-token.ts";
import { askProvider, describeRefused, findLimit, isGood, type Asked } from "./ask.ts";
import { askForList, askToWrite, getProvider, isListed } from "./providers.ts";

/** The claim lasts longer. */
const TRY_MS = 20_000;

/** Whom an answer's secret is sealed for, so that it is not taken for the hook's own. */
export const ownerOf = (hookId: string): string => `${hookId} answers`;

/** The next try, as an alert's, or the end where there is none. */
function tryAgain(error: string, attempts: number, limitSeconds?: number): TryEnd {
  const retryInSeconds = findPause(attempts, limitSeconds);
  if (retryInSeconds === null) return { as: "dead", error };
  return { as: "failed", error, retryInSeconds, isLimit: limitSeconds !== undefined };
}

/** What an answer other than a good one means for a status. */
function judge(asked: Asked, { attempts, now }: TakenStatus, secrets: readonly string[]): TryEnd {
  const error = describeRefused(asked, secrets);
  if ("failure" in asked)
    return asked.failure === "host" ? { as: "dead", error } : tryAgain(error, attempts);
  const limit = findLimit(asked, now);
  if (limit !== undefined || asked.status >= 500 || asked.status === 429)
    return tryAgain(error, attempts, limit);
  return { as: asked.status === 401 ? "refused" : "dead", error };
}

async function write(
  deps: Deps,
  claimed: ClaimedAnswer,
  status: TakenStatus,
  signal: AbortSignal,
): Promise<TryEnd> {
  const { publicUrl } = deps.config;
  const secret = deps.secretBox.open(claimed.secret, ownerOf(claimed.id));
  const found = await findToken(deps, claimed, secret, signal);
  if (!("token" in found)) return judge(found, status, []);
  const { token } = found;
  const provider = getProvider(claimed.provider);
  const target =
    status.deployment === null || publicUrl === undefined
      ? null
      : new URL(`/deployments/${status.deployment}`, publicUrl).href;
  const written = { ...status, target };
  // An earlier try may have arrived, though its answer did not.
  if (status.attempts > 1) {
    const list = await askProvider(deps, askForList(provider, claimed, token, written), signal);
    if (!isGood(list)) return judge(list, status, [token]);
    if (isListed(provider, list, written)) return { as: "sent" };
  }
  const asked = await askProvider(deps, askToWrite(provider, claimed, token, written), signal);
  return isGood(asked) ? { as: "sent" } : judge(asked, status, [token]);
}

/** The end of a try that this server is at fault for; undefined if it is ending: somebody else will try. */
function describeFault(deps: Deps, { attempts }: TakenStatus, error: unknown): TryEnd | undefined {
  if (deps.stopping.aborted) return undefined;
  const isKey = isAppError(error, "secret_key_missing", "secret_key_wrong");
  if (!isKey) deps.log.error({ err: error }, "a status could not be sent");
  return tryAgain(isKey ? "key_missing" : "unsent", attempts);
}

/** The answers of hooks. */
export const answersOf = (deps: Deps): Outbox<ClaimedAnswer> => ({
  claim: (places) => claimAnswers(deps.database.sql, places, deps.leases.claimMs),
  putOff: (places) => putOffAnswers(deps.database.sql, places),
  async send(claimed) {
    const status = await takeStatus(deps.database, claimed);
    if (status === undefined) return endStatus(deps.database, claimed);
    const { signal, clear } = openDeadline(deps.stopping, TRY_MS);
    const end = await write(deps, claimed, status, signal)
      .catch((error: unknown) =>
        signal.aborted && !deps.stopping.aborted
          ? tryAgain("timeout", status.attempts)
          : describeFault(deps, status, error),
      )
      .finally(clear);
    await endStatus(deps.database, claimed, status, end);
    if (end === undefined || end.as === "sent") return;
    const line = { hookId: claimed.id, statusId: status.id, attempts: status.attempts };
    deps.log.warn({ ...line, reason: end.error }, "a status was not sent");
  },
});
