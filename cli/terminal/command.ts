import type { Readable } from "node:stream";
import { type Command, Option } from "commander";
import type { Language, Text } from "../../shared/language.ts";
import { say } from "../../shared/report/words.ts";
import type { Env, Io, OutputOptions } from "./io.ts";
import type * as z from "zod/mini";
import { usageError, CliError, ValueError } from "./errors.ts";
import { type ExitCode, EXIT } from "./exit-codes.ts";
import { checkField } from "./json.ts";
import { setTimeout as sleep } from "node:timers/promises";

/** `signal` aborts when the user or the system ends the command. */
export interface Context {
  readonly env: Env;
  readonly io: Io;
  readonly version: string;
  readonly openStdin: () => Readable;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly describeCommands: () => Promise<Command[]>;
}

export interface Invocation extends OutputOptions {
  /** Errors are printed as JSON too. */
  readonly isJson: boolean;
  run(context: Context): Promise<ExitCode>;
}

export interface CommonFlags {
  readonly json?: true;
  readonly field?: string;
  readonly baseUrl?: string;
  readonly timeout?: number;
  readonly verbose?: true;
  readonly color?: OutputOptions["color"];
}

/** The action of a command calls it once arguments and flags are parsed. */
export type Choose = (
  flags: Pick<CommonFlags, "json" | "color"> & { readonly quiet?: true },
  run: Invocation["run"],
) => void;

export interface DeclareOptions {
  readonly choose: Choose;
  readonly isWhole: boolean;
  readonly language: Language;
}

export type Declare = (command: Command, options: DeclareOptions) => void;

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new ValueError({
      fr: `Indiquez un nombre entier de ${min} à ${max}`,
      en: `Use a whole number from ${min} to ${max}`,
    });
  };
}

export function filePath(text: string): string {
  if (text === "")
    throw new ValueError({ fr: "Indiquez le chemin d'un fichier", en: "Use the path of a file" });
  return text;
}

/** The last value would silently replace the first. */
export function refuseRepeats(command: Command, repeatable: readonly string[]): void {
  for (const option of command.options.filter(({ long }) => !repeatable.includes(long ?? ""))) {
    let count = 0;
    command.on(`option:${option.name()}`, () => {
      count += 1;
      if (count === 1) return;
      throw usageError(
        { fr: `${option.long} figure deux fois`, en: `${option.long} is used twice` },
        { fr: "Indiquez cette option une seule fois", en: "Use it once" },
      );
    });
  }
}

interface CommonFlagOptions {
  /** A field that `--field` can print. */
  readonly example: string;
  /** The flag `--json` in the help. */
  readonly json?: Text;
  /** Only where the JSON does not depend on other flags. */
  readonly schema?: z.core.$ZodType;
}

export const rare = (flags: string, description: string) =>
  new Option(flags, description).hideHelp();

const COLOR = {
  fr: "les couleurs : auto (par défaut), always ou never",
  en: "colors: auto (the default), always or never",
};

export const colorOption = (language: Language) =>
  rare("--color <when>", say(COLOR, language)).choices(["auto", "always", "never"]);

const SERVER_FLAGS = {
  baseUrl: {
    fr: "l'URL du serveur ; remplace SHIPSCORE_URL",
    en: "the server's URL; overrides SHIPSCORE_URL",
  },
  timeout: {
    fr: "délai maximal, nouvelles tentatives comprises (60 par défaut)",
    en: "give up after this long, retries included (default: 60)",
  },
  verbose: {
    fr: "tracer les requêtes sur stderr, sans le jeton",
    en: "trace requests on stderr, without the token",
  },
};

const API_JSON = {
  fr: "afficher la réponse de l'API en JSON",
  en: "print the API's response as JSON",
};

export function addServerFlags(command: Command, language: Language): Command {
  return command
    .addOption(rare("--base-url <url>", say(SERVER_FLAGS.baseUrl, language)))
    .addOption(
      rare("--timeout <seconds>", say(SERVER_FLAGS.timeout, language)).argParser(
        wholeNumber(1, 3600),
      ),
    )
    .addOption(rare("--verbose", say(SERVER_FLAGS.verbose, language)));
}

export function addCommonFlags(
  command: Command,
  { example, json = API_JSON, schema }: CommonFlagOptions,
  language: Language,
): Command {
  const readField = (path: string) => {
    if (schema) checkField(path, schema);
    return path;
  };
  const field = {
    fr: `afficher un champ, comme ${example}`,
    en: `print one field of it, such as ${example}`,
  };
  command
    .optionsGroup("Output:")
    .option("--json", say(json, language))
    .option("--field <path>", say(field, language), readField)
    .addOption(colorOption(language))
    .optionsGroup("Server:");
  return addServerFlags(command, language);
}

export interface Display<T> {
  /** Resolves to false when the reader of the output has gone. */
  show(value: T, readAt: Date): Promise<boolean>;
  showLoss(error: CliError, since: Date): Promise<void>;
  close(): Promise<void>;
}

/** Failures that can pass by themselves. */
const PASSING: readonly ExitCode[] = [EXIT.noAnswer, EXIT.serverFailed, EXIT.serverUnavailable];

/**
 * `read` gets a context that writes no notes, because the display shows when the server is away.
 * @throws CliError for a failure that will not pass by itself
 */
export async function watch<T>(
  context: Context,
  intervalMs: number,
  read: (quiet: Context) => Promise<T>,
  display: Display<T>,
): Promise<ExitCode> {
  const { io, signal, now } = context;
  const quiet = { ...context, io: { ...io, note: async () => {} } };
  let lostAt: Date | undefined;
  try {
    for (;;) {
      const readAt = now();
      try {
        const value = await read(quiet);
        lostAt = undefined;
        if (!(await display.show(value, readAt))) return EXIT.done;
      } catch (error) {
        if (!(error instanceof CliError) || !PASSING.includes(error.exitCode)) throw error;
        lostAt ??= readAt;
        await display.showLoss(error, lostAt);
      }
      await sleep(intervalMs, undefined, { signal });
    }
  } finally {
    await display.close();
  }
}
