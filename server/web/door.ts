import type { FastifyInstance } from "fastify";
import { userAgentOf } from "../config.ts";
import type { Deps } from "../deps.ts";
import { refuseUnknownRoutes } from "../http/no-route.ts";
import { preferredLanguage, type Language } from "../language.ts";
import { badgeRoutes } from "./badge.ts";
import { renderAboutPage } from "./about-page.tsx";
import { createErrorHandler } from "./error-pages.tsx";

const HEADERS = {
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
};

type Render = (language: Language) => string | Promise<string>;

/**
 * Serves a public, cacheable page. It is rendered only once per language, since anybody may request it as often as
 * they like.
 */
function servePublicPage(door: FastifyInstance, path: string, render: Render): void {
  const pages = new Map<Language, string>();
  door.get(path, { exposeHeadRoute: true }, async (request, reply) => {
    const language = preferredLanguage(request.headers["accept-language"]);
    const page = pages.get(language) ?? (await render(language));
    pages.set(language, page);
    reply.headers({ "cache-control": "public, max-age=300", vary: "Accept-Language" });
    return reply.type("text/html; charset=utf-8").send(page);
  });
}

/**
 * The web pages, in French or English. Every path that belongs to no other door ends here, if only as a page not
 * found.
 */
export const webDoor = (deps: Deps) => async (door: FastifyInstance) => {
  door.addHook("onRequest", (_request, reply, done) => {
    reply.headers(HEADERS);
    done();
  });
  door.setErrorHandler(createErrorHandler(deps));
  refuseUnknownRoutes(door);

  servePublicPage(door, "/docs/rules", async (language) => {
    const { renderRulesPage } = await import("./rules-page.tsx");
    return renderRulesPage(language);
  });
  servePublicPage(door, "/about/checks", () =>
    renderAboutPage({
      publicUrl: deps.config.publicUrl,
      userAgent: userAgentOf(deps.config),
      cycleSeconds: deps.config.cycleSeconds,
    }),
  );
  badgeRoutes(door, deps);
};
