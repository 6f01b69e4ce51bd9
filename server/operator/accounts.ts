import * as z from "zod";
import { limitOf, PLANS } from "../base/plans.ts";
import { AppError } from "../base/errors.ts";
import { OPERATOR, operatorFor } from "../db/accounts/actors.ts";
import type { Deps } from "../deps.ts";
import type { AccountSummary } from "../db/accounts/accounts.ts";
import { afterRow, defineOperation, type AddCommands, type Operation } from "./command.ts";
import { column, printFields, printTable, type Column } from "./output.ts";

const listPlans = () => new Intl.ListFormat("en-GB", { type: "disjunction" }).format(PLANS);

async function defineByEmail(
  work: (deps: Deps, accountId: string) => Promise<void>,
): Promise<Operation> {
  const { Email, getAccountId } = await import("../access/accounts.ts");
  return defineOperation({
    input: z.object({ email: Email }),
    async run(deps, { email }) {
      const id = await getAccountId(deps.database.sql, email);
      await work(deps, id);
      return { id };
    },
  });
}

const ACCOUNTS = [
  column("EMAIL", "email"),
  column("PLAN", "plan"),
  ["USED", (row) => `${String(row["used"])}/${String(row["limit"])}`],
  column("TOKENS", "activeTokens"),
  column("SECOND FACTOR", "secondFactor"),
  column("ID", "id"),
] satisfies Column[];

const describeAccount = ({ checksAMonth, ...account }: AccountSummary) => ({
  ...account,
  limit: limitOf({ plan: account.plan, checksAMonth }),
  ownLimit: checksAMonth,
});

export const addAccountCommands: AddCommands = (program, operate) => {
  const group = program.command("account").description("manage accounts and their plans");
  operate(
    group
      .command("add <email>")
      .description("add an account and print its ID")
      .requiredOption("--plan <plan>", listPlans()),
    {
      print: printFields("id"),
      beginsDatabase: true,
      async load() {
        const { addAccount, AccountPlan } = await import("../access/accounts.ts");
        return defineOperation({
          input: AccountPlan,
          run: (deps, account) => addAccount(deps, OPERATOR, account),
        });
      },
    },
  );
  operate(
    group
      .command("list")
      .description(
        "list accounts with plan, checks used this month, active tokens and second factor",
      ),
    {
      print: printTable(ACCOUNTS),
      isBatched: true,
      async load() {
        const { listAccounts } = await import("../db/accounts/accounts.ts");
        return defineOperation({
          input: z.object({ after: afterRow({ email: z.string() }) }),
          async run({ database }, { after }) {
            return (await listAccounts(database.sql, after)).map(describeAccount);
          },
        });
      },
    },
  );
  operate(group.command("show <email>").description("show an account"), {
    print: printTable(ACCOUNTS),
    async load() {
      const { Email } = await import("../access/accounts.ts");
      const { findAccountSummary } = await import("../db/accounts/accounts.ts");
      return defineOperation({
        input: z.object({ email: Email }),
        async run({ database }, { email }) {
          const account = await findAccountSummary(database.sql, email);
          if (account === undefined) throw new AppError("account_not_found", { email });
          return describeAccount(account);
        },
      });
    },
  });
  operate(
    group
      .command("quota <email> <checks>")
      .description("set an account's monthly quota of checks; plan restores its plan's quota"),
    {
      inputOf: ({ checks, ...rest }) => ({ ...rest, quota: checks }),
      print: printFields("id"),
      async load() {
        const { AccountQuota, changeQuota } = await import("../access/accounts.ts");
        return defineOperation({
          input: AccountQuota,
          run: (deps, account) => changeQuota(deps, OPERATOR, account),
        });
      },
    },
  );
  operate(
    group
      .command("edit <email>")
      .description("change an account's plan, effective immediately")
      .requiredOption("--plan <plan>", listPlans()),
    {
      print: printFields("plan"),
      async load() {
        const { changePlan, AccountPlan } = await import("../access/accounts.ts");
        return defineOperation({
          input: AccountPlan,
          run: (deps, account) => changePlan(deps, OPERATOR, account),
        });
      },
    },
  );
  operate(
    group
      .command("link <email>")
      .description("print a one-time link to set a password and sign in")
      .option("--sign-in", "print a link that signs in without changing the password"),
    {
      print: printFields("link"),
      async load() {
        const { Email } = await import("../access/accounts.ts");
        const { createLink } = await import("../access/links.ts");
        return defineOperation({
          input: z.object({ email: Email, signIn: z.boolean().optional() }),
          async run(deps, { email, signIn }) {
            const kind = signIn ? "sign_in" : "password";
            return { link: await createLink(deps, OPERATOR, { email, kind }) };
          },
        });
      },
    },
  );
  operate(group.command("sign-out <email>").description("sign out all sessions of an account"), {
    print: printFields("id"),
    async load() {
      const { signOutOtherSessions } = await import("../access/account-settings.ts");
      return defineByEmail((deps, id) => signOutOtherSessions(deps, operatorFor(id)));
    },
  });
  operate(
    group
      .command("second-factor <email>")
      .description(
        "for a lost phone: remove an account's second factor and passkeys, and sign out its sessions",
      )
      .requiredOption("--off", "required: the only action of this command"),
    {
      print: printFields("id"),
      async load() {
        const { turnOffSecondFactor } = await import("../access/second-factor.ts");
        return defineByEmail((deps, id) => turnOffSecondFactor(deps, operatorFor(id)));
      },
    },
  );
  operate(
    group
      .command("remove <email>")
      .description("remove an account for good, with its tokens and checks"),
    {
      confirms: ({ email }) => `Remove the account ${String(email)} for good?`,
      print: printFields("id"),
      async load() {
        const { deleteAccount } = await import("../access/account-deletion.ts");
        return defineByEmail((deps, id) => deleteAccount(deps, OPERATOR, id));
      },
    },
  );
};
