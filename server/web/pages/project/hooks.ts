import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import type { Deps } from "../../../deps.ts";
import { isAppError } from "../../../base/errors.ts";
import {
  addHook,
  HookProviderName,
  HookSecret,
  rotateHook,
  type NewHook,
} from "../../../projects/hooks.ts";
import { fieldsOf, refuse, type Refused } from "../../kit/forms.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { HOOK_PROBLEMS as PROBLEMS, HOOKS } from "./hooks-words.ts";
import { formOn, leadBack, pathOfSettings, requireOwn, type OfProject } from "./settings-forms.ts";
import { sendRefused, sendSettings } from "./settings-page.tsx";

/** What is said at the form that was refused. Throws an error that says something else. */
function describeHookError(error: unknown, field: "provider" | "hook_secret"): Refused {
  if (isAppError(error, "too_many_hooks")) return refuse({ [field]: PROBLEMS.tooMany });
  if (isAppError(error, "secret_key_missing")) return refuse({ [field]: PROBLEMS.noKey });
  if (isAppError(error, "input_invalid")) return refuse({ [field]: PROBLEMS.secret });
  if (isAppError(error, "hook_not_found")) return refuse({ hook: PROBLEMS.gone });
  throw error;
}

const PATH = pathOfSettings(":id", "hooks");

/** The hooks of a project, as its owner manages them from its settings. */
export function hookRoutes(door: FastifyInstance, deps: Deps): void {
  const actorOf = (request: FastifyRequest) => getSignedIn(request).actor;

  function sendSecret(
    request: OfProject,
    reply: FastifyReply,
    { secret: value }: NewHook,
    hint: "addedHint" | "rotatedHint",
  ) {
    if (value === undefined) return leadBack(request, reply);
    const label = say(HOOKS.secretOf, getSignedIn(request).language);
    const secret = { label, value, hint: HOOKS[hint] };
    return sendSettings(deps, request, reply, { secret });
  }

  door.post(PATH, formOn("hooks"), async (request: OfProject, reply) => {
    await requireOwn(deps, request);
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

  door.post(`${PATH}/rotate`, formOn("hooks"), async (request: OfProject, reply) => {
    await requireOwn(deps, request);
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
}
