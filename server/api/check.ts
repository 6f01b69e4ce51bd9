import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { Check, CheckRequest } from "../../shared/check.ts";
import { ApiError } from "../../shared/errors.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { getActor } from "../http/caller.ts";
import { continueReadable } from "../http/requests.ts";
import { preferredLanguage } from "../../shared/language.ts";
import { runCheck } from "../checks/check.ts";

const MAX_KEY_LENGTH = 255;

function keyOf(header: string | string[] | undefined): string | undefined {
  const key = Array.isArray(header) ? header.join(", ") : header;
  if (key !== undefined && key.length > MAX_KEY_LENGTH) {
    throw new AppError("idempotency_key_too_long", { maxLength: MAX_KEY_LENGTH });
  }
  return key || undefined;
}

export const checkRoute =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      "/check",
      {
        schema: {
          summary: "Verify a URL now (counted)",
          body: CheckRequest,
          response: {
            200: Check,
            400: ApiError,
            401: ApiError,
            429: ApiError,
            500: ApiError,
            503: ApiError,
          },
        },
        preParsing: continueReadable,
      },
      async (request, reply) => {
        const body = await runCheck(deps, getActor(request), {
          request: request.body,
          idempotencyKey: keyOf(request.headers["idempotency-key"]),
          language: preferredLanguage(request.headers["accept-language"]),
        });
        reply.type("application/json; charset=utf-8").serializer((text) => text as string);
        return reply.send(body as never);
      },
    );
  };
