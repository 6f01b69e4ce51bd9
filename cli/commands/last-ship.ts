import { openApi } from "../api.ts";
import type { CommonFlags, Context } from "../context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { printResult } from "../output.ts";
import { getProjectId } from "../project.ts";
import { readSettings } from "../settings.ts";
import { formatLastShipCard } from "../views/last-ship-card.ts";
import { lastShipRows } from "../views/rows.ts";

export async function runLastShip(
  context: Context,
  project: string,
  flags: CommonFlags,
): Promise<ExitCode> {
  const api = openApi(readSettings(context.env, flags), context);
  const answer = await context.io.showProgress("Reading the last ship", async () =>
    api.getLastShip(await getProjectId(api, project)),
  );
  if (answer.lastShip === null && context.io.screen === null && !flags.json)
    await context.io.note("shipscore: nothing was shipped yet.");
  await printResult(context.io, flags, answer, {
    rows: lastShipRows,
    page: (clean, screen) => formatLastShipCard(clean, context.now(), screen),
  });
  return EXIT.done;
}
