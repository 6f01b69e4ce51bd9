import { TargetHeaders } from "../../shared/check.ts";
import { quotaOf } from "../../shared/quota.ts";
import { CHECKS_A_MONTH } from "../base/plans.ts";
import { AppError, isAppError, isPassing } from "../base/errors.ts";
import { findUrlOfHosts } from "../base/syntax/host-pattern.ts";
import { countPreviewCheck, type ClaimedDeployments } from "../db/deployments/deployment-claims.ts";
import type { Sql } from "../db/driver/sql.ts";
import { findPreviewOrder } from "../db/projects/previews.ts";
import type { StoreDeps } from "../deps.ts";

/**
 * The headers that open a preview, while its host is one that the owner named. Throws `quota_exceeded` if the owner's month has no
 * check left, `secret_key_missing`, `secret_key_wrong`.
 */
export async function openPreview(
  { database, secretBox }: StoreDeps,
  { projectId, url }: ClaimedDeployments,
): Promise<TargetHeaders> {
  const order = await findPreviewOrder(database.sql, projectId, CHECKS_A_MONTH);
  if (order === undefined) return {};
  const { used, limit, askedAt, hosts, sealed } = order;
  if (used >= limit) throw new AppError("quota_exceeded", { quota: quotaOf(used, limit), askedAt });
  if (sealed === null || findUrlOfHosts(url, hosts) === undefined) return {};
  return TargetHeaders.parse(JSON.parse(secretBox.open(sealed, projectId)));
}

/**
 * Counts a finished check of previews in the owner's month, once. Belongs into the transaction that ends its claim, before that.
 * Throws `quota_exceeded`.
 */
export async function countPreview(sql: Sql, claimed: ClaimedDeployments): Promise<void> {
  const { isExhausted, askedAt } = await countPreviewCheck(sql, claimed, CHECKS_A_MONTH);
  if (isExhausted) throw new AppError("quota_exceeded", { quota: quotaOf(0, 0), askedAt });
}

/** True for a failure of a preview that another try would not fix. */
export const isFinal = ({ kind }: ClaimedDeployments, error: unknown): boolean =>
  kind === "preview" &&
  (isAppError(error, "quota_exceeded") ||
    (isAppError(error, "url_refused") && !isPassing(error.parameters.code)));
