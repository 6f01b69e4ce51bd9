import type { FastifyInstance } from "fastify";
import { userAgentOf } from "../config.ts";
import type { Deps } from "../deps.ts";
import { refuseUnknownRoutes } from "../http/no-route.ts";
import { accountRoutes } from "./account-pages/account.tsx";
import { apiRoutes } from "./account-pages/api.tsx";
import { checkRoutes } from "./account-pages/checks.tsx";
import { passkeyRoutes } from "./account-pages/passkeys.tsx";
import { languageRoutes } from "./account-pages/language.ts";
import { linkRoutes } from "./sign-in/links.ts";
import { mailFormRoutes } from "./sign-in/mail-forms.ts";
import { signInRoutes } from "./sign-in/sign-in.ts";
import { visitorRoutes } from "./session/visitor-routes.ts";
import { signedInRoutes } from "./session/visit.ts";
import { alertRoutes } from "./project-pages/alerts.ts";
import { hookRoutes } from "./project-pages/hooks.ts";
import { handOverRoutes } from "./project-pages/hand-over.tsx";
import { invitationRoutes } from "./project-pages/invitations.ts";
import { peopleRoutes } from "./project-pages/people.ts";
import { projectListRoutes } from "./project-pages/list-page.tsx";
import { newProjectRoutes } from "./project-pages/new-page.tsx";
import { projectRoutes } from "./project-pages/project-page.tsx";
import { projectSettingsRoutes } from "./project-pages/settings.ts";
import { unsubscribingRoutes } from "./project-pages/unsubscribing.tsx";
import { badgeRoutes } from "./public/badge.ts";
import { renderAboutPage } from "./public/about-page.tsx";
import { createErrorHandler } from "./page/error-pages.tsx";
import { addPageHooks } from "./page/headers.ts";
import { serveImages } from "./public/images.ts";
import { renderHomePage } from "./scans/home-page.tsx";
import { servePublicPage } from "./public/public-page.ts";
import { scanRoutes } from "./scans/scan.ts";
import { SCAN_SCRIPT } from "./scans/scan-script.ts";
import { decorateSite, siteOf } from "./page/site.ts";
import { policyOf } from "./page/style.ts";

/**
 * The web pages, in French or English. Every path that belongs to no other door ends here, if only as a page not
 * found.
 */
export const webDoor = (deps: Deps) => async (door: FastifyInstance) => {
  addPageHooks(door, deps.config);
  decorateSite(door, deps.config);
  door.setErrorHandler(createErrorHandler(deps));
  refuseUnknownRoutes(door);

  await serveImages(door);
  servePublicPage(door, "/docs/rules", async (language, host) => {
    const { renderRulesPage } = await import("./public/rules-page.tsx");
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
  await door.register(visitorRoutes(deps, [signInRoutes, linkRoutes, mailFormRoutes]));
  await door.register(unsubscribingRoutes(deps));
  await door.register(
    signedInRoutes(deps, [
      accountRoutes,
      alertRoutes,
      apiRoutes,
      checkRoutes,
      handOverRoutes,
      hookRoutes,
      invitationRoutes,
      languageRoutes,
      peopleRoutes,
      projectListRoutes,
      newProjectRoutes,
      projectRoutes,
      projectSettingsRoutes,
      passkeyRoutes,
    ]),
  );
  if (!deps.config.publicScan) {
    door.get("/", { exposeHeadRoute: true }, (_request, reply) => reply.redirect("/projects", 303));
    return;
  }
  servePublicPage(
    door,
    "/",
    (language, host) => renderHomePage({ language, site: siteOf(deps.config, host) }),
    policyOf({ script: SCAN_SCRIPT, hasForm: true }),
  );
  await door.register(scanRoutes(deps));
};
