import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import type { Context } from "../terminal/context.ts";
import { usageError } from "../terminal/errors.ts";
import { refuseBlank } from "../terminal/lookalikes.ts";

/** The URLs of a run, each once, in the order given. A list is shown as a table, even if it holds a single URL. */
export interface Urls {
  readonly urls: readonly string[];
  readonly isList: boolean;
}

async function readSource(source: string, openStdin: Context["openStdin"]): Promise<string> {
  if (source === "-") return text(openStdin());
  return readFile(source, "utf8").catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw usageError(`the URLs of ${source} can't be read (${code})`, "Check --urls");
  });
}

/** Refuses what cannot be a page, such as a flag without its dashes; the server refuses the rest. @throws CliError 2 */
function checkUrl(url: string): void {
  refuseBlank(url);
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(url))
    throw usageError(`'${url}' is no URL`, "Give the whole address, such as https://example.com/");
}

/**
 * The URLs typed, then those of `--urls`: a file, or `-` for stdin, with one URL per line. Empty lines and lines that
 * begin with # are skipped.
 * @throws CliError 2 when there is no URL, when one is not a URL, or when the file can't be read
 */
export async function readUrls(
  typed: readonly string[],
  source: string | undefined,
  openStdin: Context["openStdin"],
): Promise<Urls> {
  const lines = source === undefined ? [] : (await readSource(source, openStdin)).split(/\r?\n/);
  const listed = lines.map((line) => line.trim()).filter((line) => !/^(#|$)/.test(line));
  const urls = [...new Set([...typed, ...listed])];
  if (urls.length === 0) throw usageError(`${source} holds no URL`, "Give one a line");
  for (const url of urls) checkUrl(url);
  return { urls, isList: source !== undefined || typed.length > 1 };
}
