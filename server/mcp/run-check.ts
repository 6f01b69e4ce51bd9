import * as z from "zod";
import { Check, CheckRequest } from "../../shared/check.ts";
import { LANGUAGES } from "../language.ts";
import { runCheck } from "../verify/check.ts";
import { defineTool } from "./tool.ts";

const RunCheckInput = CheckRequest.pick({ url: true, preview: true }).extend({
  language: z.enum(LANGUAGES).optional(),
});

/** The check of `POST /check`, counted by the same quota. */
export const runCheckTool = defineTool({
  name: "run_check",
  title: "Check a URL",
  description:
    "Verifies a public https URL now and returns its Ship Score from 0 to 100, with what costs points and how to fix it. Each call takes one check of the account's monthly quota.",
  input: RunCheckInput,
  output: Check,
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  async call(deps, { actor, language, signal, onStep }, input) {
    const { url, preview } = input;
    const answer = await runCheck(deps, actor, {
      request: { url, preview, headers: {} },
      language: input.language ?? language,
      signal,
      onStep,
    });
    const structured = Check.parse(JSON.parse(answer));
    return { structured, text: answer };
  },
});
