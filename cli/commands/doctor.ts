import type { Command } from "commander";
import {
  addCommonFlags,
  type CommonFlags,
  type Context,
  type DeclareOptions,
} from "../terminal/command.ts";
import { Diagnosis } from "../client/json-output.ts";
import type { Step } from "../client/doctor.ts";
import type { ExitCode } from "../terminal/exit-codes.ts";
import { addHelp } from "../terminal/help.ts";
import { formatValue, formatRows } from "../views/rows.ts";
import { say } from "../../shared/report/words.ts";

const JSON_FLAG = { fr: "afficher les étapes en JSON", en: "print the steps as JSON" };

const STEPS = {
  fr: "Teste chaque étape d'une requête, indique comment corriger la première étape qui échoue, et renvoie le code de sortie de cette étape. « (par défaut) » signale une valeur qui n'a pas été définie. --timeout limite l'ensemble des étapes ; sans cette option, chacune dispose de 5 ou 10 s.",
  en: "Tests each step of a request, says how to fix the first step that fails, and exits with that step's code. “(default)” marks a value that is not set. --timeout limits all steps together; without it, each step has 5 or 10 s.",
};

const EXAMPLES = ["shipscore doctor", "shipscore doctor --base-url https://shipscore.example.com"];

export function declareDoctor(command: Command, { choose, language }: DeclareOptions): void {
  const flags = { example: "steps.0.state", json: JSON_FLAG, schema: Diagnosis };
  addHelp(
    addCommonFlags(command, flags, language),
    { examples: EXAMPLES, parts: [STEPS] },
    language,
  ).action((typed: CommonFlags) => choose(typed, (context) => runDoctor(context, typed)));
}

async function runDoctor(context: Context, flags: CommonFlags): Promise<ExitCode> {
  const { io } = context;
  const steps: Step[] = [];
  const { diagnose } = await import("../client/doctor.ts");
  const isValue = flags.json === true || flags.field !== undefined;
  const exitCode = await diagnose(context, flags, async (step) => {
    steps.push(step);
    if (isValue) return;
    const line = io.screen
      ? (await import("../views/doctor-list.ts")).formatStep(step, io.screen)
      : formatRows([[step.name.en, step.state, say(step.text, io.language)]]);
    await io.print(line);
  });
  const json = steps.map(({ name, text, ...rest }) => ({ step: name.en, ...rest, text: text.en }));
  const value = formatValue(flags, { steps: json });
  if (value !== undefined) await io.print(value);
  return exitCode;
}
