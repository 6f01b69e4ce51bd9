import type { FastifyInstance, FastifyRequest } from "fastify";
import { isAppError } from "../../../base/errors.ts";
import { findHook } from "../../../db/deployments/hooks.ts";
import type { Deps } from "../../../deps.ts";
import { answerHook, stopAnswers, WantedAnswer } from "../../../statuses/answers.ts";
import { fieldsOf, refuse, type Fields, type Refused } from "../../kit/forms.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { ANSWER_PROBLEMS as PROBLEMS, hostRefused, mayNotWrite } from "./answers-words.ts";
import { sendHook } from "./hook-page.tsx";
import { HOOK_PROBLEMS } from "./hooks-words.ts";
import { leadTo, requireOfPath, requireOwn } from "./settings-forms.ts";

type OfHook = FastifyRequest<{ Params: { id: string; hook: string } }>;

const PAGE = "/projects/:id/hooks/:hook";
const ON_PAGE = { config: { formOn: PAGE } };

const typed = (fields: Fields, name: string) => fields[name]?.trim() || undefined;

const FAULTS: Readonly<Record<string, Refused>> = {
  answer_repository_invalid: refuse({ repository: PROBLEMS.repository }),
  answer_api_invalid: refuse({ api: PROBLEMS.api }),
  answer_context_invalid: refuse({ context: PROBLEMS.context }),
};

const describeFault = (fault: string): Refused =>
  FAULTS[fault] ?? refuse({ token_secret: PROBLEMS.credential });

/** What is said at the form that was refused. Throws an error that says something else. */
function describeError(error: unknown): Refused {
  if (isAppError(error, "input_invalid")) return describeFault(error.parameters.fault);
  if (isAppError(error, "status_host_refused"))
    return refuse({ api: hostRefused(error.parameters.host) });
  if (isAppError(error, "answer_refused"))
    return refuse({ token_secret: mayNotWrite(error.parameters.why) });
  if (isAppError(error, "secret_key_missing")) return refuse({ token_secret: HOOK_PROBLEMS.noKey });
  throw error;
}

/** How a hook answers, as the owner of its project decides. */
export function answerRoutes(door: FastifyInstance, deps: Deps): void {
  /** Throws the refusal of `RIGHTS`, and `project_not_found` for the hook of another project. */
  async function requireHook(request: OfHook): Promise<string> {
    await requireOwn(deps, request);
    const { hook } = request.params;
    requireOfPath(request, await findHook(deps.database.sql, hook));
    return hook;
  }

  door.post(`${PAGE}/answers`, ON_PAGE, async (request: OfHook, reply) => {
    const hook = await requireHook(request);
    const fields = fieldsOf(request);
    const wanted = WantedAnswer.safeParse({
      repository: fields["repository"] ?? "",
      api: fields["api"],
      context: fields["context"],
      comment: fields["comment"] === "on",
      token: typed(fields, "token_secret"),
      app: typed(fields, "app"),
      installation: typed(fields, "installation"),
      key: typed(fields, "key_secret"),
    });
    const send = (refused: Refused) => sendHook(deps, request, reply, hook, { refused });
    if (!wanted.success) return send(describeFault(wanted.error.issues[0]?.message ?? ""));
    try {
      await answerHook(deps, getSignedIn(request).actor, hook, wanted.data);
    } catch (error) {
      return send(describeError(error));
    }
    return leadTo(request, reply, `/projects/${request.params.id}/hooks/${hook}`);
  });

  door.post(`${PAGE}/answers/off`, ON_PAGE, async (request: OfHook, reply) => {
    const hook = await requireHook(request);
    await stopAnswers(deps, getSignedIn(request).actor, hook);
    return leadTo(request, reply, `/projects/${request.params.id}/hooks/${hook}`);
  });
}
