import * as z from "zod";
import { defineOperation, type AddCommands } from "./command.ts";
import { column, printTable } from "./output.ts";

export const addRoundCommand: AddCommands = (program, operate) =>
  operate(
    program
      .command("round")
      .description("probe every watched URL and check every queued deployment now"),
    {
      print: printTable([
        column("OUTCOME", "outcome"),
        column("SCORE", "score"),
        column("KIND", "kind"),
        column("URL", "url"),
        column("REASON", "reason"),
      ]),
      async load() {
        const { runRound } = await import("../watching/round.ts");
        return defineOperation({ input: z.object({}), run: runRound });
      },
    },
  );
