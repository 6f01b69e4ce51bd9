import type { Command } from "commander";
import { readSettings } from "../client/settings.ts";
import { type Choose, type CommonFlags, refuseRepeats, wholeNumber } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { describeMcp } from "./help-topics.ts";

export function declareMcp(command: Command, choose: Choose, isWhole: boolean): void {
  command
    .option("--base-url <url>", "address of the server; overrides SHIPSCORE_URL")
    .option(
      "--timeout <seconds>",
      "give up a call after this long (default: 60)",
      wholeNumber(1, 3600),
    )
    .option("--verbose", "trace requests on stderr, without the token");
  refuseRepeats(command, []);
  command
    .addHelpText("after", describeMcp(isWhole))
    .action((flags: Pick<CommonFlags, "baseUrl" | "timeout" | "verbose">) =>
      choose({}, async (context) => {
        const { runBridge } = await import("../bridge/bridge.ts");
        await runBridge(readSettings(context.env, flags), context);
        return EXIT.done;
      }),
    );
}
