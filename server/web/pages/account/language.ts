import type { FastifyInstance } from "fastify";
import { changePreferences } from "../../../access/account-settings.ts";
import type { Deps } from "../../../deps.ts";
import { isLanguage } from "../../../base/language.ts";
import { fieldsOf } from "../../kit/forms.ts";
import { readOwnPath } from "../../kit/session/own-path.ts";
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
