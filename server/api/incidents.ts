import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import * as z from "zod";
import { ApiError } from "../../shared/error.ts";
import { IncidentList } from "../../shared/incident.ts";
import { listIncidents } from "../db/incidents.ts";
import type { Deps } from "../deps.ts";
import { preferredLanguage } from "../language.ts";
import { requireFingerprint } from "./authenticate.ts";

export const incidentsRoute =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      "/projects/:id/incidents",
      {
        schema: {
          summary: "The URLs of a project that are failing now, the longest failing first",
          params: z.object({ id: z.string() }),
          response: { 200: IncidentList, 401: ApiError, 404: ApiError, 503: ApiError },
        },
      },
      async (request) => {
        const language = preferredLanguage(request.headers["accept-language"]);
        const fingerprint = requireFingerprint(request);
        return {
          incidents: await listIncidents(
            deps.database.sql,
            fingerprint,
            request.params.id,
            language,
          ),
        };
      },
    );
  };
