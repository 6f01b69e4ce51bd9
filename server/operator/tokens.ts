import * as z from "zod";
import { Email, getAccountId } from "../access/accounts.ts";
import { Name } from "../access/name.ts";
import { createToken, revokeToken } from "../access/tokens.ts";
import { OPERATOR, operatorFor } from "../db/actors.ts";
import { listTokens } from "../db/tokens.ts";
import { After, defineOperation } from "./operation.ts";

export const tokenOperations = {
  "token create": defineOperation({
    input: z.object({ email: Email, name: Name }),
    async run(deps, { email, name }) {
      const actor = operatorFor(await getAccountId(deps.database.sql, email));
      return createToken(deps, actor, name);
    },
  }),
  "token list": defineOperation({
    input: z.object({ email: Email, after: After }),
    async run({ database }, { email, after }) {
      return listTokens(database.sql, await getAccountId(database.sql, email), after);
    },
  }),
  "token revoke": defineOperation({
    input: z.object({ id: z.string() }),
    async run(deps, { id }) {
      await revokeToken(deps, OPERATOR, id);
      return { id };
    },
  }),
};
