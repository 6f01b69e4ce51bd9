import { useSay } from "../../kit/reader.tsx";
import type { Member } from "../../../db/projects/members.ts";
import { Field } from "../../kit/fields.tsx";
import { Form } from "../../kit/form.tsx";
import { Pager, Section } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { Day, Time } from "../../kit/time.tsx";
import { ActionButton } from "./action-button.tsx";
import { LEAVING, MEMBERS, NAMES } from "./members-words.ts";
import { nameProject } from "./parts.tsx";
import { pathOfSettings, type SettingsProps } from "./settings-forms.ts";

/** The rows of one page. */
export const MEMBERS_A_PAGE = 6;

function Standing({ member: { standing, since, invitedBy, isOffered } }: { member: Member }) {
  const say = useSay();
  if (standing === "member")
    return (
      <>
        {say(MEMBERS.member)} <Day at={since} />
        {isOffered && say(MEMBERS.offered)}
      </>
    );
  return (
    <>
      {say(MEMBERS.pending)}, {say(MEMBERS.invitedBy)} {invitedBy} <Time at={since} />
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

function ActionButtons({ member, projectId }: { member: Member; projectId: string }) {
  const { email } = member;
  return (
    <>
      {actionsOn(member).map((action) => (
        <ActionButton
          key={action}
          action={`/projects/${projectId}/${PATHS[action]}`}
          method={action === "handOver" ? "get" : "post"}
          label={MEMBERS[action]}
          name={NAMES[action](email)}
          sends={{ email }}
          isPlain
        />
      ))}
    </>
  );
}

/** With whom the owner shares a project, and the form that invites another person. */
export function MembersSection({ settings: { id, people }, wanted: { page } }: SettingsProps) {
  const say = useSay();
  const path = pathOfSettings(id, "people");
  return (
    <Section id="people" title={MEMBERS.title}>
      <p>{say(MEMBERS.lead)}</p>
      {people.length > 0 && (
        <Table
          labelledBy="people"
          head={[MEMBERS.email, MEMBERS.standing, ""]}
          rows={people.slice(0, MEMBERS_A_PAGE).map((member) => ({
            key: `${member.standing} ${member.email}`,
            cells: [
              <span class="person">{member.email}</span>,
              <Standing member={member} />,
              <ActionButtons member={member} projectId={id} />,
            ],
          }))}
        />
      )}
      <Pager
        first={page > 1 ? path : undefined}
        next={people.length > MEMBERS_A_PAGE ? `${path}?page=${page + 1}` : undefined}
      />
      <Form action={`${path}#email`}>
        <Field name="email" type="email" label={MEMBERS.email} hint={MEMBERS.emailHint} isRequired>
          <button type="submit">{say(MEMBERS.invite)}</button>
        </Field>
      </Form>
    </Section>
  );
}

/** What a member may do in a project's settings. */
export function LeaveSection({ project: { id, name } }: { project: { id: string; name: string } }) {
  return (
    <Section id="leave" title={LEAVING.title}>
      <p>{useSay()(LEAVING.lead)}</p>
      <ActionButton action={`/projects/${id}/leave`} label={MEMBERS.leave} on={nameProject(name)} />
    </Section>
  );
}
