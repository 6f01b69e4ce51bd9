import type { Command } from "commander";
import { LastShipResponse } from "../../shared/last-ship.ts";
import { openApi } from "../client/api.ts";
import {
  addCommonFlags,
  addHelp,
  type Choose,
  type CommonFlags,
  type Context,
} from "../terminal/command.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { printResult, lastShipRows } from "../views/rows.ts";
import { getProjectId } from "../client/project.ts";
import { readSettings } from "../client/settings.ts";

const EXAMPLES = `
PROJECT is an id, or the name or address of exactly one visible project. Reading
uses no check of the quota.

Examples:
  shipscore last-ship "My shop"
  shipscore last-ship prj_7Xk2 --json | jq .lastShip.score
`;

export function declareLastShip(command: Command, choose: Choose): void {
  addHelp(
    addCommonFlags(command.argument("<project>"), "lastShip.score", {
      schema: LastShipResponse,
    }),
    EXAMPLES,
  ).action((project: string, flags: CommonFlags) =>
    choose(flags, (context) => runLastShip(context, project, flags)),
  );
}

async function runLastShip(
  context: Context,
  project: string,
  flags: CommonFlags,
): Promise<ExitCode> {
  const api = openApi(readSettings(context.env, flags), context);
  const received = await context.io.showProgress("Reading the last ship", async () =>
    api.getLastShip(await getProjectId(api, project)),
  );
  if (received.lastShip === null && context.io.screen === null && !flags.json)
    await context.io.note("shipscore: nothing was shipped yet.");
  await printResult(context.io, flags, received, {
    rows: lastShipRows,
    page: async (clean, screen) => {
      const { formatLastShipCard } = await import("../views/last-ship-card.ts");
      return formatLastShipCard(clean, context.now(), screen);
    },
  });
  return EXIT.done;
}
