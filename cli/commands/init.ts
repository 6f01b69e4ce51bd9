import type { Command } from "commander";
import { CONFIG_FILE } from "../check/page-flags.ts";
import { addHelp, type Choose, refuseRepeats } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-codes.ts";

interface InitFlags {
  readonly url?: string;
  readonly yes?: true;
  readonly force?: true;
}

const EXAMPLES = `
The file names the site, its pages and the gate: 'shipscore check' reads it
where no URL is given. On a terminal the command asks for what it is not told.

Examples:
  shipscore init
  shipscore init --url https://example.com/ --yes
`;

export function declareInit(command: Command, choose: Choose): void {
  command
    .option("--url <url>", "the address of the site, or of the page to begin with")
    .option("--yes", "ask nothing, also on a terminal")
    .option("--force", `replace a ${CONFIG_FILE} that is there`);
  refuseRepeats(command, []);
  addHelp(command, EXAMPLES).action((flags: InitFlags) =>
    choose({}, async (context) => {
      const { writeConfig } = await import("../config/init.ts");
      await writeConfig(context, CONFIG_FILE, flags);
      return EXIT.done;
    }),
  );
}
