import type { Command } from "commander";
import { readRuleId } from "../check/rule-arguments.ts";
import { CONFIG_FILE } from "../check/page-flags.ts";
import { writeFiles } from "../reports/files.ts";
import {
  addHelp,
  type Choose,
  filePath,
  refuseRepeats,
  type Context,
} from "../terminal/command.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";

interface AcceptFlags {
  readonly reason: string;
  readonly until: string;
  readonly page?: string[];
  readonly config?: string;
}

const EXAMPLES = `
The finding then counts as passed at the gate, and its score stays what it is.
Nothing is sent.

Examples:
  shipscore accept hdr.csp --reason "rewritten in March" --until 2027-03-31
  shipscore accept html.title --reason "old pages" --until 2027-01-31 --page "/legacy/*"
`;

function addPage(pattern: string, earlier: readonly string[] = []): string[] {
  return [...earlier, pattern];
}

export function declareAccept(command: Command, choose: Choose): void {
  command
    .argument("<rule>", "the rule's id, such as hdr.csp", readRuleId)
    .requiredOption("--reason <text>", "why the finding is accepted")
    .requiredOption("--until <date>", "the last day on which it is, at most a year ahead (UTC)")
    .option(
      "--page <pattern>",
      "accept it on this page alone, or on those that match, such as /legacy/*; repeatable",
      addPage,
    )
    .option("--config <file>", `the file that it is added to (default: ${CONFIG_FILE})`, filePath);
  refuseRepeats(command, ["--page"]);
  addHelp(command, EXAMPLES).action((rule: string, flags: AcceptFlags) =>
    choose({}, (context) => runAccept(context, rule, flags)),
  );
}

async function runAccept(context: Context, rule: string, flags: AcceptFlags): Promise<ExitCode> {
  const { io, signal, now } = context;
  const { config: path = CONFIG_FILE, reason, until, page: pages } = flags;
  const { readConfigFile } = await import("../config/config-file.ts");
  const { addAcceptance, readNewAcceptance } = await import("../config/edit.ts");
  const { checkOwnFile } = await import("../config/path-guard.ts");
  if (flags.config === undefined) checkOwnFile(path);
  const file = readConfigFile(path);
  const added = readNewAcceptance(file, { rule, ...(pages && { pages }), reason, until }, now());
  await writeFiles([{ path, text: addAcceptance(file, added) }], signal);
  await io.note(`shipscore: ${path} accepts ${rule} until ${until}.`);
  return EXIT.done;
}
