import * as z from "zod";
import { AccountPlan, addAccount, changePlan, Email } from "../access/accounts.ts";
import { CHECKS_A_MONTH } from "../access/quota.ts";
import { listAccounts } from "../db/accounts.ts";
import { OPERATOR } from "../db/actors.ts";
import { After, defineOperation } from "./operation.ts";

export const accountOperations = {
  "account add": defineOperation({
    input: z.object({ email: Email, plan: AccountPlan }),
    run: (deps, account) => addAccount(deps, OPERATOR, account),
  }),
  "account plan": defineOperation({
    input: z.object({ email: Email, plan: AccountPlan }),
    run: (deps, account) => changePlan(deps, OPERATOR, account),
  }),
  "account list": defineOperation({
    input: z.object({ after: After }),
    async run({ database }, { after }) {
      const accounts = await listAccounts(database.sql, after);
      return accounts.map((account) => ({ ...account, limit: CHECKS_A_MONTH[account.plan] }));
    },
  }),
};
