import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerOptions } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import fastifySwagger from "@fastify/swagger";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
} from "fastify-type-provider-zod";
import { findFingerprint } from "./access/token.ts";
import { createNotFoundHandler } from "./api/authenticate.ts";
import { checkRoute } from "./api/check.ts";
import { healthRoutes } from "./api/health.ts";
import { incidentsRoute } from "./api/incidents.ts";
import { lastShipRoute } from "./api/last-ship.ts";
import { projectsRoute } from "./api/projects.ts";
import { answerUnreadable, createErrorHandler, writeRaw } from "./api/send-error.ts";
import type { Deps } from "./deps.ts";
import { pages } from "./web/pages.ts";

export interface AppOptions {
  isDraining?: () => boolean;
  /** The certificate and key, PEM, to serve https. */
  tls?: { cert: Buffer; key: Buffer };
}

const newRequestId = () => `req_${randomUUID().replaceAll("-", "")}`;
const REQUEST_TIMEOUT_MS = 30_000;
/** Node refuses a longer request line and headers before a route is looked for. */
const MAX_PATH_LENGTH = 16_384;

/** The table of contents: every plugin, handler and route, in order. */
export async function createApp(deps: Deps, options: AppOptions = {}): Promise<FastifyInstance> {
  const isDraining = options.isDraining ?? (() => false);
  const sendError = createErrorHandler(deps);
  const notFound = createNotFoundHandler(deps);

  const app: FastifyInstance = Fastify({
    ...serverOptions(options.tls),
    genReqId: newRequestId,
    requestTimeout: REQUEST_TIMEOUT_MS,
    exposeHeadRoutes: false,
    onProtoPoisoning: "remove",
    onConstructorPoisoning: "remove",
    routerOptions: { maxParamLength: MAX_PATH_LENGTH },
    frameworkErrors: (_error, request, reply) => {
      identify(request, reply);
      notFound(request, reply).catch((error: unknown) => sendError(error, request, reply));
    },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, newRequestId()),
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeContentTypeParser("text/plain");
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(notFound);

  function identify(request: FastifyRequest, reply: FastifyReply): void {
    reply.header("x-request-id", request.id).header("cache-control", "no-store");
    if (isDraining()) reply.header("connection", "close");
  }
  app.addHook("onRequest", (request, reply, done) => {
    identify(request, reply);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    deps.metrics.requests.inc({ method: request.method, route, status: reply.statusCode });
    deps.log.info(
      {
        requestId: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
      },
      "request",
    );
    done();
  });
  takeOverFromNode(app);

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
  await app.register(
    async (api) => {
      await api.register(checkRoute(deps));
      await api.register(projectsRoute(deps));
      await api.register(incidentsRoute(deps));
      await api.register(lastShipRoute(deps));
    },
    { prefix: "/api/v1" },
  );
  await app.register(healthRoutes(deps, isDraining));
  await app.register(pages(deps));
  app.get("/openapi.json", { schema: { hide: true } }, async () => app.swagger());
  return app;
}

/** A request without Host is no reason for Node to answer by itself. */
function serverOptions(tls: AppOptions["tls"]): { http: ServerOptions } {
  const options = { requireHostHeader: false };
  // Fastify types http and https as different servers; what the app uses of them is the same.
  return (tls ? { https: { ...tls, ...options } } : { http: options }) as { http: ServerOptions };
}

/** Node hands CONNECT to nobody and answers Expect itself, before anybody is asked; here both get the answers of the rest. */
function takeOverFromNode(app: FastifyInstance): void {
  const server = app.server as HttpsServer;
  server.on("connect", (_request: IncomingMessage, socket: Socket) => {
    const headers = {
      "X-Request-Id": newRequestId(),
      "Cache-Control": "no-store",
      "WWW-Authenticate": "Bearer",
    };
    writeRaw(socket, 401, { error: "Jeton invalide ou révoqué." }, headers);
  });
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("checkContinue", (request, response) => {
    if (findFingerprint(request.rawHeaders)) response.writeContinue();
    server.emit("request", request, response);
  });
}
