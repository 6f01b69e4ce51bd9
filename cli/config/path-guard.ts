import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { Text } from "../../shared/language.ts";
import { networkCode, usageError } from "../terminal/errors.ts";

/** The code points that macOS ignores in a name, from Git's list. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** `.git`, also on file systems that ignore case, or that drop trailing dots and spaces, as Windows does. */
const GIT = /^(?:\.git|git~1)[ .]*(?::|$)/i;

const splitPath = (path: string): string[] => path.replace(IGNORED, "").split(/[/\\]/);
const isGit = (path: string): boolean => splitPath(path).some((name) => GIT.test(name));

/** True for a path that leaves its folder on any system, because a checkout may move to another system. */
const isOutside = (path: string): boolean =>
  /^(?:[/\\]|[a-z]:)|\0/i.test(path) || splitPath(path).some((name) => /^\.\.[ .]*$/.test(name));

/** The last parts of the path may not exist yet. */
function findRealPath(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined)
    return join(findRealPath(dirname(path)), basename(path));
  try {
    return realpathSync(path);
  } catch (error) {
    if (networkCode(error) !== "ENOENT") throw error;
    return findRealPath(resolve(realpathSync(dirname(path)), readlinkSync(path)));
  }
}

/**
 * A checkout may come from somebody else.
 * @param name the name of the path in the error
 */
export function checkInside(folder: string, path: string, name: string, advice: Text): void {
  const refuse = (why: Text) =>
    usageError({ fr: `${name} ${why.fr}`, en: `${name} ${why.en}` }, advice);
  const out = refuse({
    fr: "n'est pas un chemin relatif dans le dossier du fichier, sans « .. »",
    en: "is not a relative path inside the file's folder, without '..'",
  });
  const intoGit = refuse({ fr: "aboutit dans .git", en: "leads into .git" });
  if (isOutside(path)) throw out;
  if (isGit(path)) throw intoGit;
  let way: string;
  try {
    way = relative(realpathSync(folder), findRealPath(resolve(folder, path)));
  } catch (error) {
    const code = networkCode(error);
    throw refuse({ fr: `n'est pas accessible (${code})`, en: `cannot be accessed (${code})` });
  }
  if (isAbsolute(way) || isOutside(way)) throw out;
  if (isGit(way)) throw intoGit;
}

/** The file of settings may be a link that leads out of the folder. @throws CliError 2 */
export const checkOwnFile = (path: string): void =>
  checkInside(".", path, path, {
    fr: "Remplacez le lien par un fichier",
    en: "Replace the link with a file",
  });
