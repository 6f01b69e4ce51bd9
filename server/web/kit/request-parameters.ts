import type { FastifyRequest } from "fastify";
import { isLanguage, preferredLanguage, type Language } from "../../../shared/language.ts";
import { isUrl } from "../../../shared/url.ts";

const CHOSEN = /(?:^|;)\s*(?:__Host-)?shipscore-language=(\w+)(?=;|$)/;

export function languageOf({ headers, signedIn }: FastifyRequest): Language {
  if (signedIn !== undefined) return signedIn.language;
  const chosen = CHOSEN.exec(headers.cookie ?? "")?.[1];
  return isLanguage(chosen) ? chosen : preferredLanguage(headers["accept-language"]);
}

export function parameterOf({ query }: { query: unknown }, name: string): string | undefined {
  const value = (query as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" ? value : undefined;
}

/** Links in e-mails contain such a path. The limit keeps strangers from sending long texts in them. */
const MAX_LENGTH = 500;

/** Undefined for a text that a browser could read as another site's URL. */
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
