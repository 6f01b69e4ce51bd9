import type { Command } from "commander";
import { addCommonFlags, addHelp, type Choose, type CommonFlags } from "../terminal/command.ts";
import type { Context } from "../terminal/context.ts";
import type { Step } from "../client/doctor.ts";
import { CliError, describeError } from "../terminal/errors.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { listOf, objectOf } from "../terminal/field.ts";
import { formatValue } from "../terminal/output.ts";
import { cleanText } from "../terminal/clean.ts";
import { formatRows } from "../terminal/rows.ts";

const EXAMPLES = `
Tries each step of a request in turn, says what to do about the first that
fails, and exits with the code of that step. A value that nobody set is followed
by (default). --timeout limits all steps together; else each has 5 or 10 s.

Examples:
  shipscore doctor
  shipscore doctor --base-url https://shipscore.example.com
`;

const listStepFields = () =>
  objectOf({ steps: listOf(objectOf({ step: {}, state: {}, text: {}, exitCode: {} })) });

export function declareDoctor(command: Command, choose: Choose): void {
  addHelp(
    addCommonFlags(command, "steps.0.state", { name: "the steps", fields: listStepFields }),
    EXAMPLES,
  ).action((flags: CommonFlags) => choose(flags, (context) => runDoctor(context, flags)));
}

function summarise({ name, outcome }: Step) {
  if (outcome === null) return { step: name, state: "skipped", text: "" };
  if (outcome instanceof CliError)
    return {
      step: name,
      state: "failed",
      text: describeError(outcome),
      exitCode: outcome.exitCode,
    };
  return { step: name, state: outcome.isDoubtful ? "doubtful" : "good", text: outcome.text };
}

async function runDoctor(context: Context, flags: CommonFlags): Promise<ExitCode> {
  const { io, version } = context;
  const steps: Step[] = [];
  const { diagnose } = await import("../client/doctor.ts");
  const isValue = flags.json === true || flags.field !== undefined;
  await diagnose(context, flags, version, async (step) => {
    steps.push(step);
    if (isValue) return;
    const { step: name, state, text } = summarise(step);
    const line = io.screen
      ? (await import("../views/pages.ts")).formatStep(
          { name, state, text: cleanText(text) },
          io.screen,
        )
      : formatRows([[name, state, cleanText(text)]]);
    await io.print(line);
  });
  const value = formatValue(flags, { steps: steps.map(summarise) });
  if (value !== undefined) await io.print(value);
  const failed = steps.map(({ outcome }) => outcome).find((outcome) => outcome instanceof CliError);
  return failed?.exitCode ?? EXIT.done;
}
