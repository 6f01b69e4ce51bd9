import type { FastifyRequest } from "fastify";
import { isLanguage, preferredLanguage, type Language } from "../../base/language.ts";

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
