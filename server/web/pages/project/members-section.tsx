import { say } from "../../../../shared/report/words.ts";
import type { Member } from "../../../db/projects/members.ts";
import { Field } from "../../kit/components.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Pager, Section } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { Day, Time } from "../../kit/time.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { ActionButton } from "./action-button.tsx";
import { LEAVING, nameButton, MEMBERS } from "./members-words.ts";
import { nameProject } from "./parts.tsx";
import { pathOfSettings } from "./settings-forms.ts";

/** The rows of one page. */
export const MEMBERS_A_PAGE = 6;

interface MembersProps {
  projectId: string;
  /** One page of these, and the next one. */
  members: readonly Member[];
  /** Counted from 1. */
  page: number;
  /** What was typed into the form that invites. */
  filled: Filled;
  signedIn: SignedInRequest;
}

interface RowProps extends MembersProps {
  member: Member;
}

function Standing({ member, signedIn }: RowProps) {
  const { language, now } = signedIn;
  const { standing, since, invitedBy, isOffered } = member;
  if (standing === "member")
    return (
      <>
        {say(MEMBERS.member, language)} <Day at={since} reader={signedIn} />
        {isOffered && say(MEMBERS.offered, language)}
      </>
    );
  return (
    <>
      {say(MEMBERS.pending, language)}, {say(MEMBERS.invitedBy, language)} {invitedBy}{" "}
      <Time at={since} now={now} reader={signedIn} />
    </>
  );
}

type RowAction = "resend" | "withdraw" | "remove" | "handOver" | "takeBack";

const PATHS: Readonly<Record<RowAction, string>> = {
  resend: "settings/people/resend",
  withdraw: "settings/people/withdraw",
  remove: "settings/people/remove",
  handOver: "hand-over",
  takeBack: "hand-over/withdraw",
};

function actionsOn({ standing, isOffered }: Member): RowAction[] {
  if (standing === "invited") return ["resend", "withdraw"];
  return [isOffered ? "takeBack" : "handOver", "remove"];
}

function ActionButtons({ member, projectId, signedIn: { language } }: RowProps) {
  const { email } = member;
  return (
    <>
      {actionsOn(member).map((action) => (
        <ActionButton
          key={action}
          action={`/projects/${projectId}/${PATHS[action]}`}
          method={action === "handOver" ? "get" : "post"}
          label={MEMBERS[action]}
          name={nameButton[action](email)}
          sends={{ email }}
          isPlain
          language={language}
        />
      ))}
    </>
  );
}

function InviteForm({ projectId, filled: { values, problems }, signedIn }: MembersProps) {
  const { language } = signedIn;
  return (
    <form method="post" action={`${pathOfSettings(projectId, "people")}#email`}>
      <Field
        name="email"
        type="email"
        label={say(MEMBERS.email, language)}
        hint={say(MEMBERS.emailHint, language)}
        value={values["email"]}
        problem={problems["email"]}
        isRequired
      >
        <button type="submit">{say(MEMBERS.invite, language)}</button>
      </Field>
    </form>
  );
}

/** With whom the owner shares a project, and the form that invites another person. */
export function MembersSection(props: MembersProps) {
  const { projectId, members, page, signedIn } = props;
  const { language } = signedIn;
  const path = pathOfSettings(projectId, "people");
  return (
    <Section id="people" title={say(MEMBERS.title, language)}>
      <p>{say(MEMBERS.lead, language)}</p>
      {members.length > 0 && (
        <Table
          labelledBy="people"
          head={[say(MEMBERS.email, language), say(MEMBERS.standing, language), ""]}
          rows={members.slice(0, MEMBERS_A_PAGE).map((member) => ({
            key: `${member.standing} ${member.email}`,
            cells: [
              <span class="person">{member.email}</span>,
              <Standing member={member} {...props} />,
              <ActionButtons member={member} {...props} />,
            ],
          }))}
        />
      )}
      <Pager
        first={page > 1 ? path : undefined}
        next={members.length > MEMBERS_A_PAGE ? `${path}?page=${page + 1}` : undefined}
        language={language}
      />
      <InviteForm {...props} />
    </Section>
  );
}

interface LeaveProps {
  project: { id: string; name: string };
  signedIn: SignedInRequest;
}

/** What a member may do in a project's settings. */
export function LeaveSection({ project: { id, name }, signedIn: { language } }: LeaveProps) {
  return (
    <Section id="leave" title={say(LEAVING.title, language)}>
      <p>{say(LEAVING.lead, language)}</p>
      <ActionButton
        action={`/projects/${id}/leave`}
        label={MEMBERS.leave}
        name={nameButton.leave(nameProject(name))}
        language={language}
      />
    </Section>
  );
}
