import { say } from "../../../shared/report/words.ts";
import type { Action, Happening, Happenings as Found } from "../../db/events.ts";
import type { Language } from "../../language.ts";
import type { TimeReader } from "../page/age.ts";
import { Time } from "../page/time.tsx";
import { ACTION_WORDS, HAPPENINGS_WORDS as WORDS } from "./happenings-words.ts";

interface HappeningsProps {
  found: Found;
  visit: TimeReader;
}

/** What it was done to: a project that the account may see, a token that exists. */
function Subject({ projectId, projectName, tokenName, details }: Happening) {
  if (projectId !== null && projectName !== null)
    return <a href={`/projects/${projectId}`}>{projectName}</a>;
  const { to } = details;
  const name = tokenName ?? projectId ?? (typeof to === "string" ? to : null);
  return name === null ? null : <span>{name}</span>;
}

/** Who did it: somebody signed in to this account, and from where, or else only who they are. */
function describeActor({ by, isOwn, browser, address }: Happening, language: Language): string {
  const ofPeople = isOwn ? WORDS.own : WORDS.another;
  const word = {
    operator: WORDS.operator,
    session: ofPeople,
    token: WORDS.program,
    hook: WORDS.program,
  };
  return [say(word[by], language), browser, address].filter((part) => part !== null).join(", ");
}

/** What was done; as it is recorded if another release did it. */
const describeAction = (action: Action, language: Language) =>
  Object.hasOwn(ACTION_WORDS, action) ? say(ACTION_WORDS[action], language) : action;

/** What happened to the account in 90 days, newest first; `?before=` leads to older pages. */
export function Happenings({ found, visit }: HappeningsProps) {
  const { language } = visit;
  const { rows, older } = found;
  return (
    <section id="happenings" aria-labelledby="happenings-title">
      <h2 id="happenings-title">{say(WORDS.title, language)}</h2>
      <p>{say(rows.length === 0 ? WORDS.none : WORDS.lead, language)}</p>
      {rows.length > 0 && (
        <table aria-labelledby="happenings-title">
          <thead>
            <tr>
              <th scope="col">{say(WORDS.when, language)}</th>
              <th scope="col">{say(WORDS.what, language)}</th>
              <th scope="col">{say(WORDS.where, language)}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((happening) => (
              <Row key={happening.id} happening={happening} visit={visit} />
            ))}
          </tbody>
        </table>
      )}
      {older !== undefined && (
        <p>
          <a href={`?before=${older}#happenings`}>{say(WORDS.older, language)}</a>
        </p>
      )}
    </section>
  );
}

function Row({ happening, visit }: { happening: Happening; visit: TimeReader }) {
  const { language } = visit;
  return (
    <tr>
      <td>
        <Time at={happening.at} now={happening.now} visit={visit} />
      </td>
      <td>
        {describeAction(happening.action, language)} <Subject {...happening} />
      </td>
      <td>{describeActor(happening, language)}</td>
    </tr>
  );
}
