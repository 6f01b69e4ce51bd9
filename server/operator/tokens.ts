import * as z from "zod";
import { OPERATOR, operatorFor } from "../db/accounts/actors.ts";
import { column, dateColumn } from "./columns.ts";
import { defineById, defineOperation, type CommandGroup } from "./command.ts";

export const TOKEN: CommandGroup = {
  name: "token",
  description: "manage the tokens that clients send",
  commands: [
    {
      words: "add <email>",
      description: "add a token and print it; it cannot be shown again",
      options: [{ flags: "--name <name>", description: "what the token is for", isRequired: true }],
      prints: { field: "token" },
      async load() {
        const { Email, getAccountId } = await import("../access/accounts.ts");
        const { Name } = await import("../access/name.ts");
        const { createToken } = await import("../access/tokens.ts");
        return defineOperation({
          input: z.object({ email: Email, name: Name }),
          async run(deps, { email, name }) {
            const actor = operatorFor(await getAccountId(deps.database.sql, email));
            return createToken(deps, actor, name);
          },
        });
      },
    },
    {
      words: "list <email>",
      description: "list an account's tokens",
      prints: {
        rows: [
          column("ID", "id"),
          column("NAME", "name"),
          dateColumn("CREATED", "createdAt", "day"),
          dateColumn("LAST USED", "lastUsedAt", "minute"),
          dateColumn("REVOKED", "revokedAt", "day"),
        ],
      },
      async load() {
        const { Email, getAccountId } = await import("../access/accounts.ts");
        const { listTokens } = await import("../db/accounts/tokens.ts");
        return defineOperation({
          input: z.object({ email: Email }),
          async run({ database }, { email }) {
            return listTokens(database.sql, await getAccountId(database.sql, email));
          },
        });
      },
    },
    {
      words: "remove <id>",
      description: "revoke a token, at once and for good",
      prints: { field: "id" },
      async load() {
        const { revokeToken } = await import("../access/tokens.ts");
        return defineById((deps, id) => revokeToken(deps, OPERATOR, id));
      },
    },
  ],
};
