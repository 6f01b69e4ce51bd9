import type { Cap } from "../check.ts";
import {
  costOf,
  describeCap,
  describeEarned,
  describeNotes,
  describeShare,
  findCap,
  listCosts,
  listFixLines,
  listFree,
} from "./costs.ts";
import { describeObstacles, isUnjudged, listObstacles } from "./obstacles.ts";
import { describeFixFirst, findFixFirst } from "./fix-first.ts";
import { anchorOf, type Reading, type ReportedCheck, type ReportedFinding } from "./reported.ts";
import { describePoints, FREE_STATUSES, labelText, say, typeset, WORDS } from "./words.ts";

export const UNJUDGED_ID = "unjudged";

export interface ReportProps {
  check: ReportedCheck;
  reading: Reading;
}

interface FindingProps {
  finding: ReportedFinding;
  reading: Reading;
}

export function FixLines({ finding, reading }: FindingProps) {
  const { id, title } = finding;
  const { renderCopy } = reading;
  return (
    <>
      {listFixLines(finding).map((line, index) => {
        const codeId =
          renderCopy && anchorOf(reading, `paste-${id}${index > 0 ? `-${index}` : ""}`);
        const block = (
          <pre class="fix-line">
            <code id={codeId}>{line}</code>
          </pre>
        );
        return renderCopy === undefined || codeId === undefined ? (
          block
        ) : (
          <div class="paste">
            {block}
            {renderCopy(codeId, index > 0 ? `${title} (${index + 1})` : title)}
          </div>
        );
      })}
    </>
  );
}

export const setText = (text: string, { findingsLanguage }: Reading) =>
  typeset(text, findingsLanguage);

function Advice({ finding, reading }: FindingProps) {
  const parts = [
    [WORDS.found, finding.evidence],
    [WORDS.why, finding.why],
    [WORDS.fix, finding.fix],
  ] as const;
  return (
    <dl lang={reading.findingsLanguage}>
      {parts.map(
        ([label, text = ""]) =>
          text !== "" && (
            <>
              <dt lang={reading.language}>{say(label, reading.language)}</dt>
              <dd>
                {setText(text, reading)}
                {label === WORDS.fix && <FixLines finding={finding} reading={reading} />}
              </dd>
            </>
          ),
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
        <h3 lang={reading.findingsLanguage}>{setText(title, reading)}</h3>
        <Advice finding={finding} reading={reading} />
        <p class="soft">
          {describeEarned(finding, language)}, {cap && `${describeCap(cap, language)}, `}
          <RuleLink finding={finding} reading={reading} />
        </p>
      </article>
    </li>
  );
}

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
        {setText(title, reading)} <RuleLink finding={finding} reading={reading} />
      </th>
      <td>{said ? say(said, reading.language) : status}</td>
      <td class="number">
        <span class="word">{describeShare(finding, reading.language)}</span>
      </td>
    </tr>
  );
}

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
 * A root cause that failed itself is not repeated here, since the list of costs has it.
 * @param shown the root that is already described at the top
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
                    {setText(finding.title, reading)}{" "}
                    <RuleLink finding={finding} reading={reading} />
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
          <span lang={reading.findingsLanguage}>{setText(notes, reading)}</span>
        </p>
      )}
    </details>
  );
}
