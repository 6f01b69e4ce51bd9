import type { FastifyInstance } from "fastify";

/** Answers HEAD at each address that is registered for GET from here on: the same head, and no page. */
export function answerHead(door: FastifyInstance): void {
  door.addHook("onRoute", (route) => {
    if (route.method === "GET") door.route({ ...route, method: "HEAD", url: route.routePath });
  });
}
