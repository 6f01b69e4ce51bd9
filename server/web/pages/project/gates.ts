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
import { fieldsOf, refuse, type Refused } from "../../kit/forms.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { GATE } from "./gate-words.ts";
import { formOn, leadBack, pathOfSettings, requireOwn, type OfProject } from "./settings-forms.ts";
import { sendRefused } from "./settings-page.tsx";

const PATH = pathOfSettings(":id", "gate");

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

/** The gate of a project, as its owner sets it. */
export function gateRoutes(door: FastifyInstance, deps: Deps): void {
  door.post(PATH, async (request: OfProject, reply) => {
    await requireOwn(deps, request);
    const fields = fieldsOf(request);
    const typed = (name: string) => fields[name]?.trim() || "none";
    const edit = GateEdit.safeParse({
      minScore: typed("min_score"),
      minCategory: typed("min_category"),
      require: typed("require"),
      maxDrop: typed("max_drop"),
      failOnNew: fields["fail_on_new"] === "on" || "none",
    });
    if (!edit.success) return sendRefused(deps, request, reply, refuseFields(edit.error, NAMES));
    await editGate(deps, getSignedIn(request).actor, request.params.id, edit.data);
    return leadBack(request, reply);
  });

  door.post(`${PATH}/accept`, formOn("gate"), async (request: OfProject, reply) => {
    await requireOwn(deps, request);
    const { rule = "", reason = "", until = "", page = "" } = fieldsOf(request);
    const read = NewAcceptance.safeParse({ rule, reason, until, page: page.trim() || undefined });
    if (!read.success) return sendRefused(deps, request, reply, refuseFields(read.error));
    try {
      await acceptFinding(deps, getSignedIn(request).actor, request.params.id, read.data);
    } catch (error) {
      if (!isAppError(error, "too_many_accepted")) throw error;
      return sendRefused(deps, request, reply, refuse({ rule: GATE.tooMany }));
    }
    return leadBack(request, reply);
  });

  door.post(`${PATH}/unaccept`, formOn("gate"), async (request: OfProject, reply) => {
    const { rule = "" } = fieldsOf(request);
    try {
      await unacceptFinding(deps, getSignedIn(request).actor, request.params.id, rule);
    } catch (error) {
      // Somebody removed it already: it is as it was asked for.
      if (!isAppError(error, "accepted_not_found")) throw error;
    }
    return leadBack(request, reply);
  });
}
