import { findAccountId, getEmail, insertAccount, updateEmail } from "../db/accounts/accounts.ts";
import type { SessionActor } from "../db/accounts/actors.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { newId } from "../db/id.ts";
import { deleteLinks, findAddressee, consumeLink, type Link } from "../db/accounts/links.ts";
import { replacePassword } from "../db/accounts/passwords.ts";
import type { ClientInfo } from "../db/accounts/sessions.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import { OPERATORS_PLAN, SIGN_UP_PLAN, type Plan } from "../base/plans.ts";
import { writeLetter, addressOf, fingerprintOfLink, linkGone } from "./links.ts";
import { bucketsOfLinks, countFailures, hashOfVisitor } from "./password-tries.ts";
import { consumeSignInCode } from "./second-factor.ts";
import { endOtherSessions, openSession } from "./sessions.ts";

interface Use {
  secret: string;
  accountId: string | null;
  /** A code of the account's second factor. */
  code: string;
  client: ClientInfo;
}

interface PasswordUse extends Use {
  password: string;
}

/** Throws `link_gone`, and `too_often` after too many wrong codes. */
const useLink = <Result>(
  deps: Deps,
  kind: Link["kind"],
  { secret, accountId }: Pick<Use, "secret" | "accountId">,
  work: (sql: Sql, link: Link) => Promise<Result>,
) =>
  countFailures(deps, bucketsOfLinks(accountId), () =>
    deps.database.begin(async (sql) => {
      const link = await consumeLink(sql, fingerprintOfLink(secret));
      if (link?.kind !== kind) throw linkGone();
      return work(sql, link);
    }),
  );

function required(value: string | null): string {
  if (value === null) throw linkGone();
  return value;
}

async function recordUse(sql: Sql, actor: SessionActor, kind: Link["kind"]): Promise<void> {
  await insertEvent(sql, actor, {
    action: "link.used",
    accountId: actor.accountId,
    details: { kind },
  });
}

async function resetPassword(
  deps: Deps,
  sql: Sql,
  link: Link & { accountId: string; passwordHash: string },
  { client, code }: Pick<Use, "client" | "code">,
): Promise<string> {
  const { accountId, kind, passwordHash } = link;
  await replacePassword(sql, accountId, passwordHash);
  await deleteLinks(sql, accountId);
  const { secret, actor } = await openSession(sql, accountId, client);
  await consumeSignInCode(deps, sql, actor, code);
  await recordUse(sql, actor, kind);
  await insertEvent(sql, actor, { action: "account.password_changed", accountId });
  await endOtherSessions(sql, actor, accountId);
  return secret;
}

async function create(
  sql: Sql,
  account: { email: string; plan: Plan; passwordHash: string },
  kind: Link["kind"],
  client: ClientInfo,
): Promise<string> {
  const { email, plan, passwordHash } = account;
  const accountId = newId("acc");
  if (!(await insertAccount(sql, { id: accountId, email, plan }))) throw linkGone();
  await replacePassword(sql, accountId, passwordHash);
  const { secret, actor } = await openSession(sql, accountId, client);
  await recordUse(sql, actor, kind);
  await insertEvent(sql, actor, { action: "account.created", accountId, details: { plan } });
  return secret;
}

/** Throws `link_gone`, `sign_in_code_wrong`, `too_often`, `password_refused` and `busy`. */
export async function setPasswordByLink(deps: Deps, use: PasswordUse): Promise<string> {
  const { password, client } = use;
  const passwordHash = await hashOfVisitor(deps, password, client.address);
  return useLink(deps, "password", use, (sql, link) =>
    resetPassword(deps, sql, { ...link, accountId: required(link.accountId), passwordHash }, use),
  );
}

/** An account that the operator added keeps its plan. Throws `link_gone`, `password_refused` and `busy`. */
export async function createFirstAccount(
  deps: Deps,
  use: PasswordUse & { email: string },
): Promise<string> {
  const { email, password, client } = use;
  const passwordHash = await hashOfVisitor(deps, password, client.address);
  return useLink(deps, "first_account", use, async (sql, link) => {
    const accountId = await findAccountId(sql, email);
    return accountId === undefined
      ? create(sql, { email, plan: OPERATORS_PLAN, passwordHash }, link.kind, client)
      : resetPassword(deps, sql, { ...link, accountId, passwordHash }, use);
  });
}

/** Throws `link_gone`, `password_refused` and `busy`. */
export async function signUpByLink(deps: Deps, use: PasswordUse): Promise<string> {
  const { password, client } = use;
  const passwordHash = await hashOfVisitor(deps, password, client.address);
  return useLink(deps, "sign_up", use, async (sql, link) => {
    const account = { email: required(link.email), plan: SIGN_UP_PLAN, passwordHash };
    return create(sql, account, link.kind, client);
  });
}

/** Throws `link_gone`, `sign_in_code_wrong` and `too_often`. */
export const signInByLink = (deps: Deps, use: Use) =>
  useLink(deps, "sign_in", use, async (sql, { accountId, kind }) => {
    const begun = await openSession(sql, required(accountId), use.client);
    await consumeSignInCode(deps, sql, begun.actor, use.code);
    await recordUse(sql, begun.actor, kind);
    return begun.secret;
  });

/** Throws `link_gone`, also if the address got an account in the meantime. */
export async function changeEmailByLink(deps: Deps, use: Use): Promise<void> {
  const { client } = use;
  const former = await useLink(deps, "email", use, async (sql, link) => {
    const accountId = required(link.accountId);
    const sessionId = required(link.sessionId);
    const actor: SessionActor = { by: "session", accountId, sessionId, address: client.address };
    const before = await findAddressee(sql, await getEmail(sql, accountId));
    if (!(await updateEmail(sql, accountId, required(link.email)))) throw linkGone();
    await deleteLinks(sql, accountId);
    await recordUse(sql, actor, link.kind);
    await insertEvent(sql, actor, { action: "account.email_changed", accountId });
    await endOtherSessions(sql, actor, accountId);
    return before;
  });
  if (former === undefined) return;
  const letter = writeLetter("email_changed", addressOf(deps, "/sign-in"), former.language);
  deps.mailer?.send({ to: former.email, ...letter });
}
