import type { Command } from "commander";
import { LastShipResponse } from "../../shared/last-ship.ts";
import { openApi } from "../client/api.ts";
import {
  addCommonFlags,
  type CommonFlags,
  type Context,
  type DeclareOptions,
} from "../terminal/command.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { addHelp } from "../terminal/help.ts";
import { printResult, lastShipRows } from "../views/rows.ts";
import { getProjectId } from "../client/project.ts";
import { readSettings } from "../client/settings.ts";
import { say } from "../../shared/report/words.ts";

const WORDS = {
  help: {
    fr: "PROJET est l'identifiant d'un projet visible, ou bien son nom ou son URL, s'ils n'appartiennent qu'à un seul projet. La lecture n'est pas décomptée du quota.",
    en: "PROJECT is an ID, or the name or URL of exactly one visible project. Reading does not count against the quota.",
  },
  reading: {
    fr: "Lecture du dernier déploiement en production",
    en: "Reading the last production deployment",
  },
  none: {
    fr: "aucun déploiement en production pour l'instant.",
    en: "no production deployment yet.",
  },
};

const EXAMPLES = [
  'shipscore last-ship "My shop"',
  "shipscore last-ship prj_7Xk2 --json | jq .lastShip.score",
];

export function declareLastShip(command: Command, { choose, language }: DeclareOptions): void {
  const flags = { example: "lastShip.score", schema: LastShipResponse };
  addHelp(
    addCommonFlags(command.argument("<project>"), flags, language),
    { examples: EXAMPLES, parts: [WORDS.help] },
    language,
  ).action((project: string, typed: CommonFlags) =>
    choose(typed, (context) => runLastShip(context, project, typed)),
  );
}

async function runLastShip(
  context: Context,
  project: string,
  flags: CommonFlags,
): Promise<ExitCode> {
  const { io } = context;
  const api = openApi(readSettings(context.env, flags), context);
  const received = await io.showProgress(say(WORDS.reading, io.language), async () =>
    api.getLastShip(await getProjectId(api, project)),
  );
  if (received.lastShip === null && io.screen === null && !flags.json)
    await io.note(`shipscore: ${say(WORDS.none, io.language)}`);
  await printResult(io, flags, received, {
    rows: lastShipRows,
    page: async (clean, screen) => {
      const { formatLastShipCard } = await import("../views/last-ship-card.ts");
      return formatLastShipCard(clean, context.now(), screen);
    },
  });
  return EXIT.done;
}
