import { factsOf } from "../../../base/hook-providers.ts";
import type { FastifyInstance, FastifyReply } from "fastify";
import { findHook } from "../../../db/deployments/hooks.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import {
  addHook,
  HookProviderName,
  HookSecret,
  removeHook,
  rotateHook,
  signTest,
  type NewHook,
} from "../../../projects/hooks.ts";
import { refuse, type Refusals } from "../../kit/forms.ts";
import { addConfirmation } from "../../kit/session/question.tsx";
import type { Redirect, SentForm } from "../../kit/session/form-handlers.ts";
import { addStatusReportingForms } from "./status-reporting.tsx";
import { sendHook } from "./hook-page.tsx";
import { HooksSection } from "./hooks-section.tsx";
import { HOOK, HOOK_PROBLEMS as PROBLEMS, nameHook } from "./hooks-words.ts";
import {
  pathOfSettings,
  projectFormsOf,
  requireOfPath,
  requireOwn,
  type AddProjectForm,
  type FormOfProject,
  type OfOne,
  type SettingsTab,
} from "./settings-tabs.ts";

const PATH = "/projects/:id/hooks/:of";

const refusalsAt = (field: "provider" | "hook_secret"): Refusals => ({
  too_many_hooks: { [field]: PROBLEMS.tooMany },
  secret_key_missing: { [field]: PROBLEMS.noKey },
  input_invalid: { [field]: PROBLEMS.secret },
});

function addRemoval(door: FastifyInstance, deps: Deps): void {
  addConfirmation(door, deps, {
    path: `${PATH}/remove`,
    async find(request) {
      const { of = "" } = (request as OfOne).params;
      await requireOwn(deps, request as OfOne);
      const hook = await findHook(deps.database.sql, of);
      requireOfPath(request as OfOne, hook);
      if (hook === undefined) throw new AppError("hook_not_found", { id: of });
      return { ...hook, id: of };
    },
    ask: (hook) => ({
      consequence: HOOK.removal,
      button: HOOK.remove,
      name: nameHook(hook),
      back: PATH.replace(":id", hook.projectId).replace(":of", hook.id),
    }),
    act: ({ id }, { actor }) => removeHook(deps, actor, id),
    redirect: (request) => ({
      to: pathOfSettings((request as OfOne).params.id, "hooks"),
      done: "hook-removed",
    }),
    gone: "hook_not_found",
  });
}

function addHookForms(addForm: AddProjectForm, deps: Deps, door: FastifyInstance): void {
  /** The page shows the new secret only this once. */
  function sendSecret(
    { project, request, reply }: SentForm & FormOfProject,
    { id, secret: value }: NewHook,
    hint: "addedHint" | "rotatedHint",
  ): Promise<FastifyReply> | Redirect {
    if (value === undefined)
      return {
        to: `/projects/${project.id}/hooks/${id}`,
        done: hint === "addedHint" ? "hook-added" : "hook-rotated",
      };
    const secret = { label: HOOK.secretOf, value, hint: HOOK[hint] };
    return sendHook(deps, request, reply, { id, secret });
  }

  addForm("", async (sent) => {
    const read = HookProviderName.safeParse(sent.fields["provider"]);
    if (!read.success) return refuse({ provider: PROBLEMS.provider });
    const provider = read.data;
    const secret = factsOf(provider).choosesSecret ? null : undefined;
    const hook = await addHook(deps, sent.actor, sent.project.id, { provider, secret });
    return sendSecret(sent, hook, "addedHint");
  });

  const refusals = refusalsAt("hook_secret");
  door.get(PATH, (request: OfOne, reply) => sendHook(deps, request, reply));
  const addHookForm = projectFormsOf(door, deps, {
    path: PATH,
    refusals,
    find: findHook,
    send: sendHook,
  });
  addHookForm("/rotate", async (sent) => {
    const { actor, id, fields } = sent;
    const secret = HookSecret.safeParse(fields["hook_secret"]?.trim() || undefined);
    const found = await findHook(deps.database.sql, id);
    const isMissing = secret.data === undefined && found && factsOf(found.provider).choosesSecret;
    if (isMissing || !secret.success) return refuse({ hook_secret: PROBLEMS.secret });
    return sendSecret(sent, await rotateHook(deps, actor, id, secret.data), "rotatedHint");
  });

  addHookForm("/test", async ({ actor, id, project, request }) => {
    const { headers, body } = await signTest(deps, actor, id);
    const { host = "" } = request.headers;
    // A test event takes the same way as a real one, through the public route.
    await door.inject({
      method: "POST",
      url: `/hooks/${id}`,
      headers: { ...headers, host },
      payload: body,
    });
    return { to: `/projects/${project.id}/hooks/${id}#events` };
  });

  addStatusReportingForms(addHookForm, deps);
  addRemoval(door, deps);
}

export const HOOKS_TAB: SettingsTab = {
  refusals: refusalsAt("provider"),
  Content: HooksSection,
  addForms: addHookForms,
};
