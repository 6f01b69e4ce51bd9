import { randomUUID } from "node:crypto";
import Fastify, { type FastifyInstance } from "fastify";
import { validatorCompiler } from "fastify-type-provider-zod";
import { apiDoor } from "./api/door.ts";
import { registerOpenApi } from "./api/openapi.ts";
import { AppError } from "./base/errors.ts";
import { answerUnreadable, createErrorHandler } from "./http/errors.ts";
import type { Deps } from "./deps.ts";
import { healthRoutes } from "./http/health.ts";
import {
  type Certificate,
  createLimitedServer,
  endAfterAnswer,
  handleRequests,
  isEnded,
  handleConnectAndExpect,
} from "./http/listener.ts";
import { isOwnHost } from "./http/origin.ts";
import {
  compileSerializer,
  hasSeveralHosts,
  isBodyUnread,
  logRequest,
  MAX_BODY_BYTES,
  readTarget,
  refusePaths,
} from "./http/requests.ts";
import { decorateCaller } from "./http/caller.ts";
import { hooksDoor } from "./hooks/door.ts";
import { mcpDoor } from "./mcp/door.ts";
import { webDoor } from "./web/door.ts";

const newRequestId = () => `req_${randomUUID().replaceAll("-", "")}`;
const API = "/api/v1";
const MCP = "/mcp";
const HOOKS = "/hooks";
/** Assistants try these addresses to sign in. A client that finds anything here may discard the token it has. */
const OAUTH = [
  "/.well-known/oauth-*",
  "/.well-known/openid-configuration",
  "/.well-known/openid-configuration/*",
  "/register",
];

export async function createApp(deps: Deps, tls?: Certificate): Promise<FastifyInstance> {
  const { config, log } = deps;
  const app: FastifyInstance = Fastify({
    serverFactory(handle) {
      const server = createLimitedServer(tls);
      handleConnectAndExpect(server);
      handleRequests(server, handle, log);
      return server;
    },
    genReqId: newRequestId,
    bodyLimit: MAX_BODY_BYTES,
    exposeHeadRoutes: false,
    onProtoPoisoning: "remove",
    onConstructorPoisoning: "remove",
    rewriteUrl: (request) => readTarget(request, API),
    // No limit is needed, since Node already limits the request line. An overlong id is an unknown id.
    routerOptions: { maxParamLength: Number.MAX_SAFE_INTEGER },
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, newRequestId()),
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(compileSerializer);
  app.removeContentTypeParser("text/plain");
  // Handles errors outside the doors. Each door has its own handler.
  app.setErrorHandler(createErrorHandler(deps));

  decorateCaller(app);
  app.addHook("onRequest", (request, reply, done) => {
    logRequest(deps, request, reply);
    if (isEnded(request.raw.socket)) {
      reply.hijack();
      return;
    }
    reply.header("x-request-id", request.id).header("cache-control", "no-store");
    const isAmbiguous = hasSeveralHosts(request.raw);
    if (isAmbiguous || deps.draining.aborted) reply.header("connection", "close");
    if (isAmbiguous) {
      done(new AppError("http_unreadable", {}));
      return;
    }
    const isMisled = config.isLocal && !isOwnHost(request.headers.host, config);
    done(isMisled ? new AppError("host_foreign", {}) : undefined);
  });
  app.addHook("onSend", (request, reply, _payload, done) => {
    const isLast = reply.statusCode === 401 || isBodyUnread(request.raw);
    if (isLast) endAfterAnswer(reply.raw, request.raw.socket);
    done();
  });

  await registerOpenApi(app, API);
  await app.register(healthRoutes(deps));
  await app.register(apiDoor(deps), { prefix: API });
  await app.register(mcpDoor(deps), { prefix: MCP });
  await app.register(hooksDoor(deps), { prefix: HOOKS });
  await app.register(refusePaths(OAUTH));
  await app.register(webDoor(deps));
  return app;
}
