import {
  accessSync,
  appendFileSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { CliError } from "../terminal/errors.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { OPEN_STREAM, writeToDevice } from "./devices.ts";

/* Files are written synchronously, so that an interruption never leaves half a file. */

export interface FileText {
  readonly path: string;
  readonly text: string;
}

function unwritableError(path: string, cause: unknown): CliError {
  const code = cause instanceof Error && "code" in cause ? cause.code : cause;
  return new CliError(
    EXIT.notWritten,
    {
      fr: `impossible d'écrire dans ${path} (${String(code)})`,
      en: `${path} cannot be written (${String(code)})`,
    },
    {
      fr: "Indiquez le chemin d'un fichier dans un dossier existant et accessible en écriture",
      en: "Use the path of a file in a folder that exists and is writable",
    },
    { cause },
  );
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof CliError ? error : unwritableError(path, error);
  }
}

type Target = { readonly file: string } | { readonly device: string };

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** A link stays a link: the file behind it is replaced. A device, a pipe or an open stream is not replaced. */
function findTarget(path: string): Target {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found && isLink(path))
    return findTarget(resolve(realpathSync(dirname(path)), readlinkSync(path)));
  if (found?.isDirectory()) throw unwritableError(path, "not a file");
  const isStream = OPEN_STREAM.test(resolve(path));
  if (found && (isStream || !found.isFile())) return { device: resolve(path) };
  return { file: found ? realpathSync(path) : path };
}

function writeDraft(target: string, text: string): string {
  const draft = join(dirname(target), `.${basename(target).slice(0, 100)}.${crypto.randomUUID()}`);
  const mode = statSync(target, { throwIfNoEntry: false })?.mode;
  writeFileSync(draft, text, { flag: "wx", ...(mode !== undefined && { mode }) });
  return draft;
}

/** Not recursive: below /proc, where no folder can be made, a recursive mkdir of Node 20 never ends. */
function makeFolder(folder: string): void {
  const above = dirname(folder);
  if (existsSync(folder) || above === folder) return;
  makeFolder(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** @throws CliError 74 */
export function makeFolderOf(path: string): void {
  attempt(path, () => makeFolder(dirname(resolve(path))));
}

/** Leaves nothing behind. @throws CliError 74 */
export function checkWritable(path: string): void {
  attempt(path, () => {
    const target = findTarget(path);
    if ("device" in target) return accessSync(target.device, constants.W_OK);
    if (existsSync(target.file)) accessSync(target.file, constants.W_OK);
    rmSync(writeDraft(target.file, ""));
  });
}

/**
 * No file is replaced before all drafts are on the disk. Devices and pipes come last.
 * @throws CliError 74
 */
export async function writeFiles(files: readonly FileText[], signal: AbortSignal): Promise<void> {
  const drafts: { readonly draft: string; readonly path: string; readonly file: string }[] = [];
  const devices: (FileText & { readonly device: string })[] = [];
  try {
    for (const { path, text } of files) {
      const target = attempt(path, () => findTarget(path));
      if ("device" in target) devices.push({ path, text, device: target.device });
      else
        drafts.push({
          path,
          file: target.file,
          draft: attempt(path, () => writeDraft(target.file, text)),
        });
    }
    for (const { path, file, draft } of drafts) attempt(path, () => renameSync(draft, file));
  } finally {
    for (const { draft } of drafts) rmSync(draft, { force: true });
  }
  for (const { path, text, device } of devices)
    await writeToDevice(device, text, signal).catch((error: unknown) => {
      throw unwritableError(path, error);
    });
}

/** An empty text tests that the file is writable. @throws CliError 74 */
export function appendToFile(path: string, text: string): void {
  attempt(path, () => appendFileSync(path, text));
}

/** @throws CliError 74 */
export function measureFile(path: string): number {
  return attempt(path, () => statSync(path).size);
}
