import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import { findActorsProject } from "../../../db/projects/roles.ts";
import type { Deps } from "../../../deps.ts";
import { isAppError } from "../../../base/errors.ts";
import {
  addHook,
  HookProviderName,
  HookSecret,
  removeHook,
  rotateHook,
  type NewHook,
} from "../../../projects/hooks.ts";
import { requireRight } from "../../../projects/rights.ts";
import { fieldsOf } from "../../kit/forms.ts";
import type { ShownSecret } from "../../kit/secret.tsx";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { HOOK_PROBLEMS as PROBLEMS, HOOKS } from "./hooks-words.ts";
import { refuse, type Refused } from "./refused-form.ts";
import { sendRefused, sendSettings } from "./settings-page.tsx";

const FORM = { config: { formOn: "/projects/:id/settings" } };

type Request = FastifyRequest<{ Params: { id: string } }>;

/** The text at the refused form. Throws any error that is not about the form. */
function describeHookError(error: unknown, field: "provider" | "hook_secret"): Refused {
  if (isAppError(error, "too_many_hooks")) return refuse({ [field]: PROBLEMS.tooMany });
  if (isAppError(error, "secret_key_missing")) return refuse({ [field]: PROBLEMS.noKey });
  if (isAppError(error, "input_invalid")) return refuse({ [field]: PROBLEMS.secret });
  if (isAppError(error, "hook_not_found")) return refuse({ hook: PROBLEMS.gone });
  throw error;
}

/** The hooks of a project, as its owner manages them from its settings. */
export function hookRoutes(door: FastifyInstance, deps: Deps): void {
  const actorOf = (request: Request) => getSignedIn(request).actor;

  /** Before anything is said about what was typed. Throws the refusal of `RIGHTS`. */
  async function requireOwn(request: Request): Promise<void> {
    const { id: projectId } = request.params;
    const project = await findActorsProject(deps.database.sql, actorOf(request), projectId);
    requireRight(project, "change", { projectId });
  }

  const goBack = (request: Request, reply: FastifyReply) =>
    reply.redirect(`/projects/${request.params.id}/settings#hooks`, 303);

  function sendSecret(
    request: Request,
    reply: FastifyReply,
    { secret: value }: NewHook,
    hint: "addedHint" | "rotatedHint",
  ) {
    if (value === undefined) return goBack(request, reply);
    const label = say(HOOKS.secretOf, getSignedIn(request).language);
    const secret: ShownSecret = { label, value, hint: HOOKS[hint] };
    return sendSettings(deps, request, reply, { secret });
  }

  door.post("/projects/:id/hooks", FORM, async (request: Request, reply) => {
    await requireOwn(request);
    const provider = HookProviderName.safeParse(fieldsOf(request)["provider"]);
    if (!provider.success)
      return sendRefused(deps, request, reply, refuse({ provider: PROBLEMS.provider }));
    let hook;
    try {
      const { id } = request.params;
      hook = await addHook(deps, actorOf(request), id, { provider: provider.data });
    } catch (error) {
      return sendRefused(deps, request, reply, describeHookError(error, "provider"));
    }
    return sendSecret(request, reply, hook, "addedHint");
  });

  door.post("/projects/:id/hooks/rotate", FORM, async (request: Request, reply) => {
    await requireOwn(request);
    const { hook: id = "", hook_secret: typed = "" } = fieldsOf(request);
    const secret = HookSecret.safeParse(typed.trim() || undefined);
    if (!secret.success)
      return sendRefused(deps, request, reply, refuse({ hook_secret: PROBLEMS.secret }));
    let hook;
    try {
      hook = await rotateHook(deps, actorOf(request), id, secret.data);
    } catch (error) {
      return sendRefused(deps, request, reply, describeHookError(error, "hook_secret"));
    }
    return sendSecret(request, reply, hook, "rotatedHint");
  });

  door.post("/projects/:id/hooks/remove", FORM, async (request: Request, reply) => {
    await requireOwn(request);
    const { hook = "" } = fieldsOf(request);
    try {
      await removeHook(deps, actorOf(request), hook);
    } catch (error) {
      // Somebody removed it already: it is as it was asked for.
      if (!isAppError(error, "hook_not_found")) throw error;
    }
    return goBack(request, reply);
  });
}
