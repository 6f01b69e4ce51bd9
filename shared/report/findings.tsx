import type { Cap } from "../check.ts";
import {
  costOf,
  describeCap,
  describeEarned,
  describeNotes,
  describeShare,
  findCap,
  listCosts,
  listFree,
  partFix,
} from "./costs.ts";
import { describeObstacles, isUnjudged, listObstacles } from "./obstacles.ts";
import { describeFixFirst, findFixFirst } from "./fix-first.ts";
import { anchorOf, type Reading, type ReportedCheck, type ReportedFinding } from "./reported.ts";
import { describePoints, FREE_STATUSES, labelText, say, WORDS } from "./words.ts";

export const UNJUDGED_ID = "unjudged";

export interface ReportProps {
  check: ReportedCheck;
  reading: Reading;
}

interface FindingProps {
  finding: ReportedFinding;
  reading: Reading;
}

/** The line to paste, as it is. */
export function FixLine({ finding: { id, fixLine, title }, reading }: FindingProps) {
  if (!fixLine) return null;
  const { renderCopy } = reading;
  const codeId = renderCopy && anchorOf(reading, `paste-${id}`);
  const line = (
    <pre class="fix-line">
      <code id={codeId}>{fixLine}</code>
    </pre>
  );
  if (renderCopy === undefined || codeId === undefined) return line;
  return (
    <div class="paste">
      {line}
      {renderCopy(codeId, title)}
    </div>
  );
}

function Advice({ finding, reading }: FindingProps) {
  const { evidence, fix } = finding;
  const { before, after } = partFix(finding);
  return (
    <dl lang={reading.findingsLanguage}>
      {evidence !== "" && (
        <>
          <dt lang={reading.language}>{say(WORDS.found, reading.language)}</dt>
          <dd>{evidence}</dd>
        </>
      )}
      {fix !== "" && (
        <>
          <dt lang={reading.language}>{say(WORDS.fix, reading.language)}</dt>
          <dd>
            {before}
            <FixLine finding={finding} reading={reading} />
            {after}
          </dd>
        </>
      )}
    </dl>
  );
}

function Cost({ finding, cap, reading }: FindingProps & { cap: Cap | undefined }) {
  const { id, title } = finding;
  const { language } = reading;
  return (
    <li id={anchorOf(reading, id)}>
      <span class="points good">+{describePoints(costOf(finding), language)}</span>
      <article>
        <h3 lang={reading.findingsLanguage}>{title}</h3>
        <Advice finding={finding} reading={reading} />
        <p class="soft">
          {describeEarned(finding, language)}, {cap && `${describeCap(cap, language)}, `}
          <RuleLink finding={finding} reading={reading} />
        </p>
      </article>
    </li>
  );
}

/** The rule's id, as a link where a server documents it, else the command that explains it. */
export function RuleLink({ finding, reading }: FindingProps) {
  const docsUrl = reading.docsUrlOf(finding);
  return docsUrl === undefined ? (
    <code>shipscore explain {finding.id}</code>
  ) : (
    <a href={docsUrl}>{finding.id}</a>
  );
}

function FreeRow({ finding, reading }: FindingProps) {
  const { id, status, title } = finding;
  const said = FREE_STATUSES[status];
  return (
    <tr id={anchorOf(reading, id)}>
      <th scope="row" lang={reading.findingsLanguage}>
        {title} <RuleLink finding={finding} reading={reading} />
      </th>
      <td>{said ? say(said, reading.language) : status}</td>
      <td class="number">
        <span class="word">{describeShare(finding, reading.language)}</span>
      </td>
    </tr>
  );
}

/** What costs points, with what was seen and how to fix it: first what raises the score most. */
export function CostList({ check, reading }: ReportProps) {
  const { language } = reading;
  const first = findFixFirst(check);
  if (first === undefined) return null;
  const list = (findings: readonly ReportedFinding[], className: string) => (
    <ol class={className}>
      {findings.map((finding) => (
        <Cost finding={finding} cap={findCap(check, finding)} reading={reading} />
      ))}
    </ol>
  );
  const others = listCosts(check).filter((finding) => !first.findings.includes(finding));
  return (
    <section>
      <h2>{say(WORDS.costs, language)}</h2>
      <p class="gain">{describeFixFirst(check, first, language)}.</p>
      {list(first.findings, "costs")}
      {others.length > 0 && <h2>{say(WORDS.others, language)}</h2>}
      {others.length > 0 && list(others, "costs minor")}
    </section>
  );
}

/**
 * What was not judged and why; a root that failed is told where it costs points.
 * @param shown the root that is told at the beginning
 */
export function ObstacleList({
  check,
  shown,
  reading,
}: ReportProps & { shown: ReportedFinding | undefined }) {
  const obstacles = listObstacles(check);
  if (obstacles.length === 0) return null;
  return (
    <section>
      <h2 id={anchorOf(reading, UNJUDGED_ID)}>{say(WORDS.unchecked, reading.language)}</h2>
      <ol class="costs">
        {obstacles.map((obstacle) => (
          <li>
            <span class="points warn">{describePoints(obstacle.points, reading.language)}</span>
            <article>
              <h3>{describeObstacles([obstacle], reading.language)}</h3>
              {isUnjudged(obstacle.root) && obstacle.root !== shown && (
                <Advice finding={obstacle.root} reading={reading} />
              )}
              <p class="soft" lang={reading.findingsLanguage}>
                {obstacle.findings.map((finding, index) => (
                  <>
                    {index > 0 && ", "}
                    {finding.title} <RuleLink finding={finding} reading={reading} />
                  </>
                ))}
              </p>
            </article>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The findings that cost nothing, folded: a line each, and notes in one line. */
export function FreeList({ check, reading }: ReportProps) {
  const [findings, notes] = [listFree(check), describeNotes(check)];
  if (findings.length === 0) return null;
  return (
    <details>
      <summary>
        <h2>
          {say(WORDS.free, reading.language)} ({findings.length})
        </h2>
      </summary>
      <table>
        <thead>
          <tr>
            <th scope="col">{say(WORDS.rule, reading.language)}</th>
            <th scope="col">{say(WORDS.result, reading.language)}</th>
            <th scope="col" class="number">
              {say(WORDS.pointsColumn, reading.language)}
            </th>
          </tr>
        </thead>
        <tbody>
          {findings.map((finding) => (
            <FreeRow finding={finding} reading={reading} />
          ))}
        </tbody>
      </table>
      {notes !== "" && (
        <p class="soft">
          {labelText(say(WORDS.notes, reading.language), "", reading.language)}
          <span lang={reading.findingsLanguage}>{notes}</span>
        </p>
      )}
    </details>
  );
}
