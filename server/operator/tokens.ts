import * as z from "zod";
import { createToken, fingerprintOf } from "../access/token.ts";
import { newId } from "../db/id.ts";
import { insertToken, listTokens, lockAccount, revokeToken } from "../db/tokens.ts";
import { Email, getAccountId } from "./accounts.ts";
import { After, defineOperation, refuse } from "./operation.ts";

const MAX_ACTIVE_TOKENS = 5;
export const Name = z
  .string()
  .trim()
  .min(1, { error: "The name is empty" })
  .max(100, { error: "The name is over 100 characters" })
  .regex(/^\P{Cc}*$/u, { error: "The name has control characters" });

export const createTokenOperation = defineOperation({
  input: z.object({ email: Email, name: Name }),
  async run({ database }, { email, name }) {
    const accountId = await getAccountId(database.sql, email);
    const token = createToken();
    const row = { id: newId("tok"), accountId, name, fingerprint: fingerprintOf(token) };
    const created = await database.begin(async (sql) => {
      await lockAccount(sql, accountId);
      return insertToken(sql, row, MAX_ACTIVE_TOKENS);
    });
    if (!created) {
      throw refuse(
        `${email} has ${MAX_ACTIVE_TOKENS} active tokens, the most an account can have. Revoke one first: shipscore-server token list ${email}`,
      );
    }
    return { id: row.id, name, token };
  },
});

export const listTokensOperation = defineOperation({
  input: z.object({ email: Email, after: After }),
  async run({ database }, { email, after }) {
    return listTokens(database.sql, await getAccountId(database.sql, email), after);
  },
});

export const revokeTokenOperation = defineOperation({
  input: z.object({ id: z.string() }),
  async run({ database }, { id }) {
    if (!(await revokeToken(database.sql, id))) throw refuse(`There is no token ${id}.`);
    return { id };
  },
});
