import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findHook } from "../../../db/deployments/hooks.ts";
import type { Deps } from "../../../deps.ts";
import { isAppError } from "../../../base/errors.ts";
import {
  addHook,
  choosesSecret,
  HookProviderName,
  HookSecret,
  rotateHook,
  signTest,
  type NewHook,
} from "../../../projects/hooks.ts";
import { fieldsOf, refuse, type Refused } from "../../kit/forms.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { sendHook } from "./hook-page.tsx";
import { HOOK, HOOK_PROBLEMS as PROBLEMS } from "./hooks-words.ts";
import { ownForms } from "./own-forms.ts";
import { leadTo, requireOfPath, requireOwn, type OfProject } from "./settings-forms.ts";

type OfHook = FastifyRequest<{ Params: { id: string; hook: string } }>;

const PATH = "/projects/:id/hooks/:hook";
const ON_PAGE = { config: { formOn: PATH } };

/** What is said at the form that was refused. Throws an error that says something else. */
function describeHookError(error: unknown, field: "provider" | "hook_secret"): Refused {
  if (isAppError(error, "too_many_hooks")) return refuse({ [field]: PROBLEMS.tooMany });
  if (isAppError(error, "secret_key_missing")) return refuse({ [field]: PROBLEMS.noKey });
  if (isAppError(error, "input_invalid")) return refuse({ [field]: PROBLEMS.secret });
  throw error;
}

/** The hooks of a project, as its owner manages them. */
export function hookRoutes(door: FastifyInstance, deps: Deps): void {
  const actorOf = (request: FastifyRequest) => getSignedIn(request).actor;
  const pathOf = (request: OfProject, hookId: string) =>
    `/projects/${request.params.id}/hooks/${hookId}`;

  /** The page of a hook, with the secret that this answer alone shows. */
  function sendSecret(
    request: OfProject,
    reply: FastifyReply,
    { id, secret: value }: NewHook,
    hint: "addedHint" | "rotatedHint",
  ) {
    if (value === undefined) return leadTo(request, reply, pathOf(request, id));
    const secret = { label: HOOK.secretOf, value, hint: HOOK[hint] };
    return sendHook(deps, request, reply, id, { secret });
  }

  door.get(PATH, (request: OfHook, reply) => sendHook(deps, request, reply, request.params.hook));

  ownForms(door, deps, "hooks")(
    "",
    async ({ actor, project, fields, request, reply }) => {
      const read = HookProviderName.safeParse(fields["provider"]);
      if (!read.success) return refuse({ provider: PROBLEMS.provider });
      const provider = read.data;
      const secret = choosesSecret(provider) ? null : undefined;
      const hook = await addHook(deps, actor, project.id, { provider, secret });
      return sendSecret(request, reply, hook, "addedHint");
    },
    { describe: (error) => describeHookError(error, "provider") },
  );

  door.post(`${PATH}/rotate`, ON_PAGE, async (request: OfHook, reply) => {
    await requireOwn(deps, request);
    const { hook: id } = request.params;
    const sendRefusal = (refused: Refused) => sendHook(deps, request, reply, id, { refused });
    const { hook_secret: typed = "" } = fieldsOf(request);
    const secret = HookSecret.safeParse(typed.trim() || undefined);
    const found = await findHook(deps.database.sql, id);
    requireOfPath(request, found);
    const isMissing = secret.data === undefined && found && choosesSecret(found.provider);
    if (isMissing || !secret.success) return sendRefusal(refuse({ hook_secret: PROBLEMS.secret }));
    let hook;
    try {
      hook = await rotateHook(deps, actorOf(request), id, secret.data);
    } catch (error) {
      return sendRefusal(describeHookError(error, "hook_secret"));
    }
    return sendSecret(request, reply, hook, "rotatedHint");
  });

  door.post(`${PATH}/test`, ON_PAGE, async (request: OfHook, reply) => {
    await requireOwn(deps, request);
    const { hook } = request.params;
    const { headers, body } = await signTest(deps, actorOf(request), hook);
    const { host = "" } = request.headers;
    // A test takes the way of every event, from the door for hooks on.
    await door.inject({
      method: "POST",
      url: `/hooks/${hook}`,
      headers: { ...headers, host },
      payload: body,
    });
    return reply.redirect(`${pathOf(request, hook)}#events`, 303);
  });
}
