import type { FastifyInstance } from "fastify";
import { findCallerByToken } from "../access/tokens.ts";
import type { Deps } from "../deps.ts";
import { createAuthentication } from "../http/caller.ts";
import { refuseUnknownRoutes } from "../http/requests.ts";
import { checkRoute } from "./check.ts";
import { incidentsRoute } from "./incidents.ts";
import { lastShipRoute } from "./last-ship.ts";
import { projectsRoute } from "./projects.ts";
import { createErrorHandler } from "../http/errors.ts";

/** The token is checked before anything else in the request is read. */
export const apiDoor = (deps: Deps) => async (door: FastifyInstance) => {
  door.setErrorHandler(createErrorHandler(deps));
  door.addHook("onRequest", createAuthentication(deps, [findCallerByToken]));
  refuseUnknownRoutes(door);

  await door.register(checkRoute(deps));
  await door.register(projectsRoute(deps));
  await door.register(incidentsRoute(deps));
  await door.register(lastShipRoute(deps));
};
