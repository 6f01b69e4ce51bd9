import type { FastifyInstance } from "fastify";
import { Email, spellEmail } from "../../../access/accounts.ts";
import type { Manager } from "../../../db/accounts/actors.ts";
import type { Deps } from "../../../deps.ts";
import { isAppError, type AppError } from "../../../base/errors.ts";
import { refuseWith } from "../../../http/failure.ts";
import {
  resendInvitation,
  shareProject,
  withdrawInvitation,
} from "../../../projects/invitations.ts";
import { removeMember } from "../../../projects/members.ts";
import { describeAge } from "../../kit/age.ts";
import { fieldsOf, refuse, type Refused } from "../../kit/forms.ts";
import { getSignedIn, type SignedInRequest } from "../../kit/session/signed-in.ts";
import { EMAIL_INVALID } from "../../kit/session/name-words.ts";
import { INVITATION_PROBLEMS, tooManyInvitations, tooManyMembers } from "./members-words.ts";
import { formOn, leadBack, pathOfSettings, requireOwn, type OfProject } from "./settings-forms.ts";
import { sendSettings } from "./settings-page.tsx";

const PEOPLE = pathOfSettings(":id", "people");

type Verb = (deps: Deps, actor: Manager, projectId: string, email: string) => Promise<void>;

/** Why an invitation is refused at its field. Throws any other failure. */
function refusalOf(error: unknown, { now }: SignedInRequest): Refused {
  if (isAppError(error, "owner_invited"))
    return refuse({ email: INVITATION_PROBLEMS.owner_invited });
  if (isAppError(error, "too_many_people"))
    return refuse({ email: tooManyMembers(error.parameters.limit) });
  if (!isAppError(error, "too_often")) throw error;
  const then = new Date(now.getTime() + error.parameters.retryAfterSeconds * 1000);
  const wait = { fr: describeAge(then, now, "fr"), en: describeAge(then, now, "en") };
  return refuse({ email: tooManyInvitations(wait) }, 429);
}

/** The people of a project, as its owner manages them from its settings. */
export function memberRoutes(door: FastifyInstance, deps: Deps): void {
  async function invite(request: OfProject): Promise<Refused | undefined> {
    const { id } = await requireOwn(deps, request);
    const email = Email.safeParse(fieldsOf(request)["email"] ?? "");
    if (!email.success) return refuse({ email: EMAIL_INVALID });
    if (await shareProject(deps, getSignedIn(request).actor, id, email.data)) return undefined;
    return refuse({ email: INVITATION_PROBLEMS.is_member });
  }

  async function resend(request: OfProject): Promise<undefined> {
    const email = spellEmail(fieldsOf(request)["email"]);
    await resendInvitation(deps, getSignedIn(request).actor, request.params.id, email);
  }

  const send = (path: string, sending: (request: OfProject) => Promise<Refused | undefined>) =>
    door.post(`${PEOPLE}${path}`, formOn("people"), async (request: OfProject, reply) => {
      const refused = await sending(request).catch((error: unknown) => {
        const found = refusalOf(error, getSignedIn(request));
        refuseWith(reply, found.status, error as AppError);
        return found;
      });
      if (refused === undefined) return leadBack(request, reply);
      const action = pathOfSettings(request.params.id, "people");
      return sendSettings(deps, request, reply, { refused: { ...refused, action } });
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
