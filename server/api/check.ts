import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { Check, CheckRequest } from "../../shared/check.ts";
import { ApiError } from "../../shared/error.ts";
import type { Caller } from "../db/callers.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { preferredLanguage } from "../language.ts";
import { runCheck } from "../verify/check.ts";
import { authenticate } from "./authenticate.ts";

const MAX_KEY_LENGTH = 255;
const MAX_BODY_BYTES = 16_384;

function keyOf(header: string | string[] | undefined): string | undefined {
  const key = Array.isArray(header) ? header.join(", ") : header;
  if (key !== undefined && key.length > MAX_KEY_LENGTH) {
    throw new AppError(
      "bad_request",
      `La clé d'idempotence (Idempotency-Key) dépasse ${MAX_KEY_LENGTH} caractères.`,
    );
  }
  return key || undefined;
}

/** POST /check: verifies a URL now, for one slot of the month's quota. */
export const checkRoute =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const callers = new WeakMap<object, Caller>();
    app.post(
      "/check",
      {
        bodyLimit: MAX_BODY_BYTES,
        schema: {
          summary: "Verify a URL now (counted)",
          body: CheckRequest,
          response: { 200: Check, 400: ApiError, 401: ApiError, 429: ApiError, 503: ApiError },
        },
        onRequest: async (request) => {
          callers.set(request, await authenticate(deps, request));
        },
      },
      async (request, reply) => {
        const caller = callers.get(request);
        if (caller === undefined) throw new Error("the onRequest hook did not run");
        const body = await runCheck(deps, {
          caller,
          request: request.body,
          idempotencyKey: keyOf(request.headers["idempotency-key"]),
          language: preferredLanguage(request.headers["accept-language"]),
        });
        reply.type("application/json; charset=utf-8").serializer((text) => text as string);
        return reply.send(body as never);
      },
    );
  };
