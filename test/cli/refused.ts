import { expect } from "vitest";
import { parseCommandLine } from "../../cli/program.ts";
import type { CliError } from "../../cli/terminal/errors.ts";

interface Refusal {
  readonly message?: unknown;
  readonly advice?: unknown;
}

/** Expects a command line to be refused for its usage, in both languages, before anything is read or sent. */
export async function expectRefused(
  words: readonly string[],
  { message = expect.any(String), advice = expect.any(String) }: Refusal = {},
): Promise<void> {
  const error = await parseCommandLine([...words], "1.0.0").then(
    () => undefined,
    (thrown: CliError) => thrown,
  );
  expect(error).toMatchObject({ exitCode: 2, what: { en: message }, advice: { en: advice } });
  expectFrench(error?.what.fr);
  expectFrench(error?.advice?.fr);
}

const ENGLISH =
  /\b(?:the|with|without|of|and|is|are|has|have|does|use|run|add|give|there|which|that|needs?|unknown|missing|to|in)\b(?![-=.:/])/i;

/** Expects a text without English words, apart from quotations, flags and addresses. */
export function expectFrench(text: string | undefined): void {
  const prose = text?.replace(/«[^»]*»|"[^"]*"|'[^' ]*'|--[\w-]+|https?:\/\/\S+/g, "");
  expect(prose?.match(ENGLISH) ?? []).toEqual([]);
}
