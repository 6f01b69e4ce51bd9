import { LANGUAGES } from "../../shared/language.ts";
import { randomBytes } from "node:crypto";
import * as z from "zod";
import type { Manager } from "../db/accounts/actors.ts";
import type { AlertOfProject, AlertState, Occasion } from "../db/alerts/alerts.ts";
import {
  deleteAlert,
  findAlert,
  findOwnersLanguage,
  insertAlert,
  OCCASIONS,
  updateAlert,
  updateSecret,
} from "../db/alerts/alerts.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { newId } from "../db/id.ts";
import { MAX_ALERTS } from "../db/alerts/outbox.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { fault } from "../base/input-faults.ts";
import {
  changeProject,
  requireChangeable,
  requireRightTo,
  type SharedTransaction,
} from "../projects/rights.ts";
import { ALERT_KINDS, type AlertKind } from "./kinds.ts";
import { requestConsent } from "./recipients.ts";
import { checkTarget, prepareTarget, type CheckedTarget } from "./targets.ts";

const OCCASION_UNKNOWN = fault("occasion_unknown");

const AFTER_INVALID = fault("after_invalid");
const REMIND_INVALID = fault("remind_invalid");

const countTo = (most: number, invalid: { error: string }) =>
  z
    .union(
      [z.null(), z.coerce.number(invalid).int(invalid).min(1, invalid).max(most, invalid)],
      invalid,
    )
    .default(null);

const LABEL_SHAPE = /^\P{Cc}{0,60}$/u;

export const NewAlert = z.object({
  kind: z.enum(ALERT_KINDS, fault("alert_kind_unknown")),
  target: z.string(),
  label: z.string().trim().regex(LABEL_SHAPE, fault("alert_label_invalid")).optional(),
  on: z
    .string()
    .transform((text) => text.split(",").map((word) => word.trim()))
    .pipe(z.array(z.enum(OCCASIONS, OCCASION_UNKNOWN)))
    .transform((words) => OCCASIONS.filter((occasion) => words.includes(occasion))),
  /** Minutes that an incident must last before the first message. */
  after: countTo(1440, AFTER_INVALID),
  /** Hours between reminders. */
  remind: countTo(168, REMIND_INVALID),
  /** By default, the language of the project's owner. */
  language: z.enum(LANGUAGES, fault("language_unknown")).optional(),
});

export type WantedAlert = Omit<z.infer<typeof NewAlert>, "on" | "after" | "remind"> & {
  on: readonly Occasion[];
  after?: number | null;
  remind?: number | null;
};

export interface AddedAlert {
  id: string;
  kind: AlertKind;
  on: readonly Occasion[];
  /** Signs a webhook's messages, and is shown once; null for other kinds. */
  secret: string | null;
  /** `waiting` until the recipient accepts; `ended` if they have unsubscribed; absent if active. */
  state?: Exclude<AlertState, "active">;
}

const SECRET_BYTES = 24;

const newSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;

/**
 * A recipient who is not a member must accept first. Throws `project_not_found`, `owner_only`, `url_refused`, `busy`, `input_invalid`,
 * `alert_needs_mail`, `secret_key_missing`, `too_many_alerts`, `too_often`.
 */
export async function addAlert(
  deps: Deps,
  actor: Manager,
  projectId: string,
  { kind, target: typed, label = "", on, after = null, remind = null, ...wanted }: WantedAlert,
  shared?: SharedTransaction & { target: CheckedTarget },
): Promise<AddedAlert> {
  const { sql: reading } = shared ?? deps.database;
  await requireRightTo(reading, actor, "change", projectId);
  const language = wanted.language ?? (await findOwnersLanguage(reading, projectId));
  const checked = shared?.target ?? (await checkTarget(deps, actor, kind, typed));
  const id = newId("alr");
  const secret = kind === "webhook" ? newSecret() : null;
  const row = { id, projectId, kind, label, on, language, after, remind };
  const sealed = secret === null ? null : deps.secretBox.seal(secret, id);
  const add = async (sql: Sql) => {
    const to = await prepareTarget(sql, deps, actor, row, checked);
    if (!(await insertAlert(sql, { ...row, ...to.stored, secret: sealed })))
      throw new AppError("too_many_alerts", { projectId, limit: MAX_ALERTS });
    const details = { alertId: id, kind };
    await insertEvent(sql, actor, { action: "alert.added", projectId, details });
    return to.recipient;
  };
  const recipient = await changeProject(deps, actor, "change", projectId, add, shared);
  const ask = () => requestConsent(deps, actor.accountId, recipient, language);
  if (shared) shared.afterCommit.push(ask);
  else await ask();
  const { state } = recipient;
  return { id, kind, on, secret, ...(state !== "active" && { state }) };
}

/** Throws `alert_not_found`, `owner_only`. */
export async function getAlert(
  { database: { sql } }: { database: Pick<SharedTransaction, "sql"> },
  actor: Manager,
  id: string,
): Promise<AlertOfProject> {
  const gone = () => new AppError("alert_not_found", { id });
  return requireChangeable(sql, actor, await findAlert(sql, id), gone);
}

async function changeAlert(
  deps: Deps,
  actor: Manager,
  alert: AlertOfProject,
  change: (sql: Sql) => Promise<boolean>,
  shared?: SharedTransaction,
): Promise<void> {
  const { id, projectId } = alert;
  const changeOrRefuse = async (sql: Sql) => {
    if (!(await change(sql))) throw new AppError("alert_not_found", { id });
  };
  await changeProject(deps, actor, "change", projectId, changeOrRefuse, shared);
}

/**
 * An empty target keeps the current one. A recipient who is not a member must accept a new target first. A new target also replaces a
 * secret that a former owner knows: the new secret is returned. Throws `alert_not_found`, `owner_only`, and the errors of `addAlert` about
 * targets.
 */
export async function editAlert(
  deps: Deps,
  actor: Manager,
  id: string,
  {
    target: typed,
    label = "",
    on,
    after = null,
    remind = null,
    ...wanted
  }: Omit<WantedAlert, "kind">,
  shared?: SharedTransaction,
): Promise<string | undefined> {
  const { projectId, ...alert } = await getAlert({ database: shared ?? deps.database }, actor, id);
  const { language = alert.language } = wanted;
  const kind = alert.kind as AlertKind;
  const checked = typed.trim() === "" ? undefined : await checkTarget(deps, actor, kind, typed);
  const secret = checked && alert.isSecretFormer ? newSecret() : undefined;
  const sealed = secret === undefined ? undefined : deps.secretBox.seal(secret, id);
  const change = async (sql: Sql) => {
    const to = checked && (await prepareTarget(sql, deps, actor, { id, projectId, kind }, checked));
    if (!(await updateAlert(sql, id, { label, on, language, after, remind }, to?.stored, sealed)))
      throw new AppError("alert_not_found", { id });
    const details = { alertId: id, kind };
    await insertEvent(sql, actor, { action: "alert.edited", projectId, details });
    if (sealed) await insertEvent(sql, actor, { action: "alert.rotated", projectId, details });
    return to?.recipient;
  };
  const recipient = await changeProject(deps, actor, "change", projectId, change, shared);
  if (recipient) await requestConsent(deps, actor.accountId, recipient, language);
  return secret;
}

/** Also removes the pending messages. Throws `alert_not_found`, `owner_only`. */
export async function removeAlert(
  deps: Deps,
  actor: Manager,
  id: string,
  shared?: SharedTransaction,
): Promise<void> {
  const alert = await getAlert({ database: shared ?? deps.database }, actor, id);
  const { projectId, kind } = alert;
  const remove = async (sql: Sql) => {
    const details = { alertId: id, kind };
    await insertEvent(sql, actor, { action: "alert.removed", projectId, details });
    return deleteAlert(sql, id);
  };
  await changeAlert(deps, actor, alert, remove, shared);
}

/** For 24 hours, the previous secret signs the messages too. Throws `alert_not_found`, `owner_only`, `alert_without_secret`. */
export async function rotateAlert(
  deps: Deps,
  actor: Manager,
  id: string,
): Promise<{ id: string; secret: string }> {
  const alert = await getAlert(deps, actor, id);
  const { projectId, kind } = alert;
  if (kind !== "webhook") throw new AppError("alert_without_secret", { id, kind });
  const secret = newSecret();
  const sealed = deps.secretBox.seal(secret, id);
  await changeAlert(deps, actor, alert, async (sql) => {
    await insertEvent(sql, actor, { action: "alert.rotated", projectId, details: { alertId: id } });
    return updateSecret(sql, id, sealed);
  });
  return { id, secret };
}
