import type { Command, Option } from "commander";
import { describeCommands } from "../../cli/program.ts";
import {
  formatEnvironment,
  formatExitCodes,
  formatOutput,
} from "../../cli/commands/help-topics.ts";
import manifest from "../../cli/package.json" with { type: "json" };

function escapeRoff(text: string): string {
  return text
    .replaceAll("\\", String.raw`\e`)
    .replaceAll("-", String.raw`\-`)
    .replaceAll(/^([.'])/gm, String.raw`\&$1`);
}

function describeOption({ flags, description }: { flags: string; description: string }): string {
  return `.TP\n.B ${escapeRoff(flags)}\n${escapeRoff(description)}`;
}

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

function formatLines(text: string): string {
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
    ...(epilogue === "" ? [] : [".PP", formatLines(epilogue)]),
  ].join("\n");
}

function describeTopic(text: string): string {
  const [heading = "", ...lines] = text.split("\n");
  return `.SH ${heading.toUpperCase()}\n${formatLines(lines.join("\n"))}`;
}

export async function describeManual(): Promise<string> {
  const commands = await describeCommands(manifest.version);
  return [
    `.TH SHIPSCORE 1 "" "shipscore ${manifest.version}" "shipscore"`,
    ".SH NAME",
    String.raw`shipscore \- is this URL fit to ship?`,
    ".SH SYNOPSIS",
    String.raw`.B shipscore` + "\n.I command\n[options] [arguments]",
    ".SH DESCRIPTION",
    "Checks pages over HTTPS and prints their Ship Score, from 0 to 100, explained point by point.",
    "The commands send requests to a shipscore server: to check a page, also as a gate in CI, to list open incidents, and to",
    "show the last production deployment. The commands explain and check \\-\\-from need none.",
    ".SH COMMANDS",
    ...commands.map(describeCommand),
    ...[formatExitCodes("en"), formatEnvironment("en"), formatOutput("en", true)].map(
      describeTopic,
    ),
    ".SH SEE ALSO",
    escapeRoff("shipscore help ci, and docs/ in the package."),
  ]
    .join("\n")
    .concat("\n");
}
