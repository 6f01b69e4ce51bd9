import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { ApiError } from "../../shared/errors.ts";
import { ProjectList } from "../../shared/project.ts";
import { QUOTA_HEADER, writeQuotaHeader } from "../../shared/quota.ts";
import { quotaOfAccount } from "../checks/quota.ts";
import { listProjects } from "../db/projects/projects.ts";
import type { Deps } from "../deps.ts";
import { answerRead } from "../http/caller.ts";

export const projectsRoute =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      "/projects",
      {
        config: { isRead: true },
        schema: {
          summary: "The caller's projects and those shared with it, by name",
          response: {
            200: ProjectList,
            401: ApiError,
            429: ApiError,
            500: ApiError,
            503: ApiError,
          },
        },
      },
      async (request, reply) => {
        const reading = listProjects(deps.database.sql, request.caller.row);
        const { projects, used, ...account } = await answerRead(request, reading);
        reply.header(QUOTA_HEADER, writeQuotaHeader(quotaOfAccount(account, used)));
        return { projects };
      },
    );
  };
