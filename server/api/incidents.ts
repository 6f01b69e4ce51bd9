import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod";
import { ApiError } from "../../shared/errors.ts";
import { IncidentList } from "../../shared/incident.ts";
import { listIncidents } from "../db/watching/incidents.ts";
import type { Deps } from "../deps.ts";
import { preferredLanguage } from "../../shared/language.ts";
import { answerRead } from "../http/caller.ts";

export const incidentsRoute =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      "/projects/:id/incidents",
      {
        config: { isRead: true },
        schema: {
          summary: "The URLs of a project that are failing now, the longest failing first",
          params: z.object({ id: z.string() }),
          response: {
            200: IncidentList,
            401: ApiError,
            404: ApiError,
            429: ApiError,
            500: ApiError,
            503: ApiError,
          },
        },
      },
      async (request) => {
        const { caller, params, headers } = request;
        const language = preferredLanguage(headers["accept-language"]);
        const reading = listIncidents(deps.database.sql, caller.row, params, language);
        return { incidents: await answerRead(request, reading) };
      },
    );
  };
