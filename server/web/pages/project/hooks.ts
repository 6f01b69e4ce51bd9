import type { FastifyInstance } from "fastify";
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
import { refuse, type Refused } from "../../kit/forms.ts";
import { answerRoutes } from "./answers.ts";
import { sendHook } from "./hook-page.tsx";
import { HOOK, HOOK_PROBLEMS as PROBLEMS } from "./hooks-words.ts";
import { formsOfOne, ownForms, type Sent } from "./own-forms.ts";
import { leadTo } from "./settings-forms.ts";

const PATH = "/projects/:id/hooks/:of";

/** What is said at the form that was refused. Throws an error that says something else. */
function describeHookError(error: unknown, field: "provider" | "hook_secret"): Refused {
  if (isAppError(error, "too_many_hooks")) return refuse({ [field]: PROBLEMS.tooMany });
  if (isAppError(error, "secret_key_missing")) return refuse({ [field]: PROBLEMS.noKey });
  if (isAppError(error, "input_invalid")) return refuse({ [field]: PROBLEMS.secret });
  throw error;
}

/** The hooks of a project, as its owner manages them. */
export function hookRoutes(door: FastifyInstance, deps: Deps): void {
  /** The page of a hook, with the secret that this answer alone shows. */
  function sendSecret(
    { project, request, reply }: Sent,
    { id, secret: value }: NewHook,
    hint: "addedHint" | "rotatedHint",
  ) {
    if (value === undefined) return leadTo(request, reply, `/projects/${project.id}/hooks/${id}`);
    const secret = { label: HOOK.secretOf, value, hint: HOOK[hint] };
    return sendHook(deps, request, reply, { id, secret });
  }

  ownForms(door, deps, "hooks")(
    "",
    async (sent) => {
      const read = HookProviderName.safeParse(sent.fields["provider"]);
      if (!read.success) return refuse({ provider: PROBLEMS.provider });
      const provider = read.data;
      const secret = choosesSecret(provider) ? null : undefined;
      const hook = await addHook(deps, sent.actor, sent.project.id, { provider, secret });
      return sendSecret(sent, hook, "addedHint");
    },
    { describe: (error) => describeHookError(error, "provider") },
  );

  const take = formsOfOne(door, deps, PATH, sendHook, findHook);
  take(
    "/rotate",
    async (sent) => {
      const { actor, id, fields } = sent;
      const secret = HookSecret.safeParse(fields["hook_secret"]?.trim() || undefined);
      const found = await findHook(deps.database.sql, id);
      const isMissing = secret.data === undefined && found && choosesSecret(found.provider);
      if (isMissing || !secret.success) return refuse({ hook_secret: PROBLEMS.secret });
      return sendSecret(sent, await rotateHook(deps, actor, id, secret.data), "rotatedHint");
    },
    { describe: (error) => describeHookError(error, "hook_secret") },
  );

  take("/test", async ({ actor, id, project, request, reply }) => {
    const { headers, body } = await signTest(deps, actor, id);
    const { host = "" } = request.headers;
    // A test takes the way of every event, from the door for hooks on.
    await door.inject({
      method: "POST",
      url: `/hooks/${id}`,
      headers: { ...headers, host },
      payload: body,
    });
    return reply.redirect(`/projects/${project.id}/hooks/${id}#events`, 303);
  });

  answerRoutes(take, deps);
}
