import { T, useSay } from "../../kit/reader.tsx";
import type { Action, AccountEvent, EventPage } from "../../../db/accounts/events.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { Pager, Section, Table } from "../../kit/layout.tsx";
import { Time } from "../../kit/time.tsx";
import { ACTION_WORDS, EVENTS_WORDS as WORDS } from "./events-words.ts";

type Say = ReturnType<typeof useSay>;

const LONGEST_NAME = 100;

/** Links to a project only if the account may see it. */
function Subject({ projectId, projectName, tokenName, details }: AccountEvent) {
  if (projectId !== null && projectName !== null)
    return <a href={`/projects/${projectId}`}>{oneLine(projectName, LONGEST_NAME)}</a>;
  const { to } = details;
  const name = tokenName ?? projectId ?? (typeof to === "string" ? to : null);
  return name === null ? null : <span class="soft">{oneLine(name, LONGEST_NAME)}</span>;
}

/** Browser and address are known only for sessions of this account. */
function describeActor({ by, isOwn, browser, address }: AccountEvent, say: Say): string {
  const ofPerson = isOwn ? WORDS.own : WORDS.another;
  const word = {
    operator: WORDS.operator,
    session: ofPerson,
    token: WORDS.program,
    hook: WORDS.program,
  };
  return [say(word[by]), browser, address].filter(Boolean).join(", ");
}

/** Another release may have actions that this one does not know. */
const describeAction = (action: Action, say: Say) =>
  Object.hasOwn(ACTION_WORDS, action) ? say(ACTION_WORDS[action]) : action;

export function Events({ found }: { found: EventPage }) {
  const say = useSay();
  const { rows, older, isFirst } = found;
  return (
    <Section id="events" title={WORDS.title}>
      <p>
        <T text={rows.length === 0 ? WORDS.none : WORDS.lead} />
      </p>
      <Table
        head={[WORDS.what, WORDS.who, WORDS.when]}
        rows={rows.map((event) => ({
          key: event.id,
          cells: [
            <>
              {describeAction(event.action, say)} <Subject {...event} />
            </>,
            describeActor(event, say),
            <Time at={event.at} />,
          ],
        }))}
      />
      <Pager
        first={isFirst ? undefined : "/settings/account#events"}
        next={older && `/settings/account?before=${older}#events`}
      />
    </Section>
  );
}
