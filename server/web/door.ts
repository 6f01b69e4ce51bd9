import type { FastifyInstance } from "fastify";
import { userAgentOf } from "../config.ts";
import type { Deps } from "../deps.ts";
import { refuseUnknownRoutes } from "../http/no-route.ts";
import { findOwnOrigin } from "../http/origin.ts";
import { badgeRoutes } from "./badge.ts";
import { renderAboutPage } from "./about-page.tsx";
import type { Site } from "./document.tsx";
import { createErrorHandler } from "./error-pages.tsx";
import { addPageHooks } from "./headers.ts";
import { serveImages } from "./images.ts";
import { servePublicPage } from "./public-page.ts";

/**
 * The web pages, in French or English. Every path that belongs to no other door ends here, if only as a page not
 * found.
 */
export const webDoor = (deps: Deps) => async (door: FastifyInstance) => {
  addPageHooks(door, deps.config);
  door.setErrorHandler(createErrorHandler(deps));
  refuseUnknownRoutes(door);

  const siteOf = (host: string | undefined): Site => ({
    origin: findOwnOrigin(host, deps.config),
    hasHome: false,
  });
  serveImages(door);
  servePublicPage(door, "/docs/rules", async (language, host) => {
    const { renderRulesPage } = await import("./rules-page.tsx");
    return renderRulesPage(language, siteOf(host));
  });
  servePublicPage(door, "/about/checks", (_language, host) =>
    renderAboutPage({
      publicUrl: deps.config.publicUrl,
      userAgent: userAgentOf(deps.config),
      cycleSeconds: deps.config.cycleSeconds,
      site: siteOf(host),
    }),
  );
  badgeRoutes(door, deps);
};
