import type { FastifyRequest } from "fastify";
import { languageOf } from "../asked.ts";
import type { Reader } from "../reader.tsx";
import { readOwnPath } from "./own-path.ts";

/** The path of the page that a form stands on. */
export function pageOf({ routeOptions, params, url }: FastifyRequest): string {
  const { formOn } = routeOptions.config;
  if (formOn === undefined) return url;
  return formOn.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );
}

/** Who reads a page; a form's answer is one of the page that it stands on. */
export function readerOf(request: FastifyRequest): Reader {
  const { signedIn } = request;
  return {
    language: languageOf(request),
    timeZone: signedIn?.timeZone ?? null,
    person: signedIn && { email: signedIn.email, openIncidents: signedIn.openIncidents },
    path: readOwnPath(pageOf(request)),
    ...(signedIn && { now: signedIn.now }),
  };
}
