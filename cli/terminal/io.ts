import type { ChalkInstance } from "chalk";
import type { Ora } from "ora";
import type { Canvas } from "./canvas.ts";
import { cleanText } from "./json.ts";
import { CliError } from "./errors.ts";
import { EXIT } from "./exit-codes.ts";
import type { Language } from "../../shared/language.ts";
import { readLanguage } from "./words.ts";

const LINKING_TERMINALS = /^(?:alacritty|foot|xterm-ghostty|xterm-kitty)/;

/** From which version on a program that draws terminals has hyperlinks. */
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

/** Whether a stream's terminal is known to have hyperlinks (OSC 8). FORCE_HYPERLINK decides where it is set. */
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

/** The text with everything that has the shape of a token masked, whoever wrote it. */
export function maskTokens(text: string): string {
  return text.replace(TOKEN_SHAPE, "***");
}

/** JSON text with these secrets masked, which a site or a server might repeat. */
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
  /** The width of text, which is hard to read across a wide screen. */
  readonly columns: number;
  /** The width of tables: the terminal's own. */
  readonly width: number;
  /** False on a dumb terminal, which gets no drawing characters. */
  readonly canDraw: boolean;
  /** True where a text can be a link. */
  readonly hasLinks: boolean;
  readonly chalk: ChalkInstance;
  readonly language: Language;
}

export interface Io {
  /** Null when stdout is a pipe, which gets rows for programs. */
  readonly screen: Screen | null;
  /** Writes to stdout. Resolves once the text is written, and to false if the reader has gone. @throws CliError 74 */
  print(text: string): Promise<boolean>;
  /** True on a terminal that can move its cursor. */
  readonly canRedraw: boolean;
  /** Takes the whole terminal, where `canRedraw`, until the canvas is closed. */
  openCanvas(): Promise<Canvas>;
  /** Opens the log of a CI job, stderr, for the page that stdout does not get; null where there is none. */
  openLog(): Promise<Screen | null>;
  readonly isQuiet: boolean;
  /** Writes a line to stderr, cleaned of whatever its texts hold, except with `--quiet`. */
  note(line: string): Promise<void>;
  /** Writes a line to stderr, cleaned likewise: errors, and what came of a gate. */
  tell(line: string): Promise<void>;
  /** Writes to stderr what is clean already, as it is: a page, or a command to a CI system. */
  write(text: string): Promise<void>;
  /**
   * Shows a spinner on a terminal's stderr while the work lasts. A CI job gets a line instead, unless one was written
   * before, so that it never looks stuck.
   * @param work gets what changes the spinner's label, where there is one
   */
  showProgress<T>(label: string, work: (tell?: (label: string) => void) => Promise<T>): Promise<T>;
}

const MAX_COLUMNS = 100;
const MIN_COLUMNS = 40;
const SPINNER_PATIENCE_MS = 300;

export interface Wanted {
  readonly color?: "auto" | "always" | "never" | undefined;
  readonly isQuiet?: boolean;
}

function colourLevel(stream: OutputStream, env: Env, color: Wanted["color"] = "auto"): 0 | 1 {
  if (color !== "auto") return color === "always" ? 1 : 0;
  if (env.FORCE_COLOR !== undefined) return /^(0|false)$/.test(env.FORCE_COLOR) ? 0 : 1;
  return stream.isTTY && !env.NO_COLOR && env.TERM !== "dumb" ? 1 : 0;
}

async function openScreen(
  stdout: OutputStream,
  env: Env,
  { color }: Wanted,
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
    chalk: new Chalk({ level: colourLevel(stdout, env, color) }),
    language: readLanguage(env),
  };
}

function write(stream: OutputStream, text: string): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    stream.write(text, (error) => resolve(error ?? undefined));
  });
}

/** Opens the streams, the terminal and its colours; nothing else in the command writes to them. */
export async function openIo(
  stdout: OutputStream,
  stderr: OutputStream,
  env: Env,
  wanted: Wanted = {},
): Promise<Io> {
  // A write's own callback reports its failure; without a listener Node would also print a stack.
  for (const stream of [stdout, stderr]) stream.on("error", () => {});
  const hasErrorColour = colourLevel(stderr, env, wanted.color) > 0;
  const canSpin = Boolean(stderr.isTTY && stderr.columns && env.TERM !== "dumb");
  const isJob = Boolean(env.CI) && env.CI !== "false";
  let isSilent = true;

  const isQuiet = wanted.isQuiet === true;
  const screen = await openScreen(stdout, env, wanted);

  async function writeError(text: string): Promise<void> {
    isSilent = false;
    await write(stderr, `${maskTokens(text)}\n`);
  }

  async function tell(line: string): Promise<void> {
    const prefix = hasErrorColour ? "\u001b[1mshipscore:\u001b[22m" : "shipscore:";
    await writeError(cleanText(line).replace(/^shipscore:/, prefix));
  }

  async function note(line: string): Promise<void> {
    if (!isQuiet) await tell(line);
  }

  return {
    screen,
    canRedraw: Boolean(stdout.isTTY) && env.TERM !== "dumb",

    async print(text) {
      const error = await write(stdout, maskTokens(text));
      if (!error) return true;
      if (error.code === "EPIPE") return false;
      const advice = "Check the disk or the file that stdout goes to";
      throw new CliError(EXIT.notWritten, `the result can't be written (${error.code})`, advice);
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
      return { ...size, canDraw: false, hasLinks: false, chalk, language: readLanguage(env) };
    },

    isQuiet,
    note,
    tell,
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
        const color = hasErrorColour && "cyan";
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
