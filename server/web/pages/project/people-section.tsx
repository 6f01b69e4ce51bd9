import { say } from "../../../../shared/report/words.ts";
import type { Participant, People } from "../../../db/projects/memberships.ts";
import { Field } from "../../kit/components.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { Day, Time } from "../../kit/time.tsx";
import type { Visit } from "../../kit/session/visit.ts";
import { ActionButton } from "./action-button.tsx";
import { SectionPager } from "./section-pager.tsx";
import { LEAVING, nameButton, PEOPLE } from "./people-words.ts";
import { nameProject } from "./parts.tsx";

/** The rows of one page. */
export const PEOPLE_A_PAGE = 6;

interface PeopleProps {
  projectId: string;
  people: People;
  /** Counted from 1. */
  page: number;
  /** What was typed into the form that invites. */
  filled: Filled;
  visit: Visit;
}

interface RowProps extends PeopleProps {
  person: Participant;
}

function Standing({ person, people, visit }: RowProps) {
  const { language } = visit;
  const { standing, since, invitedBy, isOffered } = person;
  if (standing === "member")
    return (
      <>
        {say(PEOPLE.member, language)} <Day at={since} visit={visit} />
        {isOffered && say(PEOPLE.offered, language)}
      </>
    );
  return (
    <>
      {say(PEOPLE.pending, language)}, {say(PEOPLE.invitedBy, language)} {invitedBy}{" "}
      <Time at={since} now={people.now} visit={visit} />
    </>
  );
}

type RowAction = "resend" | "withdraw" | "remove" | "handOver" | "takeBack";

const PATHS: Readonly<Record<RowAction, string>> = {
  resend: "people/resend",
  withdraw: "people/withdraw",
  remove: "people/remove",
  handOver: "hand-over",
  takeBack: "hand-over/withdraw",
};

function actionsOn({ standing, isOffered }: Participant): RowAction[] {
  if (standing === "invited") return ["resend", "withdraw"];
  return [isOffered ? "takeBack" : "handOver", "remove"];
}

function ActionButtons({ person, projectId, visit: { language } }: RowProps) {
  const { email } = person;
  return (
    <>
      {actionsOn(person).map((action) => (
        <ActionButton
          key={action}
          action={`/projects/${projectId}/${PATHS[action]}`}
          label={PEOPLE[action]}
          name={nameButton[action](email)}
          sends={{ email }}
          isPlain
          language={language}
        />
      ))}
    </>
  );
}

function InviteForm({ projectId, filled: { values, problems }, visit }: PeopleProps) {
  const { language } = visit;
  return (
    <form method="post" action={`/projects/${projectId}/people`}>
      <Field
        name="email"
        type="email"
        label={say(PEOPLE.email, language)}
        hint={say(PEOPLE.emailHint, language)}
        value={values["email"]}
        problem={problems["email"]}
        isRequired
      >
        <button type="submit">{say(PEOPLE.invite, language)}</button>
      </Field>
    </form>
  );
}

/** With whom the owner shares a project, and the form that invites another person. */
export function PeopleSection(props: PeopleProps) {
  const { projectId, people, page, visit } = props;
  const { language } = visit;
  return (
    <Section id="people" title={say(PEOPLE.title, language)}>
      <p>{say(PEOPLE.lead, language)}</p>
      {people.rows.length > 0 && (
        <Table
          labelledBy="people"
          head={[say(PEOPLE.email, language), say(PEOPLE.standing, language), ""]}
          rows={people.rows.map((person) => ({
            key: `${person.standing} ${person.email}`,
            cells: [
              <span class="person">{person.email}</span>,
              <Standing person={person} {...props} />,
              <ActionButtons person={person} {...props} />,
            ],
          }))}
        />
      )}
      <SectionPager
        projectId={projectId}
        section="people"
        page={page}
        hasMore={people.hasMore}
        words={PEOPLE}
        language={language}
      />
      <InviteForm {...props} />
    </Section>
  );
}

interface LeaveProps {
  project: { id: string; name: string };
  visit: Visit;
}

/** What a member may do in a project's settings. */
export function LeaveSection({ project: { id, name }, visit: { language } }: LeaveProps) {
  return (
    <Section id="leave" title={say(LEAVING.title, language)}>
      <p>{say(LEAVING.lead, language)}</p>
      <ActionButton
        action={`/projects/${id}/leave`}
        label={PEOPLE.leave}
        name={nameButton.leave(nameProject(name))}
        language={language}
      />
    </Section>
  );
}
