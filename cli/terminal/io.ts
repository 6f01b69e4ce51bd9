import type { ChalkInstance } from "chalk";
import type { Ora } from "ora";
import type { Canvas } from "./canvas.ts";
import { cleanText } from "./json.ts";
import { CliError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import type { Language } from "../../shared/language.ts";
import { readLanguage } from "./words.ts";

const LINKING_TERMINALS = /^(?:alacritty|foot|xterm-ghostty|xterm-kitty)/;

/** The first version with hyperlinks of each terminal program. */
const LINKING_PROGRAMS: Readonly<Record<string, readonly [number, number]>> = {
  "iTerm.app": [3, 1],
  WezTerm: [20_200_620, 0],
  ghostty: [0, 0],
  vscode: [1, 72],
  zed: [0, 0],
};

function isSince(version: string, [major, minor]: readonly [number, number]): boolean {
  const [own = 0, ownMinor = 0] = version.split(/[.-]/).map(Number);
  return own > major || (own === major && ownMinor >= minor);
}

/** VTE writes 0.76.1 as 7601; the first release with hyperlinks, 0.50.0, could crash on one. */
const LAST_VTE_WITHOUT = 5000;

export function hasHyperlinks(stream: OutputStream, env: Env): boolean {
  if (env.FORCE_HYPERLINK !== undefined) return !/^(?:0|false)$/.test(env.FORCE_HYPERLINK);
  const isJob = (env.CI && env.CI !== "false") || env.TEAMCITY_VERSION;
  if (!stream.isTTY || isJob || env.NO_COLOR || env.TERM === "dumb") return false;
  const since = LINKING_PROGRAMS[env.TERM_PROGRAM ?? ""];
  if (since !== undefined) return isSince(env.TERM_PROGRAM_VERSION ?? "", since);
  return (
    env.WT_SESSION !== undefined ||
    LINKING_TERMINALS.test(env.TERM ?? "") ||
    Number(env.VTE_VERSION) > LAST_VTE_WITHOUT
  );
}

const TOKEN_SHAPE = /psk_[0-9A-Za-z]+/g;
const MIN_SECRET_LENGTH = 8;

export function maskTokens(text: string): string {
  return text.replace(TOKEN_SHAPE, "***");
}

/** A site or a server might repeat secrets. */
export function maskSecrets(json: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .reduce((text, secret) => text.replaceAll(JSON.stringify(secret).slice(1, -1), "***"), json);
}

export type Env = Readonly<Record<string, string | undefined>>;

export interface OutputStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

export interface Screen {
  /** Limited, because long lines are hard to read. */
  readonly columns: number;
  /** The whole width, for tables. */
  readonly width: number;
  /** False on a dumb terminal. */
  readonly canDraw: boolean;
  readonly hasLinks: boolean;
  readonly chalk: ChalkInstance;
  readonly language: Language;
}

export interface Io {
  readonly language: Language;
  /** Null when stdout is a pipe, which gets rows for programs. */
  readonly screen: Screen | null;
  /** Resolves to false if the reader has gone. @throws CliError 74 */
  print(text: string): Promise<boolean>;
  /** True on a terminal that can move its cursor. */
  readonly canRedraw: boolean;
  /** Needs `canRedraw`. */
  openCanvas(): Promise<Canvas>;
  /** Stderr, for the report of a CI job, whose stdout gets only rows; null outside CI. */
  openLog(): Promise<Screen | null>;
  readonly isQuiet: boolean;
  /** To stderr, without control characters; nothing with `--quiet`. */
  note(line: string): Promise<void>;
  /** To stderr, without control characters, also with `--quiet`: errors and the result of a gate. */
  writeLine(line: string): Promise<void>;
  /** Writes to stderr unchanged. The caller must have cleaned the text: a report, or a command to a CI system. */
  write(text: string): Promise<void>;
  /**
   * A CI job gets one line instead of a spinner, unless stderr has one already, so that the job never looks stuck.
   * @param work its argument changes the spinner's label; undefined without a spinner
   */
  showProgress<T>(
    label: string,
    work: (setLabel?: (label: string) => void) => Promise<T>,
  ): Promise<T>;
}

const MAX_COLUMNS = 100;
const MIN_COLUMNS = 40;
const SPINNER_PATIENCE_MS = 300;

export interface OutputOptions {
  readonly color?: "auto" | "always" | "never" | undefined;
  readonly isQuiet?: boolean;
}

function colorLevel(stream: OutputStream, env: Env, color: OutputOptions["color"] = "auto"): 0 | 1 {
  if (color !== "auto") return color === "always" ? 1 : 0;
  if (env.FORCE_COLOR !== undefined) return /^(0|false)$/.test(env.FORCE_COLOR) ? 0 : 1;
  return stream.isTTY && !env.NO_COLOR && env.TERM !== "dumb" ? 1 : 0;
}

async function openScreen(
  stdout: OutputStream,
  env: Env,
  { color }: OutputOptions,
): Promise<Screen | null> {
  const forced = env.SHIPSCORE_FORCE_TTY;
  if (!stdout.isTTY && !forced) return null;
  const { Chalk } = await import("chalk");
  const columns = Number(forced) || stdout.columns || 80;
  return {
    columns: Math.max(MIN_COLUMNS, Math.min(columns, MAX_COLUMNS)),
    width: Math.max(MIN_COLUMNS, columns),
    canDraw: env.TERM !== "dumb",
    hasLinks: hasHyperlinks(stdout, env),
    chalk: new Chalk({ level: colorLevel(stdout, env, color) }),
    language: readLanguage(env),
  };
}

function write(stream: OutputStream, text: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    stream.write(text, (error) => resolve(error ?? undefined));
  });
}

/** The rest of the command writes through the returned object only. */
export async function openIo(
  stdout: OutputStream,
  stderr: OutputStream,
  env: Env,
  wanted: OutputOptions = {},
): Promise<Io> {
  // A write's own callback reports its failure; without a listener Node would also print a stack.
  for (const stream of [stdout, stderr]) stream.on("error", () => {});
  const hasErrorColor = colorLevel(stderr, env, wanted.color) > 0;
  const canSpin = Boolean(stderr.isTTY && stderr.columns && env.TERM !== "dumb");
  const isJob = Boolean(env.CI) && env.CI !== "false";
  let isSilent = true;

  const isQuiet = wanted.isQuiet === true;
  const screen = await openScreen(stdout, env, wanted);
  const language = readLanguage(env);

  async function writeError(text: string): Promise<void> {
    isSilent = false;
    await write(stderr, `${maskTokens(text)}\n`);
  }

  async function writeLine(line: string): Promise<void> {
    const prefix = hasErrorColor ? "\u001b[1mshipscore:\u001b[22m" : "shipscore:";
    await writeError(cleanText(line).replace(/^shipscore:/, prefix));
  }

  async function note(line: string): Promise<void> {
    if (!isQuiet) await writeLine(line);
  }

  return {
    language,
    screen,
    canRedraw: Boolean(stdout.isTTY) && env.TERM !== "dumb",

    async print(text) {
      const error = await write(stdout, maskTokens(text));
      if (!error) return true;
      if (error.code === "EPIPE") return false;
      throw new CliError(
        EXIT.notWritten,
        {
          fr: `impossible d'écrire le résultat (${error.code})`,
          en: `the result cannot be written (${error.code})`,
        },
        {
          fr: "Vérifiez le disque, ou le fichier vers lequel stdout est redirigé",
          en: "Check the disk, or the file to which stdout is redirected",
        },
      );
    },

    async openCanvas() {
      const { openCanvas } = await import("./canvas.ts");
      return openCanvas(stdout);
    },

    async openLog() {
      if (!isJob || isQuiet || screen) return null;
      const { Chalk } = await import("chalk");
      const chalk = new Chalk({ level: wanted.color === "always" ? 1 : 0 });
      const size = { columns: MAX_COLUMNS, width: MAX_COLUMNS };
      return { ...size, canDraw: false, hasLinks: false, chalk, language };
    },

    isQuiet,
    note,
    writeLine,
    write: writeError,

    async showProgress(label, work) {
      if (isQuiet) return work();
      if (!canSpin) {
        if (isJob && isSilent)
          await note(`shipscore: ${label.charAt(0).toLowerCase()}${label.slice(1)}`);
        return work();
      }
      let spinner: Ora | undefined;
      let isOver = false;
      let shown = label;
      async function spin(): Promise<void> {
        const { default: ora } = await import("ora");
        const color = hasErrorColor && "cyan";
        const options = { stream: stderr, color, isEnabled: true, discardStdin: false } as const;
        if (!isOver) spinner = ora(options).start(shown);
      }
      const patience = setTimeout(() => void spin(), SPINNER_PATIENCE_MS);
      try {
        return await work((next) => {
          shown = next;
          if (spinner) spinner.text = next;
        });
      } finally {
        isOver = true;
        clearTimeout(patience);
        spinner?.stop();
      }
    },
  };
}
