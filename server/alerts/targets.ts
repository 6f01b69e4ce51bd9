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
import { admitRecipient, type Admitted } from "./recipients.ts";

export interface CheckedTarget {
  target: string;
  host: string;
  /** What lists show of it. */
  shown: string;
}

/** A mailbox by its ends: `p...l`. */
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

/** E-mail to somebody who did not ask for it: no account may begin much of it. */
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

/** What somebody else had the address asked bounds nobody who need not ask. */
async function admitAddress(
  sql: Sql,
  deps: Deps,
  actor: Manager,
  { projectId, address }: { projectId: string; address: string },
): Promise<Admitted> {
  const admitted = await admitRecipient(sql, deps, projectId, address);
  if (actor.by === "operator") return admitted;
  await takeOrRefuse(sql, { bound: E_MAIL_ALERTS, subject: actor.accountId });
  if (admitted.asks) await takeOrRefuse(sql, { bound: TO_ADDRESS, subject: address });
  return admitted;
}

/** How long somebody's other URLs may keep this one waiting. */
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

/** The target as it is stored, and whether somebody is asked first. Throws `too_often`, `secret_key_missing`. */
export async function admitTarget(
  sql: Sql,
  deps: Deps,
  actor: Manager,
  { id, projectId, kind }: { id: string; projectId: string; kind: AlertKind },
  { target: address, ...checked }: CheckedTarget,
): Promise<{ stored: StoredTarget; admitted: Admitted }> {
  const admitted: Admitted =
    kind === "email"
      ? await admitAddress(sql, deps, actor, { projectId, address })
      : { id: null, state: "active" };
  const target = deps.secretBox.seal(address, id);
  const isOperators = actor.by === "operator";
  const { id: recipientId, state } = admitted;
  return { stored: { ...checked, target, recipientId, isOperators, state }, admitted };
}
