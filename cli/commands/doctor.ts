import type { Command } from "commander";
import {
  addCommonFlags,
  addHelp,
  type Choose,
  type CommonFlags,
  type Context,
} from "../terminal/command.ts";
import { Diagnosis, type Step } from "../client/json-output.ts";
import type { ExitCode } from "../terminal/exit-codes.ts";
import { formatValue, formatRows } from "../views/rows.ts";
import { cleanValue } from "../terminal/json.ts";

const EXAMPLES = `
Tries each step of a request in turn, says what to do about the first that
fails, and exits with the code of that step. A value that nobody set is followed
by (default). --timeout limits all steps together; else each has 5 or 10 s.

Examples:
  shipscore doctor
  shipscore doctor --base-url https://shipscore.example.com
`;

export function declareDoctor(command: Command, choose: Choose): void {
  addHelp(
    addCommonFlags(command, "steps.0.state", { name: "the steps", schema: Diagnosis }),
    EXAMPLES,
  ).action((flags: CommonFlags) => choose(flags, (context) => runDoctor(context, flags)));
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
      ? (await import("../views/doctor-list.ts")).formatStep(cleanValue(step), io.screen)
      : formatRows([[step.step, step.state, step.text]]);
    await io.print(line);
  });
  const value = formatValue(flags, { steps });
  if (value !== undefined) await io.print(value);
  return exitCode;
}
