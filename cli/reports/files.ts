import { randomUUID } from "node:crypto";
import {
  accessSync,
  appendFileSync,
  constants,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { CliError } from "../terminal/errors.ts";
import { EXIT } from "../terminal/exit-codes.ts";

/*
 * Synchronous, so that an interruption comes before a file is written or after it, never in between.
 */

/** A text, and the path of the file to write it to. */
export interface FileText {
  readonly path: string;
  readonly text: string;
}

function unwritable(path: string, cause: unknown): CliError {
  const code = cause instanceof Error && "code" in cause ? cause.code : cause;
  const message = `the report can't be written to ${path} (${String(code)})`;
  const advice = "Give the path of a file in a folder that exists and can be written to";
  return new CliError(EXIT.notWritten, message, advice, { cause });
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof CliError ? error : unwritable(path, error);
  }
}

/** The file that a path leads to: a link stays a link, and the file behind it is replaced. */
function findRealPath(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false }) && realpathSync(path);
}

function writeBeside(target: string, text: string): string {
  const draft = join(dirname(target), `.${basename(target).slice(0, 100)}.${randomUUID()}`);
  const mode = statSync(target, { throwIfNoEntry: false })?.mode;
  writeFileSync(draft, text, { flag: "wx", ...(mode !== undefined && { mode }) });
  return draft;
}

/** Makes sure that a file can be written there, and leaves nothing behind. @throws CliError 74 */
export function tryFile(path: string): void {
  attempt(path, () => {
    const target = findRealPath(path);
    if (target !== undefined) {
      if (!statSync(target).isFile()) throw unwritable(path, "not a file");
      accessSync(target, constants.W_OK);
    }
    rmSync(writeBeside(target ?? path, ""));
  });
}

/** Writes all files whole, or none: no file takes its place before all are on the disk. @throws CliError 74 */
export function writeFiles(files: readonly FileText[]): void {
  const drafts: { readonly draft: string; readonly path: string }[] = [];
  try {
    for (const { path, text } of files)
      drafts.push({
        path,
        draft: attempt(path, () => writeBeside(findRealPath(path) ?? path, text)),
      });
    for (const { path, draft } of drafts)
      attempt(path, () => renameSync(draft, findRealPath(path) ?? path));
  } finally {
    for (const { draft } of drafts) rmSync(draft, { force: true });
  }
}

/** Appends to a file; with an empty text, only makes sure that it can. @throws CliError 74 */
export function appendToFile(path: string, text: string): void {
  attempt(path, () => appendFileSync(path, text));
}

/** The size of a file in bytes. @throws CliError 74 */
export function measureFile(path: string): number {
  return attempt(path, () => statSync(path).size);
}
