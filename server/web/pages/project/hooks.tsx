import type { FastifyInstance, FastifyRequest } from "fastify";
import { findHook } from "../../../db/deployments/hooks.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import {
  addHook,
  choosesSecret,
  HookProviderName,
  HookSecret,
  removeHook,
  rotateHook,
  signTest,
  type NewHook,
} from "../../../projects/hooks.ts";
import { refuse, type Refusals } from "../../kit/forms.ts";
import { Question } from "../../kit/layout.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { nameHook } from "./acts-words.ts";
import { answerRoutes } from "./answers.tsx";
import { sendHook } from "./hook-page.tsx";
import { HooksSection } from "./hooks-section.tsx";
import { askToRemoveLast, HOOK, HOOK_PROBLEMS as PROBLEMS, HOOKS } from "./hooks-words.ts";
import { formsOfOne, unlessGone, type Sent, type SettingsTab, type Take } from "./own-forms.ts";
import { nameProject } from "./parts.tsx";
import { leadBack, leadTo, pathOfSettings, requireOwn } from "./settings-forms.ts";

const PATH = "/projects/:id/hooks/:of";
const REMOVAL = `${PATH}/remove`;

type OfHook = FastifyRequest<{ Params: { id: string; of: string } }>;

/** What is said at a form that was refused, at its field. */
const refusalsAt = (field: "provider" | "hook_secret"): Refusals => ({
  too_many_hooks: { [field]: PROBLEMS.tooMany },
  secret_key_missing: { [field]: PROBLEMS.noKey },
  input_invalid: { [field]: PROBLEMS.secret },
});

/** Removes a hook; the last one of a project is asked for first, since no deployment is reported any more. */
function addRemoval(door: FastifyInstance, deps: Deps): void {
  door.get(REMOVAL, async (request: OfHook, reply) => {
    const { id, name } = await requireOwn(deps, request);
    const hook = await findHook(deps.database.sql, request.params.of);
    if (hook?.projectId !== id) throw new AppError("route_not_found", {});
    const title = askToRemoveLast(nameProject(name));
    return sendPage(request, reply, {
      title,
      children: (
        <Question
          title={title}
          consequence={HOOKS.lastRemoved}
          action={`/projects/${id}/hooks/${hook.id}/remove`}
          button={HOOK.remove}
          name={nameHook(hook)}
          back={pathOfSettings(id, "hooks")}
        />
      ),
    });
  });

  door.post(REMOVAL, async (request: OfHook, reply) => {
    await requireOwn(deps, request);
    const { actor } = getSignedIn(request);
    await unlessGone("hook_not_found", removeHook(deps, actor, request.params.of));
    return leadBack(request, reply, "hooks");
  });
}

/** The hooks of a project, as its owner manages them. */
function takeHooks(takeNew: Take, deps: Deps, door: FastifyInstance): void {
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

  takeNew("", async (sent) => {
    const read = HookProviderName.safeParse(sent.fields["provider"]);
    if (!read.success) return refuse({ provider: PROBLEMS.provider });
    const provider = read.data;
    const secret = choosesSecret(provider) ? null : undefined;
    const hook = await addHook(deps, sent.actor, sent.project.id, { provider, secret });
    return sendSecret(sent, hook, "addedHint");
  });

  const take = formsOfOne(door, deps, PATH, sendHook, findHook, refusalsAt("hook_secret"));
  take("/rotate", async (sent) => {
    const { actor, id, fields } = sent;
    const secret = HookSecret.safeParse(fields["hook_secret"]?.trim() || undefined);
    const found = await findHook(deps.database.sql, id);
    const isMissing = secret.data === undefined && found && choosesSecret(found.provider);
    if (isMissing || !secret.success) return refuse({ hook_secret: PROBLEMS.secret });
    return sendSecret(sent, await rotateHook(deps, actor, id, secret.data), "rotatedHint");
  });

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
  addRemoval(door, deps);
}

export const HOOKS_TAB: SettingsTab = {
  refusals: refusalsAt("provider"),
  Content: HooksSection,
  takeForms: takeHooks,
};
