import type { FastifyInstance } from "fastify";
import { AppError } from "../errors.ts";

const noRoute = () => new AppError("route_not_found", {});

/**
 * Has a door answer for what is below its prefix and no route of its own, after the hooks that it has by now and before a
 * body is waited for.
 */
export function refuseUnknownRoutes(door: FastifyInstance): void {
  door.addHook("onRequest", (request, _reply, done) => {
    done(request.is404 ? noRoute() : undefined);
  });
  door.setNotFoundHandler(() => {
    throw noRoute();
  });
}
