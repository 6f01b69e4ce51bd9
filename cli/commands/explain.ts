import { Argument, type Command } from "commander";
import { readKnownRuleId } from "../check/rule-arguments.ts";
import { CATEGORY_OF, formatRuleIds } from "../rules/rule-ids.ts";
import {
  addHelp,
  type Choose,
  colorOption,
  type CommonFlags,
  refuseRepeats,
  type Context,
} from "../terminal/command.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { printResult, COLUMNS, rowOf } from "../views/rows.ts";
import type { Language } from "../../shared/language.ts";
import { readLanguage } from "../terminal/words.ts";
import type { Opened } from "../../shared/report/reported.ts";
import type { ExplainedRule } from "../client/json-output.ts";

type ExplainFlags = Pick<CommonFlags, "json" | "field" | "color">;

const describeRules = (isWhole: boolean) => `
Says what a rule measures, why, and how to fix it, in the language of the
locale. Nothing is sent: the command has the rules of its own version in itself.
What a page did is in 'shipscore check URL --explain RULE'.
${isWhole ? `\nRules:\n${formatRuleIds()}\n` : "--help-all lists the rules.\n"}
Examples:
  shipscore explain hdr.csp
  LANG=fr_FR.UTF-8 shipscore explain tls.chain
  shipscore explain hdr.csp --field fix
`;

export function declareExplain(command: Command, choose: Choose, isWhole: boolean): void {
  command
    .addArgument(
      new Argument("<rule>", "the rule's id, such as hdr.csp").argParser(readKnownRuleId),
    )
    .optionsGroup("Output:")
    .option("--json", "print the rule as JSON")
    .option("--field <path>", "print one field of that JSON, such as title")
    .addOption(colorOption());
  refuseRepeats(command, []);
  addHelp(command, describeRules(isWhole)).action((rule: string, flags: ExplainFlags) =>
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
  await printResult(context.io, flags, await readRule(id, readLanguage(context.env)), {
    rows: (rule) => [rowOf(COLUMNS.explain, rule)],
    page: async (rule, screen) => (await import("../views/rule-page.ts")).formatRule(rule, screen),
  });
  return EXIT.done;
}
