import type { FastifyInstance } from "fastify";
import { AppError } from "../base/errors.ts";

const noRoute = () => new AppError("route_not_found", {});

/** Answers `route_not_found` for these paths, whatever the method, before a body is received. */
export const refusePaths = (paths: readonly string[]) => async (app: FastifyInstance) => {
  app.addHook("onRequest", (_request, _reply, done) => done(noRoute()));
  for (const path of paths) app.all(path, () => undefined);
};

/**
 * Answers `route_not_found` for all paths below a door's prefix that have no route. This happens after the hooks
 * registered so far and before the body is received.
 */
export function refuseUnknownRoutes(door: FastifyInstance): void {
  door.addHook("onRequest", (request, _reply, done) => {
    done(request.is404 ? noRoute() : undefined);
  });
  door.setNotFoundHandler(() => {
    throw noRoute();
  });
}
