import type { FastifyRequest } from "fastify";
import { preferredLanguage, type Language } from "../../base/language.ts";

/** The language of a page for somebody of whom only the browser's is known. */
export const languageOf = ({ headers }: Pick<FastifyRequest, "headers">): Language =>
  preferredLanguage(headers["accept-language"]);

/** A parameter of a request's query; undefined if it has none, or several. */
export function parameterOf({ query }: { query: unknown }, name: string): string | undefined {
  const value = (query as Readonly<Record<string, unknown>>)[name];
  return typeof value === "string" ? value : undefined;
}
