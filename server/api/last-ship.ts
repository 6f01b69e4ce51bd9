import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod";
import { ApiError } from "../../shared/errors.ts";
import { LastShipResponse } from "../../shared/last-ship.ts";
import { findLastShip } from "../db/deployments/deployments.ts";
import type { Deps } from "../deps.ts";
import { answerRead } from "../http/caller.ts";

export const lastShipRoute =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      "/projects/:id/last-ship",
      {
        config: { isRead: true },
        schema: {
          summary: "The latest production deployment of a project, with its score",
          params: z.object({ id: z.string() }),
          response: {
            200: LastShipResponse,
            401: ApiError,
            404: ApiError,
            429: ApiError,
            500: ApiError,
            503: ApiError,
          },
        },
      },
      async (request) => {
        const reading = findLastShip(deps.database.sql, request.caller.row, request.params);
        return { lastShip: await answerRead(request, reading) };
      },
    );
  };
