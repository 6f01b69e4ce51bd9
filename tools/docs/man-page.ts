import type { Command, Option } from "commander";
import { describeCommands } from "../../cli/program.ts";
import { ENVIRONMENT, formatExitCodes, formatOutput } from "../../cli/commands/help-topics.ts";
import manifest from "../../cli/package.json" with { type: "json" };

/** Text for roff: backslashes and hyphens are escaped, and no line begins with a control character. */
function escapeRoff(text: string): string {
  return text
    .replaceAll("\\", String.raw`\e`)
    .replaceAll("-", String.raw`\-`)
    .replaceAll(/^([.'])/gm, String.raw`\&$1`);
}

function describeOption({ flags, description }: { flags: string; description: string }): string {
  return `.TP\n.B ${escapeRoff(flags)}\n${escapeRoff(description)}`;
}

/** The flags of a command, each group under its heading. */
function describeOptions(command: Command): string[] {
  const help = command.createHelp();
  const groups = help.groupItems<Option>(
    [...command.options],
    help.visibleOptions(command),
    ({ helpGroupHeading }) => helpGroupHeading ?? "Options:",
  );
  return [...groups].flatMap(([heading, options]) => [
    `.PP\n${heading}`,
    ...options.map(describeOption),
  ]);
}

/** Text whose line breaks are preserved. */
function keepLines(text: string): string {
  return `.nf\n${escapeRoff(text.replace(/^\n+/, "").trimEnd())}\n.fi`;
}

function describeCommand(command: Command): string {
  const texts: string[] = [];
  command.configureOutput({ writeOut: (text) => texts.push(text) });
  command.outputHelp();
  const epilogue = texts
    .filter((text) => !text.startsWith("Usage:"))
    .join("")
    .trim();
  return [
    `.SS ${escapeRoff(`shipscore ${command.name()} ${command.usage()}`)}`,
    escapeRoff(command.description()),
    ...describeOptions(command),
    ...(epilogue === "" ? [] : [".PP", keepLines(epilogue)]),
  ].join("\n");
}

/** A topic of `shipscore help` under a heading of its own. */
function describeTopic(text: string): string {
  const [heading = "", ...lines] = text.split("\n");
  return `.SH ${heading.toUpperCase()}\n${keepLines(lines.join("\n"))}`;
}

/** docs/shipscore.1: the manual page, made from the texts of the help. */
export async function describeManual(): Promise<string> {
  const commands = await describeCommands(manifest.version);
  return [
    `.TH SHIPSCORE 1 "" "shipscore ${manifest.version}" "shipscore"`,
    ".SH NAME",
    String.raw`shipscore \- is this URL fit to ship?`,
    ".SH SYNOPSIS",
    String.raw`.B shipscore` + "\n.I command\n[options] [arguments]",
    ".SH DESCRIPTION",
    "Verifies pages over HTTPS and prints their Ship Score, from 0 to 100, explained point by point.",
    "The commands ask a shipscore server for a check, which may be a gate in CI, for what is failing now, and for what was",
    "shipped last. What a rule measures, and why, the command knows without a server.",
    ".SH COMMANDS",
    ...commands.map(describeCommand),
    ...[formatExitCodes(), ENVIRONMENT, formatOutput(true)].map(describeTopic),
    ".SH SEE ALSO",
    escapeRoff("shipscore help ci, and docs/ in the package."),
  ]
    .join("\n")
    .concat("\n");
}
