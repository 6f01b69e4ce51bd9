import type { FastifyInstance } from "fastify";
import { userAgentOf } from "../config.ts";
import type { Deps } from "../deps.ts";
import { refuseUnknownRoutes } from "../http/requests.ts";
import { accountRoutes, languageRoutes, visitorLanguageRoutes } from "./pages/account/account.tsx";
import { apiRoutes } from "./pages/account/api.tsx";
import { checkRoutes } from "./pages/account/checks.tsx";
import { passkeyRoutes } from "./pages/account/passkeys.tsx";
import { secondFactorRoutes } from "./pages/account/second-factor.tsx";
import { secondStepRoutes } from "./pages/sign-in/second-step.tsx";
import { linkRoutes } from "./pages/sign-in/links.tsx";
import { mailFormRoutes } from "./pages/sign-in/mail-forms.tsx";
import { signInRoutes } from "./pages/sign-in/sign-in.ts";
import {
  visitorRoutes,
  createReaderFinder,
  identifyUsers,
  signedInRoutes,
} from "./kit/session/signed-in.ts";
import { handOverRoutes } from "./pages/project/hand-over.ts";
import { invitationRoutes } from "./pages/project/invitations.tsx";
import { projectListRoutes } from "./pages/project/overview-page.tsx";
import { newProjectRoutes } from "./pages/project/new-page.tsx";
import { compareRoutes } from "./pages/account/compare.tsx";
import { deploymentRoutes } from "./pages/project/deployment.tsx";
import { incidentRoutes } from "./pages/project/incidents.tsx";
import { projectListsRoutes } from "./pages/project/project-lists.tsx";
import { projectEventsRoutes, projectRoutes } from "./pages/project/project-page.tsx";
import { projectSettingsRoutes } from "./pages/project/settings-page.tsx";
import { urlPageRoutes } from "./pages/project/url-page.tsx";
import { recipientRoutes } from "./pages/project/recipients.tsx";
import { badgeRoutes } from "./pages/public/badge.ts";
import { renderAboutPage } from "./pages/public/about-page.tsx";
import { DOCUMENTS, renderDocumentPage } from "./pages/public/document-page.tsx";
import { createErrorHandler } from "./kit/error-pages.tsx";
import { addPageHooks } from "./kit/headers.ts";
import { serveImages, servePublicPage } from "./pages/public/public-pages.ts";
import { renderHomePage } from "./pages/scan/home-page.tsx";
import { statusRoutes } from "./pages/public/status-page-routes.ts";
import { scanRoutes } from "./pages/scan/scan.ts";
import { SCAN_SCRIPT } from "./pages/scan/scan-script.ts";
import { decorateSite, publicSiteOf } from "./kit/site.ts";
import { policyOf } from "./kit/style.ts";

/** A path that belongs to no other door gets the page "not found" here. */
export const webDoor = (deps: Deps) => async (door: FastifyInstance) => {
  addPageHooks(door, deps.config);
  decorateSite(door, deps.config);
  door.decorateRequest("signedIn");
  door.setErrorHandler(createErrorHandler(deps, createReaderFinder(deps)));
  refuseUnknownRoutes(door);

  await serveImages(door);
  await door.register(async (documents) => {
    identifyUsers(documents, deps);
    servePublicPage(documents, "/docs/rules", async (reader) => {
      const { renderRulesPage } = await import("./pages/public/rules-page.tsx");
      return renderRulesPage(reader, publicSiteOf(deps.config));
    });
    for (const name of Object.keys(DOCUMENTS) as (keyof typeof DOCUMENTS)[])
      servePublicPage(documents, `/docs/${name}`, (reader) =>
        renderDocumentPage(name, reader, publicSiteOf(deps.config)),
      );
    servePublicPage(documents, "/about/checks", (reader) =>
      renderAboutPage(
        {
          publicUrl: deps.config.publicUrl,
          userAgent: userAgentOf(deps.config),
          cycleSeconds: deps.config.cycleSeconds,
          site: publicSiteOf(deps.config),
        },
        reader,
      ),
    );
    if (deps.config.publicScan)
      servePublicPage(
        documents,
        "/",
        (reader, isDeleted) =>
          renderHomePage({ reader, isDeleted, site: publicSiteOf(deps.config) }),
        policyOf(SCAN_SCRIPT),
      );
  });
  badgeRoutes(door, deps);
  await door.register(statusRoutes(deps));
  await door.register(
    visitorRoutes(deps, [
      signInRoutes,
      secondStepRoutes,
      linkRoutes,
      mailFormRoutes,
      visitorLanguageRoutes,
    ]),
  );
  await door.register(recipientRoutes(deps));
  await door.register(
    signedInRoutes(deps, [
      accountRoutes,
      apiRoutes,
      checkRoutes,
      compareRoutes,
      deploymentRoutes,
      handOverRoutes,
      incidentRoutes,
      invitationRoutes,
      languageRoutes,
      projectListRoutes,
      newProjectRoutes,
      projectEventsRoutes,
      projectListsRoutes,
      projectRoutes,
      projectSettingsRoutes,
      passkeyRoutes,
      secondFactorRoutes,
      urlPageRoutes,
    ]),
  );
  if (!deps.config.publicScan) {
    door.get("/", { exposeHeadRoute: true }, (_request, reply) => reply.redirect("/projects", 303));
    return;
  }
  await door.register(scanRoutes(deps));
};
