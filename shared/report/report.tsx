import { describeMoment } from "./times.ts";
import { AddressText } from "./address.tsx";
import { listCircumstances } from "./circumstances.ts";
import { describeShare, listCaps, listCosts, listFree, shareOf } from "./costs.ts";
import { Bar, Ring, toneOf } from "./drawings.tsx";
import {
  CostList,
  FixLines,
  ObstacleList,
  type ReportProps,
  setText,
  UNJUDGED_ID,
} from "./findings.tsx";
import { findPageObstacle, isUnjudged, tallyCategory } from "./obstacles.ts";
import { anchorOf, type ReportedCheck, type ReportedFinding } from "./reported.ts";
import { describeCategory, describeUnchecked, describeVerdict, say, WORDS } from "./words.ts";

export function Head({ check, reading }: ReportProps) {
  const { language } = reading;
  const { describeTime = (date: string) => describeMoment(new Date(date), { language }) } = reading;
  const checkedAt = `${say(WORDS.checked, language)} ${describeTime(check.checkedAt)}`;
  return (
    <header class="head">
      <Ring check={check} language={language} />
      <div>
        <h1>
          <AddressText text={check.url} />
        </h1>
        <p class={`verdict ${toneOf(check.verdict)}`}>{describeVerdict(check.verdict, language)}</p>
        {check.finalUrl !== check.url && (
          <p class="soft">
            {say(WORDS.readAt, language)} <AddressText text={check.finalUrl} />
          </p>
        )}
        <p class="soft">{[checkedAt, ...listCircumstances(check, language)].join(", ")}</p>
      </div>
    </header>
  );
}

/** Undefined if the reason costs points: then it is listed among the costs. */
function findOpenRoot(check: ReportedCheck): ReportedFinding | undefined {
  const root = findPageObstacle(check)?.root;
  return root && isUnjudged(root) ? root : undefined;
}

export function Caps({ check, reading }: ReportProps) {
  const root = findOpenRoot(check);
  if (root === undefined && check.caps.length === 0) return null;
  return (
    <ul class="caps">
      {root && (
        <li>
          <strong class="warn">{say(WORDS.notChecked, reading.language)}</strong>{" "}
          <span lang={reading.findingsLanguage}>
            {setText(`${root.evidence} ${root.fix}`, reading)}
          </span>{" "}
          <code>{root.id}</code>
          <FixLines finding={root} reading={reading} />
        </li>
      )}
      {listCaps(check).map(({ limit, reason, findingId }) => (
        <li>
          <strong class="bad">
            {say(WORDS.atMost, reading.language)} {limit}
          </strong>{" "}
          <span lang={reading.findingsLanguage}>{setText(reason, reading)}</span>{" "}
          <code>{findingId}</code>
        </li>
      ))}
    </ul>
  );
}

function findAnchorId(check: ReportedCheck, category: string): string | undefined {
  const own = (finding: ReportedFinding) => finding.category === category;
  const cost = listCosts(check).find(own);
  if (cost === undefined && check.findings.some((one) => own(one) && isUnjudged(one)))
    return UNJUDGED_ID;
  return (cost ?? listFree(check).find(own))?.id;
}

function Categories({ check, reading }: ReportProps) {
  const { language } = reading;
  const rows = check.categories.map((category) => ({
    id: category.id,
    anchorId: findAnchorId(check, category.id),
    ...tallyCategory(check, category),
  }));
  return (
    <section>
      <h2>{say(WORDS.categories, language)}</h2>
      <table class="categories">
        <tbody>
          {rows.map(({ id, anchorId, earned, points, isJudged, unjudgedPoints }) => (
            <tr>
              <th scope="row">
                {anchorId === undefined ? (
                  describeCategory(id, language)
                ) : (
                  <a href={`#${anchorOf(reading, anchorId)}`}>{describeCategory(id, language)}</a>
                )}
              </th>
              <td class="bar">
                <Bar
                  share={shareOf({ earned, points })}
                  judgedShare={shareOf({ earned, points: points - unjudgedPoints })}
                />
              </td>
              <td class="number">
                <span class="word">
                  {isJudged
                    ? describeShare({ earned, points }, language)
                    : say(WORDS.uncheckedOne, language)}
                </span>
                {isJudged && unjudgedPoints > 0 && (
                  <>
                    , <span class="word">{describeUnchecked(unjudgedPoints, language)}</span>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Explanation({ check, reading }: ReportProps) {
  return (
    <>
      <Categories check={check} reading={reading} />
      <CostList check={check} reading={reading} />
      <ObstacleList check={check} shown={findOpenRoot(check)} reading={reading} />
    </>
  );
}
