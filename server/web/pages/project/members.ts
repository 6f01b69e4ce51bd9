import type { FastifyInstance, FastifyReply } from "fastify";
import { Email, spellEmail } from "../../../access/accounts.ts";
import type { Manager } from "../../../db/accounts/actors.ts";
import { findActorsProject } from "../../../db/projects/roles.ts";
import type { Deps } from "../../../deps.ts";
import { isAppError, type AppError } from "../../../base/errors.ts";
import { refuseWith } from "../../../http/failure.ts";
import type { Text } from "../../../base/language.ts";
import { say } from "../../../../shared/report/words.ts";
import { requireRight } from "../../../projects/rights.ts";
import {
  resendInvitation,
  shareProject,
  withdrawInvitation,
} from "../../../projects/invitations.ts";
import { removeMember } from "../../../projects/members.ts";
import { describeAge } from "../../kit/age.ts";
import { fieldsOf } from "../../kit/forms.ts";
import { getSignedIn, type SignedInRequest } from "../../kit/session/signed-in.ts";
import { INVITATION_PROBLEMS, tooManyInvitations, tooManyMembers } from "./members-words.ts";
import { formOn, leadBack, pathOfSettings, type OfProject } from "./settings-forms.ts";
import { sendSettings } from "./settings-page.tsx";

const PEOPLE = pathOfSettings(":id", "people");

type Verb = (deps: Deps, actor: Manager, projectId: string, email: string) => Promise<void>;

interface InvitationRefusal {
  status: 422 | 429;
  problem: Text;
}

/** Why an invitation is refused at its field; undefined for any other failure. */
function findRefusal(error: unknown, { now }: SignedInRequest): InvitationRefusal | undefined {
  if (isAppError(error, "owner_invited"))
    return { status: 422, problem: INVITATION_PROBLEMS.owner_invited };
  if (isAppError(error, "too_many_people"))
    return { status: 422, problem: tooManyMembers(error.parameters.limit) };
  if (!isAppError(error, "too_often")) return undefined;
  const then = new Date(now.getTime() + error.parameters.retryAfterSeconds * 1000);
  const wait = { fr: describeAge(then, now, "fr"), en: describeAge(then, now, "en") };
  return { status: 429, problem: tooManyInvitations(wait) };
}

/** The people of a project, as its owner manages them from its settings. */
export function memberRoutes(door: FastifyInstance, deps: Deps): void {
  async function invite(request: OfProject): Promise<InvitationRefusal | undefined> {
    const { actor } = getSignedIn(request);
    const { id: projectId } = request.params;
    const project = await findActorsProject(deps.database.sql, actor, projectId);
    requireRight(project, "change", { projectId });
    const email = Email.safeParse(fieldsOf(request)["email"] ?? "");
    if (!email.success) return { status: 422, problem: INVITATION_PROBLEMS.email_invalid };
    if (await shareProject(deps, actor, projectId, email.data)) return undefined;
    return { status: 422, problem: INVITATION_PROBLEMS.is_member };
  }

  async function resend(request: OfProject): Promise<undefined> {
    const email = spellEmail(fieldsOf(request)["email"]);
    await resendInvitation(deps, getSignedIn(request).actor, request.params.id, email);
  }

  function refuse(request: OfProject, reply: FastifyReply, refusal: InvitationRefusal) {
    const { status, problem } = refusal;
    const problems = { email: say(problem, getSignedIn(request).language) };
    const filled = { values: fieldsOf(request), problems };
    const action = pathOfSettings(request.params.id, "people");
    return sendSettings(deps, request, reply, { refused: { action, status, filled } });
  }

  const send = (
    path: string,
    sending: (request: OfProject) => Promise<InvitationRefusal | undefined>,
  ) =>
    door.post(`${PEOPLE}${path}`, formOn("people"), async (request: OfProject, reply) => {
      const refusal = await sending(request).catch((error: unknown) => {
        const found = findRefusal(error, getSignedIn(request));
        if (found === undefined) throw error;
        refuseWith(reply, found.status, error as AppError);
        return found;
      });
      return refusal ? refuse(request, reply, refusal) : leadBack(request, reply);
    });
  send("", invite);
  send("/resend", resend);

  const take = (path: string, verb: Verb) =>
    door.post(`${PEOPLE}${path}`, formOn("people"), async (request: OfProject, reply) => {
      const email = spellEmail(fieldsOf(request)["email"]);
      await verb(deps, getSignedIn(request).actor, request.params.id, email);
      return leadBack(request, reply);
    });
  take("/withdraw", withdrawInvitation);
  take("/remove", removeMember);
}
