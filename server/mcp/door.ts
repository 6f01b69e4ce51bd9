import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findCallerByToken } from "../access/tokens.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { createAuthentication, getActor } from "../http/caller.ts";
import { createErrorHandler } from "../http/errors.ts";
import { continueReadable, refuseUnknownRoutes } from "../http/requests.ts";
import { isForeignOrigin } from "../http/origin.ts";
import { preferredLanguage } from "../../shared/language.ts";
import { mayUseMcp } from "../base/plans.ts";
import { composeError } from "./errors.ts";
import type { Answer, Post } from "./serve.ts";

const MAX_BODY_BYTES = 65_536;
const STREAMS = new Set(["text/event-stream", "*/*"]);
/** The protocol reads these headers. `ACCEPTED` lists both types, because the SDK requires both; `acceptsStream` finds the type to send. */
const HEADERS = ["mcp-protocol-version", "mcp-method", "mcp-name"] as const;
const ACCEPTED = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** A POST is one call; calls share no state. Origin, token and plan are checked before anything else in a request is read. */
export const mcpDoor = (deps: Deps) => async (door: FastifyInstance) => {
  const paths = [door.prefix, `${door.prefix}/`];
  door.setErrorHandler(createErrorHandler(deps, composeError));
  door.addHook("onRequest", async ({ raw }) => {
    if (isForeignOrigin(raw, deps.config)) throw new AppError("origin_foreign", {});
  });
  door.addHook("onRequest", createAuthentication(deps, [findCallerByToken]));
  door.addHook("onRequest", async ({ caller, url, method }) => {
    if (!mayUseMcp(caller.plan)) throw new AppError("mcp_team_only", {});
    if (method !== "POST" && paths.includes(url.split(/[?#]/, 1)[0] ?? ""))
      throw new AppError("method_not_allowed", { allow: "POST" });
  });
  refuseUnknownRoutes(door);

  // The SDK takes 200 ms and 27 MB to load, and few servers need it.
  let serving: Promise<typeof import("./serve.ts")> | undefined;
  const route = { bodyLimit: MAX_BODY_BYTES, preParsing: continueReadable };
  door.post("/", route, async (request, reply) => {
    // Reads the request before the SDK loads, so that a disconnect during the load is noticed.
    const post = readPost(request, reply);
    serving ??= import("./serve.ts");
    const { servePost } = await serving;
    return send(reply, await servePost(deps, post));
  });
};

function readPost(request: FastifyRequest, reply: FastifyReply): Post {
  const { id, body, headers } = request;
  if (body === undefined) throw new AppError("body_empty", {});
  if (Array.isArray(body)) throw new AppError("body_is_batch", {});
  const named = HEADERS.flatMap((name) =>
    [headers[name] ?? []].flat().map((value) => [name, value]),
  );
  return {
    requestId: id,
    headers: { ...ACCEPTED, ...(Object.fromEntries(named) as Record<string, string>) },
    body,
    acceptsStream: acceptsStream(headers.accept),
    context: {
      row: request.caller.row,
      actor: getActor(request),
      language: preferredLanguage(headers["accept-language"]),
      signal: followEnd(reply),
    },
  };
}

/** A client gets an event stream only if its `Accept` header lists one. */
function acceptsStream(accept = ""): boolean {
  return accept.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const isRefused = parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    return STREAMS.has(type) && !isRefused;
  });
}

function followEnd({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  reply.status(status);
  if (typeof body === "string") return reply.type("application/json; charset=utf-8").send(body);
  if (body !== undefined) reply.type("text/event-stream").header("x-accel-buffering", "no");
  return reply.send(body);
}
