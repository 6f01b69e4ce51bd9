import * as z from "zod";
import { OPERATOR, operatorFor } from "../db/accounts/actors.ts";
import { defineById, defineOperation, type AddCommands } from "./command.ts";
import { column, dateColumn, printFields, printTable } from "./output.ts";

export const addTokenCommands: AddCommands = (program, operate) => {
  const group = program.command("token").description("manage the tokens that clients send");
  operate(
    group
      .command("add <email>")
      .description("add a token and print it; it cannot be shown again")
      .requiredOption("--name <name>", "the token's purpose"),
    {
      print: printFields("token"),
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
  );
  operate(group.command("list <email>").description("list an account's tokens"), {
    print: printTable([
      column("ID", "id"),
      column("NAME", "name"),
      dateColumn("CREATED", "createdAt", "day"),
      dateColumn("LAST USED", "lastUsedAt", "minute"),
      dateColumn("REVOKED", "revokedAt", "day"),
    ]),
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
  });
  operate(group.command("remove <id>").description("revoke a token immediately and for good"), {
    print: printFields("id"),
    async load() {
      const { revokeToken } = await import("../access/tokens.ts");
      return defineById((deps, id) => revokeToken(deps, OPERATOR, id));
    },
  });
};
