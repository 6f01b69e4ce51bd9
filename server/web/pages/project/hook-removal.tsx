import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../../base/errors.ts";
import { findHook } from "../../../db/deployments/hooks.ts";
import type { Deps } from "../../../deps.ts";
import { removeHook } from "../../../projects/hooks.ts";
import { Question } from "../../kit/layout.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { nameHook } from "./acts-words.ts";
import { askToRemoveLast, HOOK, HOOKS } from "./hooks-words.ts";
import { unlessGone } from "./own-forms.ts";
import { nameProject } from "./parts.tsx";
import { leadBack, pathOfSettings, requireOwn } from "./settings-forms.ts";

type OfHook = FastifyRequest<{ Params: { id: string; hook: string } }>;

const PATH = "/projects/:id/hooks/:hook/remove";

export const pathOfRemoval = (projectId: string, hookId: string): string =>
  PATH.replace(":id", projectId).replace(":hook", hookId);

/** Removes a hook; the last one of a project is asked for first, since no deployment is reported any more. */
export function hookRemovalRoutes(door: FastifyInstance, deps: Deps): void {
  door.get(PATH, async (request: OfHook, reply) => {
    const { id, name } = await requireOwn(deps, request);
    const hook = await findHook(deps.database.sql, request.params.hook);
    if (hook?.projectId !== id) throw new AppError("route_not_found", {});
    const title = askToRemoveLast(nameProject(name));
    return sendPage(request, reply, {
      title,
      children: (
        <Question
          title={title}
          consequence={HOOKS.lastRemoved}
          action={pathOfRemoval(id, hook.id)}
          button={HOOK.remove}
          name={nameHook(hook)}
          back={pathOfSettings(id, "hooks")}
        />
      ),
    });
  });

  door.post(PATH, async (request: OfHook, reply) => {
    await requireOwn(deps, request);
    const { actor } = getSignedIn(request);
    await unlessGone("hook_not_found", removeHook(deps, actor, request.params.hook));
    return leadBack(request, reply, "hooks");
  });
}
