import type { Command } from "commander";
import { readSettings } from "../client/settings.ts";
import {
  type CommonFlags,
  type DeclareOptions,
  refuseRepeats,
  wholeNumber,
} from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { formatParts } from "../terminal/help.ts";
import { describeMcp } from "./help-topics.ts";
import { say } from "../../shared/report/words.ts";

const HELP = {
  baseUrl: {
    fr: "l'URL du serveur ; remplace SHIPSCORE_URL",
    en: "the server's URL; overrides SHIPSCORE_URL",
  },
  timeout: {
    fr: "durée maximale d'un appel (60 par défaut)",
    en: "give up on a call after this long (default: 60)",
  },
  verbose: {
    fr: "tracer les requêtes sur stderr, sans le jeton",
    en: "trace requests on stderr, without the token",
  },
};

export function declareMcp(command: Command, { choose, isWhole, language }: DeclareOptions): void {
  command
    .option("--base-url <url>", say(HELP.baseUrl, language))
    .option("--timeout <seconds>", say(HELP.timeout, language), wholeNumber(1, 3600))
    .option("--verbose", say(HELP.verbose, language));
  refuseRepeats(command, []);
  command
    .addHelpText("after", `\n${formatParts(describeMcp(isWhole), language)}\n`)
    .action((flags: Pick<CommonFlags, "baseUrl" | "timeout" | "verbose">) =>
      choose({}, async (context) => {
        const { runBridge } = await import("../bridge/bridge.ts");
        await runBridge(readSettings(context.env, flags), context);
        return EXIT.done;
      }),
    );
}
