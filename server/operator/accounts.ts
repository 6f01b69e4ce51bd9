import * as z from "zod";
import { CHECKS_A_MONTH, PLANS } from "../access/plans.ts";
import { OPERATOR, operatorFor } from "../db/accounts/actors.ts";
import type { Deps } from "../deps.ts";
import { column } from "./columns.ts";
import { afterRow, defineOperation, type CommandGroup, type Operation } from "./command.ts";

const listPlans = () => new Intl.ListFormat("en-GB", { type: "disjunction" }).format(PLANS);

/** The operation of a command whose only argument is the `<email>` of an account, whose id it prints. */
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

export const ACCOUNT: CommandGroup = {
  name: "account",
  description: "manage accounts and their plans",
  commands: [
    {
      words: "add <email>",
      description: "add an account and print its id",
      options: [{ flags: "--plan <plan>", description: listPlans(), isRequired: true }],
      prints: { field: "id" },
      async load() {
        const { addAccount, AccountPlan } = await import("../access/accounts.ts");
        return defineOperation({
          input: AccountPlan,
          run: (deps, account) => addAccount(deps, OPERATOR, account),
        });
      },
    },
    {
      words: "plan <email> <plan>",
      description: "change an account's plan, effective at once",
      prints: { field: "plan" },
      async load() {
        const { changePlan, AccountPlan } = await import("../access/accounts.ts");
        return defineOperation({
          input: AccountPlan,
          run: (deps, account) => changePlan(deps, OPERATOR, account),
        });
      },
    },
    {
      words: "link <email>",
      description: "print a one-time link with which its holder sets a password and signs in",
      options: [
        {
          flags: "--sign-in",
          description: "a link that signs in and leaves the password as it is",
        },
      ],
      prints: { field: "link" },
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
    {
      words: "sign-out <email>",
      description: "end all sessions of an account",
      prints: { field: "id" },
      async load() {
        const { endTheOthers } = await import("../access/account-settings.ts");
        return defineByEmail((deps, id) => endTheOthers(deps, operatorFor(id)));
      },
    },
    {
      words: "second-factor <email>",
      description:
        "for a lost phone: remove an account's second factor and passkeys, and end its sessions",
      options: [{ flags: "--off", description: "what is to be done", isRequired: true }],
      prints: { field: "id" },
      async load() {
        const { turnOff } = await import("../access/second-factor.ts");
        return defineByEmail((deps, id) => turnOff(deps, operatorFor(id)));
      },
    },
    {
      words: "delete <email>",
      description: "delete an account for good, with its tokens and checks",
      prints: { field: "id" },
      async load() {
        const { deleteAccount } = await import("../access/account-deletion.ts");
        return defineByEmail((deps, id) => deleteAccount(deps, OPERATOR, id));
      },
    },
    {
      words: "list",
      description:
        "list accounts with plan, slots used this month, active tokens and second factor",
      prints: {
        batches: [
          column("EMAIL", "email"),
          column("PLAN", "plan"),
          ["USED", (row) => `${String(row["used"])}/${String(row["limit"])}`],
          column("TOKENS", "activeTokens"),
          column("SECOND FACTOR", "secondFactor"),
          column("ID", "id"),
        ],
      },
      async load() {
        const { listAccounts } = await import("../db/accounts/accounts.ts");
        return defineOperation({
          input: z.object({ after: afterRow({ email: z.string() }) }),
          async run({ database }, { after }) {
            const accounts = await listAccounts(database.sql, after);
            return accounts.map((account) => ({ ...account, limit: CHECKS_A_MONTH[account.plan] }));
          },
        });
      },
    },
  ],
};
