import type { FastifyReply, FastifyRequest } from "fastify";
import type { ActorsProject } from "../../../db/projects/roles.ts";
import type { Deps } from "../../../deps.ts";
import type { Right } from "../../../projects/rights.ts";
import { requireRightTo } from "../../../projects/rights.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";

export const SETTINGS_PATH = "/projects/:id/settings";

/** The options of a route that takes a form of the settings. */
export const ON_SETTINGS = { config: { formOn: SETTINGS_PATH } };

export type OfProject = FastifyRequest<{ Params: { id: string } }>;

/** Before anything is said about what was typed. Throws the refusal of `RIGHTS`. */
export const requireOwn = (
  { database }: Deps,
  request: OfProject,
  right: Right = "change",
): Promise<ActorsProject> =>
  requireRightTo(database.sql, getSignedIn(request).actor, right, request.params.id);

export const leadBack = (request: OfProject, reply: FastifyReply, place = ""): FastifyReply =>
  reply.redirect(`/projects/${request.params.id}/settings${place}`, 303);
