import type { FastifyInstance } from "fastify";
import { userAgentOf } from "../config.ts";
import type { Deps } from "../deps.ts";
import { refuseUnknownRoutes } from "../http/no-route.ts";
import { badgeRoutes } from "./badge.ts";
import { renderAboutPage } from "./about-page.tsx";
import { createErrorHandler } from "./error-pages.tsx";
import { addPageHooks } from "./headers.ts";
import { serveImages } from "./images.ts";
import { renderHomePage } from "./home-page.tsx";
import { servePublicPage } from "./public-page.ts";
import { scanRoutes } from "./scan.ts";
import { SCAN_SCRIPT } from "./scan-script.ts";
import { siteOf } from "./site.ts";
import { policyOf } from "./style.ts";

/**
 * The web pages, in French or English. Every path that belongs to no other door ends here, if only as a page not
 * found.
 */
export const webDoor = (deps: Deps) => async (door: FastifyInstance) => {
  addPageHooks(door, deps.config);
  door.setErrorHandler(createErrorHandler(deps));
  refuseUnknownRoutes(door);

  await serveImages(door);
  servePublicPage(door, "/docs/rules", async (language, host) => {
    const { renderRulesPage } = await import("./rules-page.tsx");
    return renderRulesPage(language, siteOf(deps.config, host));
  });
  servePublicPage(door, "/about/checks", (_language, host) =>
    renderAboutPage({
      publicUrl: deps.config.publicUrl,
      userAgent: userAgentOf(deps.config),
      cycleSeconds: deps.config.cycleSeconds,
      site: siteOf(deps.config, host),
    }),
  );
  badgeRoutes(door, deps);
  if (!deps.config.publicScan) return;
  servePublicPage(
    door,
    "/",
    (language, host) => renderHomePage({ language, site: siteOf(deps.config, host) }),
    policyOf({ script: SCAN_SCRIPT, hasForm: true }),
  );
  await door.register(scanRoutes(deps));
};
