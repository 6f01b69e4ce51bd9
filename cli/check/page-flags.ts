import type { Command } from "commander";
import { wholeNumber } from "../terminal/command.ts";
import { usageError } from "../terminal/errors.ts";
import { completeUrl } from "./urls.ts";

/** Which pages `check` judges, and how they are visited. */
export interface PageFlags {
  readonly urls?: string;
  readonly preview?: true;
  readonly waitForReady?: number;
}

export function addPageFlags(command: Command): Command {
  return command
    .argument("[url...]")
    .optionsGroup("Pages:")
    .option("--urls <file>", "more URLs, one per line; - reads stdin")
    .option("--preview", "the page is a preview deployment, where a noindex is expected")
    .option(
      "--wait-for-ready <seconds>",
      "first wait for the page to answer, at most this long",
      wholeNumber(1, 3600),
    );
}

/** Refuses what can be no page. @throws CliError 2 */
export function checkPageFlags(typed: readonly string[], { urls }: PageFlags): void {
  if (typed.length === 0 && urls === undefined)
    throw usageError("there is no URL to check", "Give one or more, or --urls FILE");
  for (const word of typed) completeUrl(word);
}
