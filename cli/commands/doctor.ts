import type { Command } from "commander";
import type { Choose, CommonFlags } from "../terminal/command.ts";
import type { Context } from "../terminal/context.ts";
import { diagnose, type Step } from "../client/doctor.ts";
import { CliError, describeError } from "../terminal/errors.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { formatJson } from "../terminal/json.ts";
import { cleanText } from "../terminal/clean.ts";
import { formatStep } from "../views/doctor-list.ts";
import { formatRows } from "../terminal/rows.ts";

const EXAMPLES = `
Tries each step of a request in turn, and says what to do about the first that
fails, and exits with the code of that step.

Examples:
  shipscore doctor
  shipscore doctor --base-url https://shipscore.example.com
`;

type DoctorFlags = Pick<CommonFlags, "json" | "baseUrl">;

export function declareDoctor(command: Command, choose: Choose): void {
  command
    .option("--json", "print the steps as JSON")
    .option("--base-url <url>", "address of the server; overrides SHIPSCORE_URL")
    .addHelpText("after", EXAMPLES)
    .action((flags: DoctorFlags) => choose(flags, (context) => runDoctor(context, flags)));
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

async function runDoctor(context: Context, flags: DoctorFlags): Promise<ExitCode> {
  const { io, version } = context;
  const steps: Step[] = [];
  await diagnose(context, flags, version, async (step) => {
    steps.push(step);
    if (flags.json) return;
    const { step: name, state, text } = summarise(step);
    const line = io.screen
      ? formatStep({ name, state, text: cleanText(text) }, io.screen)
      : formatRows([[name, state, cleanText(text)]]);
    await io.print(line);
  });
  if (flags.json) await io.print(formatJson({ steps: steps.map(summarise) }));
  const failed = steps.map(({ outcome }) => outcome).find((outcome) => outcome instanceof CliError);
  return failed?.exitCode ?? EXIT.done;
}
