import { isAppError } from "../../../base/errors.ts";
import type { Deps } from "../../../deps.ts";
import { answerHook, stopAnswers, WantedAnswer } from "../../../statuses/answers.ts";
import { refuse, type Fields, type Refused } from "../../kit/forms.ts";
import { ANSWER_PROBLEMS as PROBLEMS, hostRefused, mayNotWrite } from "./answers-words.ts";
import { HOOK_PROBLEMS } from "./hooks-words.ts";
import type { formsOfOne } from "./own-forms.ts";

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

/** How a hook answers, as the owner of its project decides: `take` takes the forms of its page. */
export function answerRoutes(take: ReturnType<typeof formsOfOne>, deps: Deps): void {
  take(
    "/answers",
    async ({ actor, id, fields }) => {
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
      if (!wanted.success) return describeFault(wanted.error.issues[0]?.message ?? "");
      return answerHook(deps, actor, id, wanted.data);
    },
    { describe: describeError },
  );
  take("/answers/off", ({ actor, id }) => stopAnswers(deps, actor, id));
}
