import { constants, createReadStream, openSync, statSync } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";
import type { Context } from "../terminal/command.ts";
import { networkCode, usageError, refuseBlank, refuseDash } from "../terminal/errors.ts";
import { say } from "../../shared/report/words.ts";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import { isUrl } from "../../shared/url.ts";

const WITH_SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;
const WITHOUT_SCHEME = /^(localhost|[^\s/?#@\\:.]+(?:\.[^\s/?#@\\:.]+)+\.?)(?::\d+)?(?:[/?#].*)?$/i;

/** URL parsers read 79.5 as the IP address 79.0.0.5. */
function isNumber(host: string, url: string): boolean {
  return /^[\d.]+$/.test(host) && new URL(url).hostname !== host;
}

export function findBareUrl(word: string): string | undefined {
  const host = WITHOUT_SCHEME.exec(word)?.[1];
  const url = `https://${word}`;
  if (host === undefined || !isUrl(url) || isNumber(host, url)) return undefined;
  return url;
}

export function isPageUrl(word: string): boolean {
  return WITH_SCHEME.test(word) || findBareUrl(word) !== undefined;
}

const OTHER_SCHEME = /^(?!https:)[a-z][a-z\d+.-]*:\/\//i;
const THIS_MACHINE = /^(?:localhost\.?|127(?:\.\d+){3})(?::\d+)?(?:[/?#]|$)/i;

function refuseHttp(word: string): void {
  const rest = word.replace(OTHER_SCHEME, "");
  if (rest === word && !THIS_MACHINE.test(word)) return;
  const [shown, meant] = [word, `https://${rest}`].map(withoutSecrets);
  if (rest !== word)
    throw usageError(
      {
        fr: `${shown} n'est pas une URL https, et seules les pages https sont vérifiées`,
        en: `${shown} is not an https URL, and only https pages are checked`,
      },
      { fr: `Saisissez ${meant}`, en: `Type ${meant}` },
    );
  throw usageError(
    {
      fr: `${shown} est sur cette machine et n'a pas de schéma`,
      en: `${shown} is on this machine and has no scheme`,
    },
    {
      fr: `Saisissez ${meant} si elle répond en https et si le serveur a le droit de consulter cette machine`,
      en: `Type ${meant} if it responds over https and the server may visit this machine`,
    },
  );
}

const WHOLE_URL = {
  fr: "Indiquez l'URL complète, par exemple https://example.com/",
  en: "Use the whole URL, such as https://example.com/",
};

/** The server refuses other URLs that cannot be checked. */
export function completeUrl(word: string): string {
  if (word.trim() === "")
    throw usageError(
      { fr: "l'URL est vide", en: "the URL is empty" },
      {
        fr: `${WHOLE_URL.fr} ; si elle vient d'une variable, vérifiez que celle-ci est définie`,
        en: `${WHOLE_URL.en}; if it comes from a variable, check that it is set`,
      },
    );
  refuseDash(word);
  refuseBlank(word);
  refuseHttp(word);
  const url = WITH_SCHEME.test(word) ? word : findBareUrl(word);
  if (url !== undefined) return url;
  throw usageError(
    { fr: `« ${word} » n'est pas une URL`, en: `'${word}' is not a URL` },
    WHOLE_URL,
  );
}

export type InputContext = Pick<Context, "openStdin" | "signal">;

export async function openSource(
  path: string,
  { openStdin, signal }: InputContext,
): Promise<Readable> {
  if (path === "-") return addAbortSignal(signal, openStdin());
  if (!statSync(path).isFIFO()) return createReadStream(path, { signal });
  // A file stream would wait for the writer in a thread, and keep the process alive until there is a writer.
  const { Socket } = await import("node:net");
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  return addAbortSignal(signal, new Socket({ fd, readable: true, writable: false }));
}

async function readSource(source: string, input: InputContext): Promise<string> {
  const { text } = await import("node:stream/consumers");
  try {
    return await text(await openSource(source, input));
  } catch (error) {
    input.signal.throwIfAborted();
    const code = networkCode(error);
    throw usageError(
      {
        fr: `impossible de lire les URL de ${source} (${code})`,
        en: `the URLs in ${source} cannot be read (${code})`,
      },
      { fr: "Vérifiez --urls", en: "Check --urls" },
    );
  }
}

/** @throws CliError 2 if there is no URL, if one is not a URL, or if the file cannot be read */
export async function readUrls(
  typed: readonly string[],
  source: string | undefined,
  context: InputContext & Pick<Context, "io">,
) {
  const lines = source === undefined ? [] : (await readSource(source, context)).split(/\r?\n/);
  const listed = lines.map((line) => line.trim()).filter((line) => !/^(#|$)/.test(line));
  const words = [...new Set([...typed, ...listed])];
  if (words.length === 0)
    throw usageError(
      { fr: `${source} ne contient aucune URL`, en: `${source} contains no URL` },
      { fr: "Écrivez une URL par ligne", en: "Write one URL per line" },
    );
  const urls = words.map(completeUrl);
  for (const [index, word] of words.entries()) {
    if (urls[index] === word) continue;
    const note = {
      fr: `${word} n'a pas de schéma : l'URL devient ${urls[index]}`,
      en: `${word} has no scheme and is interpreted as ${urls[index]}`,
    };
    await context.io.note(`shipscore: ${say(note, context.io.language)}`);
  }
  return { urls: [...new Set(urls)], isList: source !== undefined || typed.length > 1 };
}
