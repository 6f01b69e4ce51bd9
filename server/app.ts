import { randomUUID } from "node:crypto";
import fastifySwagger from "@fastify/swagger";
import Fastify, { type FastifyInstance } from "fastify";
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
} from "fastify-type-provider-zod";
import { createAuthentication, refuseRoute } from "./api/authenticate.ts";
import { checkRoute } from "./api/check.ts";
import { healthRoutes } from "./api/health.ts";
import { incidentsRoute } from "./api/incidents.ts";
import { lastShipRoute } from "./api/last-ship.ts";
import { projectsRoute } from "./api/projects.ts";
import { answerUnreadable, createErrorHandler } from "./api/send-error.ts";
import type { Deps } from "./deps.ts";
import {
  endAfterAnswer,
  isBodyUnread,
  isEnded,
  readTarget,
  serverOptions,
  takeOverFromNode,
  type Certificate,
} from "./http/node-http.ts";
import { logRequest } from "./http/request-log.ts";
import { pages } from "./web/pages.ts";

export interface AppOptions {
  isDraining?: () => boolean;
  /** To serve https. */
  tls?: Certificate;
}

const newRequestId = () => `req_${randomUUID().replaceAll("-", "")}`;
const REQUEST_TIMEOUT_MS = 30_000;
const MAX_BODY_BYTES = 16_384;

/** The table of contents: every plugin, handler and route, in order. */
export async function createApp(deps: Deps, options: AppOptions = {}): Promise<FastifyInstance> {
  const isDraining = options.isDraining ?? (() => false);

  const app: FastifyInstance = Fastify({
    ...serverOptions(options.tls),
    genReqId: newRequestId,
    requestTimeout: REQUEST_TIMEOUT_MS,
    bodyLimit: MAX_BODY_BYTES,
    exposeHeadRoutes: false,
    onProtoPoisoning: "remove",
    onConstructorPoisoning: "remove",
    rewriteUrl: readTarget,
    // Node bounds the request line; an id of any length is one that no project has.
    routerOptions: { maxParamLength: Number.MAX_SAFE_INTEGER },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, newRequestId()),
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeContentTypeParser("text/plain");
  app.setErrorHandler(createErrorHandler(deps));
  app.decorateRequest("fingerprint");
  app.decorateRequest("accountId", "");
  takeOverFromNode(app.server);

  app.addHook("onRequest", (request, reply, done) => {
    logRequest(deps, request, reply);
    if (isEnded(request.raw.socket)) {
      reply.hijack();
      return;
    }
    reply.header("x-request-id", request.id).header("cache-control", "no-store");
    if (isDraining()) reply.header("connection", "close");
    done();
  });
  app.addHook("onSend", (request, reply, _payload, done) => {
    const isLast = reply.statusCode === 401 || isBodyUnread(request.raw);
    if (isLast) endAfterAnswer(reply.raw, request.raw.socket);
    done();
  });

  await app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "shipscore", version: "1", description: "Is this URL fit to ship?" },
      components: {
        securitySchemes: { token: { type: "http", scheme: "bearer", bearerFormat: "psk_" } },
      },
      security: [{ token: [] }],
    },
    transform: jsonSchemaTransform,
  });
  await app.register(async (known) => {
    known.addHook("onRequest", createAuthentication(deps));
    // For what no route takes, wherever it is, so that the hook refuses it before a body is read.
    known.setNotFoundHandler(refuseRoute);
    await known.register(
      async (api) => {
        await api.register(checkRoute(deps));
        await api.register(projectsRoute(deps));
        await api.register(incidentsRoute(deps));
        await api.register(lastShipRoute(deps));
      },
      { prefix: "/api/v1" },
    );
  });
  await app.register(healthRoutes(deps, isDraining));
  await app.register(pages(deps));
  app.get("/openapi.json", { schema: { hide: true } }, async () => app.swagger());
  return app;
}
