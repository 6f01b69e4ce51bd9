import { existsSync } from "node:fs";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import { completeUrl } from "../check/urls.ts";
import { writeFiles } from "../reports/files.ts";
import { type Context, type DeclareOptions, refuseRepeats } from "../terminal/command.ts";
import { usageError } from "../terminal/errors.ts";
import { isUrl } from "../../shared/url.ts";
import { checkOwnFile } from "../config/path-guard.ts";
import type { Command } from "commander";
import { CONFIG_FILE } from "../check/page-flags.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { addHelp } from "../terminal/help.ts";
import { say } from "../../shared/report/words.ts";

function formatConfig(text: string): string {
  const word = completeUrl(text.trim());
  const url = isUrl(word) ? new URL(word) : undefined;
  if (url?.protocol !== "https:" || url.username || url.password)
    throw usageError(
      {
        fr: `« ${withoutSecrets(text)} » n'est pas une URL https`,
        en: `'${withoutSecrets(text)}' is not an https URL`,
      },
      {
        fr: "Indiquez une URL telle que https://example.com/, sans identifiant",
        en: "Use a URL such as https://example.com/, without a user name",
      },
    );
  const { origin, pathname, search } = url;
  const path = pathname.replace(/^\/+/, "/");
  const config = { site: origin, pages: [path + search], gate: { minScore: 80 } };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

async function ask(context: Context, question: string): Promise<string | undefined> {
  const input = context.openStdin();
  if (!("isTTY" in input && input.isTTY)) return undefined;
  await context.io.note(question);
  const { createInterface } = await import("node:readline");
  for await (const line of createInterface({ input, signal: context.signal })) return line;
  return undefined;
}

interface InitFlags {
  readonly url?: string;
  readonly yes?: true;
  readonly force?: true;
}

const QUESTION = {
  fr: "Quel site ? https://example.com/, ou une de ses pages :",
  en: "Which site? https://example.com/, or one of its pages:",
};

async function writeConfig(
  context: Context,
  path: string,
  { url: typed, yes, force }: InitFlags,
): Promise<void> {
  const { io } = context;
  checkOwnFile(path);
  if (existsSync(path) && !force)
    throw usageError(
      { fr: `${path} existe déjà`, en: `${path} already exists` },
      {
        fr: "Modifiez-le, ou remplacez-le avec --force",
        en: "Edit it, or replace it with --force",
      },
    );
  const isAsking = typed === undefined && !yes;
  const url = isAsking ? await ask(context, say(QUESTION, io.language)) : typed;
  if (url === undefined)
    throw usageError(
      { fr: "aucune URL n'est indiquée", en: "there is no URL" },
      { fr: "Ajoutez --url https://example.com/", en: "Add --url https://example.com/" },
    );
  await writeFiles([{ path, text: formatConfig(url) }], context.signal);
  const done = {
    fr: `${path} a été écrit ; « shipscore check » le lit.`,
    en: `${path} has been written; 'shipscore check' reads it.`,
  };
  await io.note(`shipscore: ${say(done, io.language)}`);
}

const HELP = {
  url: {
    fr: "l'URL du site, ou de la première page à vérifier",
    en: "the URL of the site, or of the first page to check",
  },
  yes: { fr: "ne rien demander, même sur un terminal", en: "never ask, even on a terminal" },
  force: { fr: `remplacer un ${CONFIG_FILE} existant`, en: `replace an existing ${CONFIG_FILE}` },
};

const CONTENT = {
  fr: "Le fichier contient le site, ses pages et les conditions de déploiement. « shipscore check » le lit quand aucune URL n'est indiquée. Sur un terminal, la commande demande l'URL si elle manque.",
  en: "The file contains the site, its pages and the gate. 'shipscore check' reads it if there is no URL. On a terminal, the command asks for a missing URL.",
};

const EXAMPLES = ["shipscore init", "shipscore init --url https://example.com/ --yes"];

export function declareInit(command: Command, { choose, language }: DeclareOptions): void {
  command
    .option("--url <url>", say(HELP.url, language))
    .option("--yes", say(HELP.yes, language))
    .option("--force", say(HELP.force, language));
  refuseRepeats(command, []);
  addHelp(command, { examples: EXAMPLES, parts: [CONTENT] }, language).action((flags: InitFlags) =>
    choose({}, async (context) => {
      await writeConfig(context, CONFIG_FILE, flags);
      return EXIT.done;
    }),
  );
}
