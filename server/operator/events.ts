import * as z from "zod";
import type { Sql } from "../db/driver/sql.ts";
import { afterRow, defineOperation, type AddCommands } from "./command.ts";
import { column, dateColumn, printTable, type Column } from "./output.ts";

const ACCOUNT_ID = /^acc_[0-9A-Za-z]{20}$/;

const personColumn = (heading: string, key: string): Column => [
  heading,
  (row) => (row[key] ?? row[`${key}Id`]) as string | null,
];

const describeDetails = (details: unknown) =>
  Object.entries(details as object)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(" ");

export const addEventsCommand: AddCommands = (program, operate) =>
  operate(
    program
      .command("audit")
      .description(
        "list events of accounts and projects, newest first; they are stored for 365 days",
      )
      .option("--account <email>", "only events to or by this account; the ID of a deleted account")
      .option("--project <id>", "only events of this project"),
    {
      print: printTable([
        dateColumn("AT", "at", "minute"),
        column("ACTION", "action"),
        personColumn("ACCOUNT", "account"),
        column("PROJECT", "projectId"),
        column("BY", "by"),
        personColumn("WHO", "actor"),
        column("ADDRESS", "address"),
        column("BROWSER", "browser"),
        column("SESSION", "sessionId"),
        ["DETAILS", (row) => describeDetails(row["details"])],
      ]),
      isBatched: true,
      async load() {
        const { getAccountId } = await import("../access/accounts.ts");
        const { listEvents } = await import("../db/accounts/events.ts");
        const findAccount = async (sql: Sql, account: string | undefined) => {
          if (account === undefined || ACCOUNT_ID.test(account)) return account ?? null;
          return getAccountId(sql, account.trim().toLowerCase());
        };
        return defineOperation({
          input: z.object({
            account: z.string().optional(),
            project: z.string().optional(),
            after: afterRow({ id: z.string() }),
          }),
          async run({ database: { sql } }, { account, project: projectId = null, after }) {
            return listEvents(
              sql,
              { accountId: await findAccount(sql, account), projectId },
              after,
            );
          },
        });
      },
    },
  );
