import * as z from "zod";
import { defineOperation, type AddCommands } from "./command.ts";
import { column, dateColumn, type ListedRow } from "./output.ts";

const figuresOf = (result: ListedRow): ListedRow[] => {
  const { outbox, database, ...status } = result as ListedRow & {
    outbox: ListedRow;
    database: ListedRow;
    servers: ListedRow[];
  };
  return Object.entries({
    "servers running": status.servers.length,
    "URLs watched": status["urlsWatched"],
    "URLs due": status["urlsDue"],
    "oldest due (s)": Math.round(Number(status["oldestDueSeconds"])),
    "incidents open": status["incidentsOpen"],
    "deployments queued": status["deploymentsQueued"],
    "messages pending": outbox["pending"],
    "messages sent": outbox["sent"],
    "messages given up": outbox["dead"],
    "database bytes": database["bytes"],
    "database version": database["version"],
    "schema version": database["schema"],
  }).map(([what, value]) => ({ what, value }));
};

const toTenth = (value: unknown) => Math.round(Number(value) * 10) / 10;

const describeLocation = ({ location, setAside }: ListedRow) =>
  typeof location === "string" ? `${location}${setAside === true ? " (set aside)" : ""}` : null;

export const addStatusCommand: AddCommands = (program, operate) =>
  operate(
    program
      .command("status")
      .description("show the running servers, the waiting work and the database"),
    {
      async print(result: ListedRow, { table, isForPeople }) {
        if (isForPeople)
          await table(result["servers"] as ListedRow[], [
            column("SERVER", "id"),
            column("VERSION", "version"),
            ["PROBES/S", (row) => toTenth(row["looksPerSecond"])],
            ["LAG (S)", (row) => toTenth(row["lagSeconds"])],
            dateColumn("LAST SEEN", "lastSeenAt", "minute"),
            ["LOCATION", describeLocation],
          ]);
        await table(figuresOf(result), [column("WHAT", "what"), column("VALUE", "value")]);
      },
      async load() {
        const { readStatus } = await import("../db/server-status.ts");
        return defineOperation({
          input: z.object({}),
          run: ({ database }) => readStatus(database.sql),
        });
      },
    },
  );
