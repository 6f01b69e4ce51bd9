import type { FastifyInstance } from "fastify";
import { changePreferences } from "../../../access/account-settings.ts";
import type { Deps, ProcessDeps } from "../../../deps.ts";
import { isLanguage } from "../../../base/language.ts";
import { fieldsOf } from "../../kit/forms.ts";
import { setCookie } from "../../kit/session/cookie.ts";
import { readOwnPath } from "../../kit/asked.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";

/** The switch in the footer: keeps the language in the account and leads back to the page. */
export function languageRoutes(door: FastifyInstance, deps: Deps): void {
  door.post("/language", { config: { formOn: "/projects" } }, async (request, reply) => {
    const { language, next } = fieldsOf(request);
    if (isLanguage(language))
      await changePreferences(deps, getSignedIn(request).actor, { language });
    return reply.redirect(readOwnPath(next) ?? "/projects", 303);
  });
}

/** The switch as visitors have it: their browser keeps the language. */
export function visitorLanguageRoutes(door: FastifyInstance, { config }: ProcessDeps): void {
  door.post("/visitor/language", async (request, reply) => {
    const { language, next } = fieldsOf(request);
    if (isLanguage(language)) setCookie("language", reply, config, language);
    return reply.redirect(readOwnPath(next) ?? "/", 303);
  });
}
