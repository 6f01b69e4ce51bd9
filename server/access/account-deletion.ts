import type { Manager } from "../db/accounts/actors.ts";
import { lockWholeAccount, markAccountDeleted } from "../db/accounts/deleted-accounts.ts";
import { forgetClients, insertEvent } from "../db/accounts/events.ts";
import { listOwnProjects } from "../db/projects/projects.ts";
import type { StoreDeps } from "../deps.ts";
import { AppError } from "../base/errors.ts";

/** The clean-up removes the remaining rows. Throws `account_has_projects`, and `unauthorized` if the account is already deleted. */
export const deleteAccount = ({ database }: StoreDeps, actor: Manager, accountId: string) =>
  database.begin(async (sql) => {
    if (!(await lockWholeAccount(sql, accountId))) throw new AppError("unauthorized", {});
    const names = (await listOwnProjects(sql, accountId)).map(({ name }) => name);
    if (names.length > 0) throw new AppError("account_has_projects", { names });
    await insertEvent(sql, actor, { action: "account.deleted", accountId });
    await forgetClients(sql, accountId);
    await markAccountDeleted(sql, accountId);
  });
