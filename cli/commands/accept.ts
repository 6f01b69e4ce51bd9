import type { Command } from "commander";
import { readRuleId } from "../check/rule-arguments.ts";
import { CONFIG_FILE } from "../check/page-flags.ts";
import { writeFiles } from "../reports/files.ts";
import { type DeclareOptions, filePath, refuseRepeats, type Context } from "../terminal/command.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { addHelp } from "../terminal/help.ts";
import { describeDay } from "../../shared/report/times.ts";
import { say } from "../../shared/report/words.ts";

interface AcceptFlags {
  readonly reason: string;
  readonly until: string;
  readonly page?: string[];
  readonly config?: string;
}

const HELP = {
  rule: {
    fr: "l'identifiant de la règle, par exemple hdr.csp",
    en: "the rule's ID, such as hdr.csp",
  },
  reason: { fr: "pourquoi le constat est accepté", en: "why the finding is accepted" },
  until: {
    fr: "le dernier jour de l'acceptation, dans un an au plus (UTC)",
    en: "the last day of the acceptance, at most a year from now (UTC)",
  },
  page: {
    fr: "seulement sur cette page, ou sur celles qui correspondent à un motif tel que /legacy/* ; répétable",
    en: "only on this page, or on pages that match a pattern such as /legacy/*; repeatable",
  },
  config: {
    fr: `le fichier à modifier (par défaut ${CONFIG_FILE})`,
    en: `the file to change (default: ${CONFIG_FILE})`,
  },
};

const EFFECT = {
  fr: "Le constat compte alors comme réussi dans les conditions de déploiement ; le score ne change pas. Rien n'est envoyé.",
  en: "The finding then counts as passed in the gate; the score does not change. Nothing is sent.",
};

const EXAMPLES = [
  'shipscore accept hdr.csp --reason "rewritten in March" --until 2027-03-31',
  'shipscore accept html.title --reason "old" --until 2027-01-31 --page "/old/*"',
];

function addPage(pattern: string, earlier: readonly string[] = []): string[] {
  return [...earlier, pattern];
}

export function declareAccept(command: Command, { choose, language }: DeclareOptions): void {
  command
    .argument("<rule>", say(HELP.rule, language), readRuleId)
    .requiredOption("--reason <text>", say(HELP.reason, language))
    .requiredOption("--until <date>", say(HELP.until, language))
    .option("--page <pattern>", say(HELP.page, language), addPage)
    .option("--config <file>", say(HELP.config, language), filePath);
  refuseRepeats(command, ["--page"]);
  addHelp(command, { examples: EXAMPLES, parts: [EFFECT] }, language).action(
    (rule: string, flags: AcceptFlags) => choose({}, (context) => runAccept(context, rule, flags)),
  );
}

async function runAccept(context: Context, rule: string, flags: AcceptFlags): Promise<ExitCode> {
  const { io, signal, now } = context;
  const { language } = io;
  const { config: path = CONFIG_FILE, reason, until, page: pages } = flags;
  const { readConfigFile } = await import("../config/config-file.ts");
  const { addAcceptance, readNewAcceptance } = await import("../config/edit.ts");
  const { checkOwnFile } = await import("../config/path-guard.ts");
  if (flags.config === undefined) checkOwnFile(path);
  const file = readConfigFile(path);
  const added = readNewAcceptance(file, { rule, ...(pages && { pages }), reason, until }, now());
  await writeFiles([{ path, text: addAcceptance(file, added) }], signal);
  const day = describeDay(new Date(until), { language });
  const done = {
    fr: `${path} accepte ${rule} jusqu'au ${day} inclus.`,
    en: `${path} accepts ${rule} until ${day}.`,
  };
  await io.note(`shipscore: ${say(done, language)}`);
  return EXIT.done;
}
