import type { FastifyInstance } from "fastify";
import { userAgentOf, type Deps } from "../deps.ts";
import { preferredLanguage } from "../language.ts";
import { renderAboutPage } from "./about-page.tsx";

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The pages that a person reads: what each rule means, and what a site's owner may want to know of our requests. */
export const pages = (deps: Deps) => async (app: FastifyInstance) => {
  app.addHook("onSend", async (_request, reply) => {
    reply.headers({
      "content-security-policy": CONTENT_SECURITY_POLICY,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "public, max-age=300",
      vary: "Accept-Language",
    });
  });
  app.get("/docs/rules", { schema: { hide: true } }, async (request, reply) => {
    const { renderRulesPage } = await import("./rules-page.tsx");
    return reply
      .type("text/html; charset=utf-8")
      .send(renderRulesPage(preferredLanguage(request.headers["accept-language"])));
  });
  app.get("/about/checks", { schema: { hide: true } }, (_request, reply) =>
    reply.type("text/html; charset=utf-8").send(
      renderAboutPage({
        publicUrl: deps.config.publicUrl,
        userAgent: userAgentOf(deps.config),
      }),
    ),
  );
};
