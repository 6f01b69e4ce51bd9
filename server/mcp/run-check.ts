import { Check } from "../../shared/check.ts";
import { RunCheckInput, RunCheckResult } from "../../shared/tools.ts";
import { runCheck } from "../checks/check.ts";
import { reportCheck } from "./check-report.ts";
import { defineTool } from "./tool.ts";

export const runCheckTool = defineTool({
  name: "run_check",
  title: "Check a URL",
  description:
    "Verifies a public https URL now and returns its Ship Score from 0 to 100, with what costs points and how to fix it. Each call takes one check of the account's monthly quota.",
  input: RunCheckInput,
  output: RunCheckResult,
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  async call(deps, { actor, signal, onStep, ...context }, input) {
    const { url, preview, language = context.language } = input;
    const answer = await runCheck(deps, actor, {
      request: { url, preview, headers: {} },
      language,
      signal,
      onStep,
    });
    return reportCheck(Check.parse(JSON.parse(answer)), language);
  },
});
