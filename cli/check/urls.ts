import { constants, createReadStream, openSync, statSync } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";
import type { Context } from "../terminal/command.ts";
import { networkCode, usageError, refuseBlank, refuseDash } from "../terminal/errors.ts";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import { isUrl } from "../../shared/url.ts";

const WITH_SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;
const WITHOUT_SCHEME = /^(localhost|[^\s/?#@\\:.]+(?:\.[^\s/?#@\\:.]+)+\.?)(?::\d+)?(?:[/?#].*)?$/i;

/** True where a number such as 79.5 would be read as the address 79.0.0.5. */
function isNumber(host: string, url: string): boolean {
  return /^[\d.]+$/.test(host) && new URL(url).hostname !== host;
}

/** The https URL that a word without a scheme stands for; undefined where it is no address. */
export function findBareUrl(word: string): string | undefined {
  const host = WITHOUT_SCHEME.exec(word)?.[1];
  const url = `https://${word}`;
  if (host === undefined || !isUrl(url) || isNumber(host, url)) return undefined;
  return url;
}

/** True for what may be the address of a page. */
export function isAddress(word: string): boolean {
  return WITH_SCHEME.test(word) || findBareUrl(word) !== undefined;
}

const OTHER_SCHEME = /^(?!https:)[a-z][a-z\d+.-]*:\/\//i;
const THIS_MACHINE = /^(?:localhost\.?|127(?:\.\d+){3})(?::\d+)?(?:[/?#]|$)/i;

/** Refuses what is no https page, or may be meant as http on this machine. @throws CliError 2 */
function refuseHttp(word: string): void {
  const rest = word.replace(OTHER_SCHEME, "");
  if (rest === word && !THIS_MACHINE.test(word)) return;
  const [shown, meant] = [word, `https://${rest}`].map(withoutSecrets);
  if (rest !== word)
    throw usageError(
      `${shown} is not an https URL, and only https pages are checked`,
      `Type ${meant}`,
    );
  throw usageError(
    `${shown} is on this machine and has no scheme`,
    `Type ${meant} if it answers over https, and if its server may visit this machine`,
  );
}

/**
 * The URL of a page, completed to https where it has no scheme. The server refuses what else cannot be checked.
 * @throws CliError 2 for what cannot be a page, such as a flag without its dashes
 */
export function completeUrl(word: string): string {
  if (word.trim() === "")
    throw usageError(
      "the URL is empty",
      "Give the whole address, such as https://example.com/; if a variable holds it, check that it is set",
    );
  refuseDash(word);
  refuseBlank(word);
  refuseHttp(word);
  const url = WITH_SCHEME.test(word) ? word : findBareUrl(word);
  if (url !== undefined) return url;
  throw usageError(
    `'${word}' is not a URL`,
    "Give the whole address, such as https://example.com/",
  );
}

export type Reading = Pick<Context, "openStdin" | "signal">;

/** A file, or stdin for `-`, as a stream that the signal ends. */
export async function openSource(path: string, { openStdin, signal }: Reading): Promise<Readable> {
  if (path === "-") return addAbortSignal(signal, openStdin());
  if (!statSync(path).isFIFO()) return createReadStream(path, { signal });
  // A stream of a file would wait for the writer in a thread, which keeps the process until there is one.
  const { Socket } = await import("node:net");
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  return addAbortSignal(signal, new Socket({ fd, readable: true, writable: false }));
}

async function readSource(source: string, reading: Reading): Promise<string> {
  const { text } = await import("node:stream/consumers");
  try {
    return await text(await openSource(source, reading));
  } catch (error) {
    reading.signal.throwIfAborted();
    throw usageError(`the URLs of ${source} can't be read (${networkCode(error)})`, "Check --urls");
  }
}

/**
 * The URLs typed, then those of `--urls`: a file, or `-` for stdin, with one URL per line. Empty lines and lines that
 * begin with # are skipped. Each is there once. Notes which of them were completed.
 * @throws CliError 2 when there is no URL, when one is not a URL, or when the file can't be read
 */
export async function readUrls(
  typed: readonly string[],
  source: string | undefined,
  context: Reading & Pick<Context, "io">,
) {
  const lines = source === undefined ? [] : (await readSource(source, context)).split(/\r?\n/);
  const listed = lines.map((line) => line.trim()).filter((line) => !/^(#|$)/.test(line));
  const words = [...new Set([...typed, ...listed])];
  if (words.length === 0) throw usageError(`${source} has no URL in it`, "Give one a line");
  const urls = words.map(completeUrl);
  for (const [index, word] of words.entries())
    if (urls[index] !== word)
      await context.io.note(`shipscore: ${word} has no scheme and is taken as ${urls[index]}`);
  return { urls: [...new Set(urls)], isList: source !== undefined || typed.length > 1 };
}
