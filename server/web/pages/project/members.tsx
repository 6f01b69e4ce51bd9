import { Email, normalizeEmail } from "../../../access/accounts.ts";
import type { Language } from "../../../../shared/language.ts";
import { AppError } from "../../../base/errors.ts";
import { findMemberEmail, type Member } from "../../../db/projects/members.ts";
import type { Deps } from "../../../deps.ts";
import { withdrawHandOver } from "../../../projects/hand-over.ts";
import {
  resendInvitation,
  shareProject,
  withdrawInvitation,
} from "../../../projects/invitations.ts";
import { removeMember } from "../../../projects/members.ts";
import type { Right } from "../../../projects/rights.ts";
import { describeAge, Day, Time } from "../../kit/time.tsx";
import { Field, Form } from "../../kit/fields.tsx";
import { refuse, type Refusals } from "../../kit/forms.ts";
import { Pager, Section, Table } from "../../kit/layout.tsx";
import { EMAIL_INVALID } from "../../kit/session/sign-in-words.ts";
import { addConfirmation } from "../../kit/session/question.tsx";
import { T, useSay } from "../../kit/reader.tsx";
import { ActionButton, nameProject } from "./state-badges.tsx";
import {
  INVITATION_PROBLEMS,
  LEAVING,
  MEMBERS,
  NAMES,
  REMOVAL,
  tooManyInvitations,
  tooManyMembers,
} from "./members-words.ts";
import {
  pathOfSettings,
  requireOwn,
  type OfOne,
  type SettingsProps,
  type SettingsTab,
} from "./settings-tabs.ts";

export const MEMBERS_A_PAGE = 6;

function MemberStatus({ member: { standing, since, invitedBy, isOffered } }: { member: Member }) {
  const say = useSay();
  if (standing === "member")
    return (
      <>
        <T text={MEMBERS.member} /> <Day at={since} />
        {isOffered && say(MEMBERS.offered)}
      </>
    );
  return (
    <>
      <T text={MEMBERS.pending} />, <T text={MEMBERS.invitedBy} /> {invitedBy} <Time at={since} />
    </>
  );
}

type RowAction = "resend" | "withdraw" | "remove" | "handOver" | "takeBack";

const PATHS: Readonly<Record<RowAction, string>> = {
  resend: "settings/people/resend",
  withdraw: "settings/people/withdraw",
  remove: "settings/people/:of/remove",
  handOver: "hand-over/:of",
  takeBack: "settings/people/take-back",
};

function actionsOn({ standing, isOffered }: Member): RowAction[] {
  if (standing === "invited") return ["resend", "withdraw"];
  return [isOffered ? "takeBack" : "handOver", "remove"];
}

function ActionButtons({ member, projectId }: { member: Member; projectId: string }) {
  const { accountId, email, standing } = member;
  return (
    <>
      {actionsOn(member).map((action) => (
        <ActionButton
          key={action}
          action={`/projects/${projectId}/${PATHS[action].replace(":of", accountId ?? "")}`}
          method={action === "handOver" || action === "remove" ? "get" : "post"}
          label={MEMBERS[action]}
          name={NAMES[action](email)}
          sends={standing === "invited" ? { email } : {}}
          isPlain
        />
      ))}
    </>
  );
}

function Members({ settings: { id, people }, wanted: { page } }: SettingsProps) {
  const path = pathOfSettings(id, "people");
  return (
    <Section id="people" title={MEMBERS.title}>
      <p>
        <T text={MEMBERS.lead} />
      </p>
      <Table
        head={[MEMBERS.email, MEMBERS.standing, ""]}
        rows={people.slice(0, MEMBERS_A_PAGE).map((member) => ({
          key: `${member.standing} ${member.email}`,
          cells: [
            <span class="person">{member.email}</span>,
            <MemberStatus member={member} />,
            <ActionButtons member={member} projectId={id} />,
          ],
        }))}
      />
      <Pager
        first={page > 1 ? path : undefined}
        next={people.length > MEMBERS_A_PAGE ? `${path}?page=${page + 1}` : undefined}
      />
      <Form action={`${path}#email`}>
        <Field name="email" type="email" label={MEMBERS.email} hint={MEMBERS.emailHint} isRequired>
          <button type="submit">
            <T text={MEMBERS.invite} />
          </button>
        </Field>
      </Form>
    </Section>
  );
}

/** The only part of the settings that a member sees. */
export function LeaveSection({ project: { id, name } }: { project: { id: string; name: string } }) {
  return (
    <Section id="leave" title={LEAVING.title}>
      <p>{useSay()(LEAVING.lead)}</p>
      <ActionButton action={`/projects/${id}/leave`} label={MEMBERS.leave} on={nameProject(name)} />
    </Section>
  );
}

const REFUSALS: Refusals = {
  owner_invited: { email: INVITATION_PROBLEMS.owner_invited },
  too_many_people: ({ limit }) => ({ email: tooManyMembers(limit) }),
  too_often({ retryAfterSeconds }) {
    const later = new Date(retryAfterSeconds * 1000);
    const describe = (language: Language) => describeAge(later, new Date(0), language);
    return { email: tooManyInvitations({ fr: describe("fr"), en: describe("en") }) };
  },
};

/** Throws the refusal of `RIGHTS`. */
export async function findMember(
  deps: Deps,
  request: OfOne,
  right: Right,
): Promise<{ id: string; email: string }> {
  const { id } = await requireOwn(deps, request, right);
  const { of = "" } = request.params;
  const email = await findMemberEmail(deps.database.sql, id, of);
  if (email === undefined) throw new AppError("member_not_found", { email: of, projectId: id });
  return { id, email };
}

/** Errors of all buttons appear at the invitation field. */
export const MEMBERS_TAB: SettingsTab = {
  refusals: REFUSALS,
  Content: Members,
  addForms(addForm, deps, door) {
    const sent = deps.mailer === undefined ? "invitation-without-mail" : "invitation-sent";
    addForm("", async ({ actor, project, fields: { email: typed = "" } }) => {
      const email = Email.safeParse(typed);
      if (!email.success) return refuse({ email: EMAIL_INVALID });
      const isShared = await shareProject(deps, actor, project.id, email.data);
      return isShared ? sent : refuse({ email: INVITATION_PROBLEMS.is_member });
    });
    for (const [suffix, act, done] of [
      ["/resend", resendInvitation, sent],
      ["/withdraw", withdrawInvitation, "invitation-withdrawn"],
    ] as const)
      addForm(
        suffix,
        async ({ actor, project, fields }) => {
          await act(deps, actor, project.id, normalizeEmail(fields["email"]));
          return done;
        },
        { isRefusedOnPage: true },
      );
    addForm("/take-back", async ({ actor, project }) => {
      await withdrawHandOver(deps, actor, project.id);
      return "transfer-canceled";
    });
    addConfirmation(door, deps, {
      path: `${pathOfSettings(":id", "people")}/:of/remove`,
      find: (request) => findMember(deps, request as OfOne, "change"),
      ask: ({ id, email }) => ({
        consequence: REMOVAL,
        button: MEMBERS.remove,
        name: email,
        back: pathOfSettings(id, "people"),
      }),
      act: ({ id, email }, { actor }) => removeMember(deps, actor, id, email),
      redirect: ({ params }) => ({
        to: pathOfSettings((params as { id: string }).id, "people"),
        done: "member-removed",
      }),
      gone: "member_not_found",
    });
  },
};
