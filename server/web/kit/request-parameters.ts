import type { FastifyRequest } from "fastify";
import { isLanguage, preferredLanguage, type Language } from "../../../shared/language.ts";
import { isUrl } from "../../../shared/url.ts";

const CHOSEN = /(?:^|;)\s*(?:__Host-)?shipscore-language=(\w+)(?=;|$)/;

/** The language of a page: that of the account, else the one that was chosen in the footer, else the browser's. */
export function languageOf({ headers, signedIn }: FastifyRequest): Language {
  if (signedIn !== undefined) return signedIn.language;
  const chosen = CHOSEN.exec(headers.cookie ?? "")?.[1];
  return isLanguage(chosen) ? chosen : preferredLanguage(headers["accept-language"]);
}

/** A parameter of a request's query; undefined if it has none, or several. */
export function parameterOf({ query }: { query: unknown }, name: string): string | undefined {
  const value = (query as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" ? value : undefined;
}

/** A link in an e-mail has it too, so that it is no place for a stranger's text. */
const MAX_LENGTH = 500;

/** A path of this server, with its query, if the text is one; a browser would read others as another site's. */
export function readOwnPath(text: string | undefined): string | undefined {
  const base = "http://own.invalid";
  if (
    text === undefined ||
    text.length > MAX_LENGTH ||
    !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) ||
    !isUrl(text, base)
  )
    return undefined;
  const { origin, pathname, search } = new URL(text, base);
  return origin === base && !pathname.startsWith("//") ? pathname + search : undefined;
}
