import * as z from "zod";
import { CHECKS_A_MONTH } from "../access/quota.ts";
import { findAccountId, insertAccount, listAccounts, PLANS, updatePlan } from "../db/accounts.ts";
import { newId } from "../db/id.ts";
import type { Sql } from "../db/sql.ts";
import { After, defineOperation, refuse } from "./operation.ts";

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email({ error: (issue) => `${String(issue.input)} is not an e-mail address` }));
const Plan = z.enum(PLANS, { error: `The plan is one of ${PLANS.join(", ")}` });

export async function getAccountId(sql: Sql, email: string): Promise<string> {
  const id = await findAccountId(sql, email);
  if (id === undefined)
    throw refuse(
      `There is no account ${email}. Add it with: shipscore-server account add ${email} --plan free`,
    );
  return id;
}

export const addAccount = defineOperation({
  input: z.object({ email: Email, plan: Plan }),
  async run({ database }, { email, plan }) {
    const account = { id: newId("acc"), email, plan };
    if (!(await insertAccount(database.sql, account)))
      throw refuse(`There is an account ${email} already.`);
    return account;
  },
});

export const changePlan = defineOperation({
  input: z.object({ email: Email, plan: Plan }),
  async run({ database }, { email, plan }) {
    const id =
      (await updatePlan(database.sql, email, plan)) ?? (await getAccountId(database.sql, email));
    return { id, email, plan };
  },
});

export const listAccountsOperation = defineOperation({
  input: z.object({ after: After }),
  async run({ database }, { after }) {
    const accounts = await listAccounts(database.sql, after);
    return accounts.map((account) => ({ ...account, limit: CHECKS_A_MONTH[account.plan] }));
  },
});
