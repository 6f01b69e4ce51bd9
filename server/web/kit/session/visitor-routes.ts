import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../deps.ts";
import { requireOwnPage } from "../../../http/same-site.ts";
import { acceptForms } from "../forms.ts";
import { answerHead } from "../head.ts";
import { recogniseReaders } from "./signed-in.ts";

/** Registers routes with forms that anybody may see, signed in or not. */
export const visitorRoutes =
  (deps: Deps, routes: readonly ((door: FastifyInstance, deps: Deps) => void)[]) =>
  async (door: FastifyInstance): Promise<void> => {
    door.removeAllContentTypeParsers();
    acceptForms(door);
    answerHead(door);
    const refuseForeignForm = requireOwnPage(deps.config);
    door.addHook("onRequest", async (request) => {
      if (request.method === "POST") await refuseForeignForm(request);
    });
    recogniseReaders(door, deps);
    for (const add of routes) add(door, deps);
  };
