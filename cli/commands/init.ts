import { existsSync } from "node:fs";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import { completeUrl } from "../check/urls.ts";
import { writeFiles } from "../reports/files.ts";
import { type Context, addHelp, type Choose, refuseRepeats } from "../terminal/command.ts";
import { usageError } from "../terminal/errors.ts";
import { isUrl } from "../../shared/url.ts";
import { checkOwnFile } from "../config/path-guard.ts";
import type { Command } from "commander";
import { CONFIG_FILE } from "../check/page-flags.ts";
import { EXIT } from "../terminal/exit-codes.ts";

/** The text of a first file, whose gate asks for what ships. @throws CliError 2 for no https address */
function formatConfig(address: string): string {
  const word = completeUrl(address.trim());
  const url = isUrl(word) ? new URL(word) : undefined;
  if (url?.protocol !== "https:" || url.username || url.password)
    throw usageError(
      `'${withoutSecrets(address)}' is no https address`,
      "Give one such as https://example.com/, without a user name",
    );
  const { origin, pathname, search } = url;
  const path = pathname.replace(/^\/+/, "/");
  const config = { site: origin, pages: [path + search], gate: { minScore: 80 } };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

/** Asks on a terminal; undefined where nobody is there. */
async function ask(context: Context, question: string): Promise<string | undefined> {
  const input = context.openStdin();
  if (!("isTTY" in input && input.isTTY)) return undefined;
  await context.io.note(question);
  const { createInterface } = await import("node:readline");
  for await (const line of createInterface({ input, signal: context.signal })) return line;
  return undefined;
}

/**
 * Writes a first file of settings.
 * @throws CliError 2 for one that is there, and where an address is missing and nobody can be asked
 */
async function writeConfig(
  context: Context,
  path: string,
  { url, yes, force }: { readonly url?: string; readonly yes?: true; readonly force?: true },
): Promise<void> {
  checkOwnFile(path);
  if (existsSync(path) && !force)
    throw usageError(`${path} is there already`, "Edit it, or replace it with --force");
  const isAsking = url === undefined && !yes;
  const address = isAsking
    ? await ask(context, "Which site? https://example.com/, or a page of it:")
    : url;
  if (address === undefined)
    throw usageError("there is no address", "Give --url https://example.com/");
  const text = formatConfig(address);
  await writeFiles([{ path, text }], context.signal);
  await context.io.note(`shipscore: ${path} is written; 'shipscore check' reads it.`);
}

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
      await writeConfig(context, CONFIG_FILE, flags);
      return EXIT.done;
    }),
  );
}
