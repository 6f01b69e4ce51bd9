import type { FastifyRequest } from "fastify";
import type { VNode } from "preact";
import { findAct, type ActKind } from "../../../db/projects/acts.ts";
import type { Deps } from "../../../deps.ts";
import { parameterOf } from "../../kit/asked.ts";
import { Did } from "../../kit/problems.tsx";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { describeAct } from "./acts-words.ts";
import { pathOfSettings, type SettingsPage } from "./settings-forms.ts";

/** Where what is removed stood, and comes back. */
export const UNDONE_ON: Partial<Record<ActKind, SettingsPage>> = {
  "url.unwatched": "urls",
  "member.removed": "people",
  "hook.removed": "hooks",
  "alert.removed": "alerts",
  "badge.off": "badge",
};

/**
 * What the signed-in person just did to a project, as its page says it, with what undoes it; undefined for a page without
 * `?did=`, and for what somebody else did. One statement.
 */
export async function findDid(
  deps: Deps,
  request: FastifyRequest,
  projectId: string,
): Promise<VNode | undefined> {
  const id = parameterOf(request, "did");
  if (id === undefined) return undefined;
  const act = await findAct(deps.database.sql, getSignedIn(request).caller, projectId, id);
  if (act === undefined) return undefined;
  const said = describeAct(act, deps.mailer !== undefined);
  const page = UNDONE_ON[act.kind];
  const undo =
    act.canUndo && page !== undefined
      ? { action: `${pathOfSettings(projectId, page)}/undo`, act: act.id }
      : undefined;
  return <Did said={said} undo={undo} />;
}
