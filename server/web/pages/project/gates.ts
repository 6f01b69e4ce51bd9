import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../deps.ts";
import { isAppError } from "../../../base/errors.ts";
import {
  acceptFinding,
  editGate,
  GateEdit,
  NewAcceptance,
  unacceptFinding,
} from "../../../projects/gates.ts";
import { INPUT_FAULTS } from "../../../words/input-faults.ts";
import { refuse, type Refused } from "../../kit/forms.ts";
import { GATE } from "./gate-words.ts";
import { ownForms, unlessGone } from "./own-forms.ts";

/** What is wrong at each field, by the names that the form gives them. */
export function refuseFields(
  error: { readonly issues: readonly { path: readonly PropertyKey[]; message: string }[] },
  names: Readonly<Record<string, string>> = {},
): Refused {
  const problems = error.issues.map(({ path: [key], message }) => {
    const field = String(key);
    return [names[field] ?? field, INPUT_FAULTS[message as keyof typeof INPUT_FAULTS]] as const;
  });
  return refuse(Object.fromEntries(problems));
}

const NAMES = { minScore: "min_score", minCategory: "min_category", maxDrop: "max_drop" };

/** Why a finding is not accepted. Throws an error that says something else. */
function describeAcceptError(error: unknown): Refused {
  if (isAppError(error, "too_many_accepted")) return refuse({ rule: GATE.tooMany });
  throw error;
}

/** The gate of a project, as its owner sets it. */
export function gateRoutes(door: FastifyInstance, deps: Deps): void {
  const take = ownForms(door, deps, "gate");
  take("", async ({ actor, project, fields }) => {
    const typed = (name: string) => fields[name]?.trim() || "none";
    const edit = GateEdit.safeParse({
      minScore: typed("min_score"),
      minCategory: typed("min_category"),
      require: typed("require"),
      maxDrop: typed("max_drop"),
      failOnNew: fields["fail_on_new"] === "on" || "none",
    });
    if (!edit.success) return refuseFields(edit.error, NAMES);
    return editGate(deps, actor, project.id, edit.data);
  });

  take(
    "/accept",
    async ({ actor, project, fields: { rule = "", reason = "", until = "", page = "" } }) => {
      const read = NewAcceptance.safeParse({ rule, reason, until, page: page.trim() || undefined });
      if (!read.success) return refuseFields(read.error);
      return acceptFinding(deps, actor, project.id, read.data);
    },
    { describe: describeAcceptError },
  );

  take("/unaccept", ({ actor, project, fields: { rule = "" } }) =>
    unlessGone("accepted_not_found", unacceptFinding(deps, actor, project.id, rule)),
  );
}
