import type { FastifyInstance } from "fastify";
import { Email, spellEmail } from "../../../access/accounts.ts";
import type { Deps } from "../../../deps.ts";
import { isAppError } from "../../../base/errors.ts";
import type { Language, Text } from "../../../base/language.ts";
import {
  resendInvitation,
  shareProject,
  withdrawInvitation,
} from "../../../projects/invitations.ts";
import { removeMember } from "../../../projects/members.ts";
import { describeAge } from "../../kit/age.ts";
import { refuse, type Refused } from "../../kit/forms.ts";
import { EMAIL_INVALID } from "../../kit/session/name-words.ts";
import { INVITATION_PROBLEMS, tooManyInvitations, tooManyMembers } from "./members-words.ts";
import { ownForms, type Sent } from "./own-forms.ts";
import { pathOfSettings } from "./settings-forms.ts";

/** Why an invitation is refused, at the field that invites. Throws any other failure. */
function describeInvitationError(error: unknown, { project }: Sent): Refused {
  const action = pathOfSettings(project.id, "people");
  const refuseEmail = (email: Text, status = 422) => ({ status, problems: { email }, action });
  if (isAppError(error, "owner_invited")) return refuseEmail(INVITATION_PROBLEMS.owner_invited);
  if (isAppError(error, "too_many_people"))
    return refuseEmail(tooManyMembers(error.parameters.limit));
  if (!isAppError(error, "too_often")) throw error;
  const then = new Date(error.parameters.retryAfterSeconds * 1000);
  const waitIn = (language: Language) => describeAge(then, new Date(0), language);
  return refuseEmail(tooManyInvitations({ fr: waitIn("fr"), en: waitIn("en") }), 429);
}

/** The people of a project, as its owner manages them from its settings. */
export function memberRoutes(door: FastifyInstance, deps: Deps): void {
  const take = ownForms(door, deps, "people");
  const options = { describe: describeInvitationError };
  take(
    "",
    async ({ actor, project, fields: { email: typed = "" } }) => {
      const email = Email.safeParse(typed);
      if (!email.success) return refuse({ email: EMAIL_INVALID });
      const isShared = await shareProject(deps, actor, project.id, email.data);
      return isShared ? undefined : refuse({ email: INVITATION_PROBLEMS.is_member });
    },
    options,
  );
  for (const [suffix, act] of [
    ["/resend", resendInvitation],
    ["/withdraw", withdrawInvitation],
    ["/remove", removeMember],
  ] as const)
    take(
      suffix,
      ({ actor, project, fields }) => act(deps, actor, project.id, spellEmail(fields["email"])),
      options,
    );
}
