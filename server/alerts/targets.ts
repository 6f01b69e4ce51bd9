import { Email } from "../access/accounts.ts";
import type { Manager } from "../db/accounts/actors.ts";
import type { StoredTarget } from "../db/alerts/alerts.ts";
import { takeOrRefuse, type Bound } from "../db/checks/buckets.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps, ProcessDeps } from "../deps.ts";
import { takeLookups } from "../checks/lookups.ts";
import { findTargetName } from "../engine/net/post.ts";
import { AppError } from "../base/errors.ts";
import type { InputFault } from "../base/input-faults.ts";
import type { AlertKind } from "./kinds.ts";
import { addRecipient, type AlertRecipient } from "./recipients.ts";

export interface CheckedTarget {
  target: string;
  host: string;
  /** The masked form for lists. */
  shown: string;
}

/** `p...l` for `paul`. */
function maskMailbox(mailbox: string): string {
  const [first = "", ...rest] = mailbox;
  return `${rest.length === 0 ? "" : first}...${rest.length < 2 ? "" : rest.at(-1)}`;
}

function checkAddress({ config }: ProcessDeps, typed: string): CheckedTarget {
  if (config.mail === undefined) throw new AppError("alert_needs_mail", {});
  const { data: target } = Email.safeParse(typed);
  const fault = "email_invalid" satisfies InputFault;
  if (target === undefined) throw new AppError("input_invalid", { fault, value: typed });
  const at = target.lastIndexOf("@");
  const host = target.slice(at + 1);
  return { target, host, shown: `${maskMailbox(target.slice(0, at))}@${host}` };
}

/** Limits unsolicited e-mail: each new address gets a request for consent. */
const E_MAIL_ALERTS: Bound = {
  name: "alerts by e-mail of an account",
  capacity: 20,
  seconds: 86_400,
};

const TO_ADDRESS: Bound = {
  name: "alerts by e-mail of an address",
  capacity: 20,
  seconds: 86_400,
};

/** The limit for an address applies only to requests for consent, so strangers cannot use up a member's limit. */
async function addEmailRecipient(
  sql: Sql,
  deps: Deps,
  actor: Manager,
  { projectId, address }: { projectId: string; address: string },
): Promise<AlertRecipient> {
  const recipient = await addRecipient(sql, deps, projectId, address);
  if (actor.by === "operator") return recipient;
  await takeOrRefuse(sql, { bound: E_MAIL_ALERTS, subject: actor.accountId });
  if (recipient.unasked) await takeOrRefuse(sql, { bound: TO_ADDRESS, subject: address });
  return recipient;
}

/** How long a URL waits for the account's other URLs. */
const MAX_WAIT_MS = 5000;

async function checkUrl(deps: Deps, actor: Manager, typed: string): Promise<CheckedTarget> {
  const { networks, poster, stopping, semaphores } = deps;
  if (findTargetName(networks.alerts, typed) !== undefined) await takeLookups(deps, actor, 1);
  const release = await semaphores.checks.acquire(actor.accountId ?? actor.by, MAX_WAIT_MS);
  try {
    const vetting = await poster.vet(typed, stopping);
    if (!vetting.ok) {
      const { code, host } = vetting.refusal;
      throw new AppError("url_refused", { code, host, isTarget: true });
    }
    const { host } = vetting.target.url;
    return { target: typed, host, shown: host };
  } finally {
    release();
  }
}

/** Throws `url_refused`, `too_often`, `busy`, `input_invalid`, `alert_needs_mail`. */
export const checkTarget = (deps: Deps, actor: Manager, kind: AlertKind, typed: string) =>
  kind === "email" ? checkAddress(deps, typed.trim()) : checkUrl(deps, actor, typed.trim());

/** Throws `too_often`, `secret_key_missing`. */
export async function prepareTarget(
  sql: Sql,
  deps: Deps,
  actor: Manager,
  { id, projectId, kind }: { id: string; projectId: string; kind: AlertKind },
  { target: address, ...checked }: CheckedTarget,
): Promise<{ stored: StoredTarget; recipient: AlertRecipient }> {
  const recipient: AlertRecipient =
    kind === "email"
      ? await addEmailRecipient(sql, deps, actor, { projectId, address })
      : { id: null, state: "active" };
  const target = deps.secretBox.seal(address, id);
  const isOperators = actor.by === "operator";
  const { id: recipientId, state } = recipient;
  return { stored: { ...checked, target, recipientId, isOperators, state }, recipient };
}
