import { Argument, type Command } from "commander";
import { readKnownRuleId } from "../check/rule-arguments.ts";
import { CATEGORY_OF, formatRuleIds } from "../rules/rule-ids.ts";
import {
  colorOption,
  type CommonFlags,
  type Context,
  type DeclareOptions,
  refuseRepeats,
} from "../terminal/command.ts";
import { addHelp, type HelpPart } from "../terminal/help.ts";
import { say } from "../../shared/report/words.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { printResult, COLUMNS, rowOf } from "../views/rows.ts";
import type { Language } from "../../shared/language.ts";
import type { Opened } from "../../shared/report/reported.ts";
import type { ExplainedRule } from "../client/json-output.ts";

type ExplainFlags = Pick<CommonFlags, "json" | "field" | "color">;

const HELP = {
  rule: {
    fr: "l'identifiant de la règle, par exemple hdr.csp",
    en: "the rule's ID, such as hdr.csp",
  },
  json: { fr: "afficher la règle en JSON", en: "print the rule as JSON" },
  field: {
    fr: "afficher un seul champ de ce JSON, par exemple title",
    en: "print one field of that JSON, such as title",
  },
};

const MEANING = {
  fr: "Indique ce qu'une règle vérifie, l'enjeu et la correction, dans la langue du système. Rien n'est envoyé : la commande contient les règles de sa version. Le résultat d'une page s'obtient avec « shipscore check URL --explain RÈGLE ».",
  en: "Says what a rule checks, why it matters and how to fix it, in your locale's language. Nothing is sent: the command has its version's rules built in. For a page's result, use 'shipscore check URL --explain RULE'.",
};

const describeRules = (isWhole: boolean): readonly HelpPart[] =>
  isWhole
    ? [{ fr: "Règles :", en: "Rules:" }, formatRuleIds()]
    : [{ fr: "--help-all liste les règles.", en: "--help-all lists the rules." }];

const EXAMPLES = [
  "shipscore explain hdr.csp",
  "LANG=fr_FR.UTF-8 shipscore explain tls.chain",
  "shipscore explain hdr.csp --field fix",
];

export function declareExplain(
  command: Command,
  { choose, isWhole, language }: DeclareOptions,
): void {
  command
    .addArgument(new Argument("<rule>", say(HELP.rule, language)).argParser(readKnownRuleId))
    .optionsGroup("Output:")
    .option("--json", say(HELP.json, language))
    .option("--field <path>", say(HELP.field, language))
    .addOption(colorOption(language));
  refuseRepeats(command, []);
  const parts = [MEANING, ...describeRules(isWhole)];
  addHelp(command, { examples: EXAMPLES, parts }, language).action(
    (rule: string, flags: ExplainFlags) =>
      choose(flags, (context) => runExplain(context, rule, flags)),
  );
}

async function readRule(id: string, language: Language): Promise<Opened<ExplainedRule>> {
  const { findTexts } = await import("../rules/texts.ts");
  const texts = findTexts(id);
  const category = CATEGORY_OF[id];
  if (!texts || category === undefined) throw new Error(`${id} has no texts`);
  const { points, cap, fixLine } = texts;
  const title = texts.title[language];
  const [why, fix, measures] = [texts.why[language], texts.fix[language], texts.measures[language]];
  return { id, category, points, title, why, fix, measures, cap, fixLine };
}

async function runExplain(context: Context, id: string, flags: ExplainFlags): Promise<ExitCode> {
  await printResult(context.io, flags, await readRule(id, context.io.language), {
    rows: (rule) => [rowOf(COLUMNS.explain, rule)],
    page: async (rule, screen) => (await import("../views/rule-page.ts")).formatRule(rule, screen),
  });
  return EXIT.done;
}
