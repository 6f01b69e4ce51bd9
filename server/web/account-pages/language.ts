import type { FastifyInstance } from "fastify";
import { updateLanguage } from "../../db/accounts.ts";
import type { Deps } from "../../deps.ts";
import { fieldsOf } from "../page/forms.ts";
import { readOwnPath } from "../session/own-path.ts";
import { getVisit } from "../session/visit.ts";

/** The switch in the footer: keeps the language in the account and leads back to the page. */
export function languageRoutes(door: FastifyInstance, { database }: Deps): void {
  door.post("/language", { config: { formOn: "/projects" } }, async (request, reply) => {
    const { language, next } = fieldsOf(request);
    if (language === "fr" || language === "en")
      await updateLanguage(database.sql, getVisit(request).accountId, language);
    return reply.redirect(readOwnPath(next) ?? "/projects", 303);
  });
}
