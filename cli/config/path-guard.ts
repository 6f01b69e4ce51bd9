import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { networkCode, usageError } from "../terminal/errors.ts";

/** The code points that macOS ignores in a name, from Git's list. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** `.git` on a file system that ignores case, or that drops what follows, as Windows does. */
const GIT = /^(?:\.git|git~1)[ .]*(?::|$)/i;

const splitPath = (path: string): string[] => path.replace(IGNORED, "").split(/[/\\]/);
const isGit = (path: string): boolean => splitPath(path).some((name) => GIT.test(name));

/** True for a path that is absolute or climbs on any system, since a checkout moves from one to another. */
const isClimbing = (path: string): boolean =>
  /^(?:[/\\]|[a-z]:)|\0/i.test(path) || splitPath(path).some((name) => /^\.\.[ .]*$/.test(name));

/** Where a path leads once what is missing on the way is made. */
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
 * Refuses a path that leads out of a folder or into a `.git`: a checkout may be a stranger's.
 * @param name what names it
 * @throws CliError 2
 */
export function checkInside(folder: string, path: string, name: string, advice: string): void {
  const refuse = (why: string) => usageError(`${name} ${why}`, advice);
  const out = refuse("is not a relative path inside the folder of the file, without '..'");
  const intoGit = refuse("leads into .git");
  if (isClimbing(path)) throw out;
  if (isGit(path)) throw intoGit;
  let way: string;
  try {
    way = relative(realpathSync(folder), findRealPath(resolve(folder, path)));
  } catch (error) {
    throw refuse(`can't be followed (${networkCode(error)})`);
  }
  if (isAbsolute(way) || isClimbing(way)) throw out;
  if (isGit(way)) throw intoGit;
}

/** Refuses to write the file of settings of this folder through a link that leads out of it. @throws CliError 2 */
export const checkOwnFile = (path: string): void =>
  checkInside(".", path, path, "Replace the link with a file");
