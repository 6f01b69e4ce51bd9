import type { ReceivedCheck } from "../client/received.ts";
import type { Checked } from "../check/checked.ts";
import { describeError } from "../terminal/errors.ts";
import type { Gate } from "../check/gate.ts";
import { isUnjudged, listObstacles, tallyCategory } from "../check/obstacles.ts";
import { describePoints, describeTime, describeVerdict } from "../terminal/words.ts";
import { listCircumstances } from "../check/circumstances.ts";
import { costOf, listCosts } from "../check/costs.ts";
import { urlOf } from "../check/addresses.ts";
import { Bar, Ring, toneOf } from "./html-drawings.tsx";
import { CostList, ObstacleList, Rest } from "./html-findings.tsx";
import type { About } from "./report.ts";

function Head({ check }: { check: ReceivedCheck }) {
  const facts = [`Checked ${describeTime(check.checkedAt)}`, ...listCircumstances(check)];
  return (
    <header class="head">
      <Ring check={check} />
      <div>
        <h1>{check.url}</h1>
        <p class={`verdict ${toneOf(check.verdict)}`}>{describeVerdict(check.verdict)}</p>
        {check.finalUrl !== check.url && <p class="soft">Read at {check.finalUrl}</p>}
        <p class="soft">{facts.join(", ")}</p>
      </div>
    </header>
  );
}

function Caps({ caps }: ReceivedCheck) {
  if (caps.length === 0) return null;
  return (
    <ul class="caps">
      {caps
        .toSorted((a, b) => a.limit - b.limit)
        .map(({ limit, reason, findingId }) => (
          <li>
            <strong class="bad">At most {limit}</strong> {reason} <code>{findingId}</code>
          </li>
        ))}
    </ul>
  );
}

function GateList({ conditions }: Gate) {
  if (conditions.length === 0) return null;
  return (
    <section>
      <h2>Gate</h2>
      <ul class="gate">
        {conditions.map(({ isMet, text }) => (
          <li>
            <span class={`mark ${isMet ? "good" : "bad"}`} aria-hidden="true">
              {isMet ? "✓" : "✗"}
            </span>
            {isMet ? "Met" : "Not met"}: {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Categories({ check }: { check: ReceivedCheck }) {
  const rows = check.categories.map((category) => ({
    id: category.id,
    ...tallyCategory(check, category),
  }));
  return (
    <section>
      <h2>Categories</h2>
      <table>
        <tbody>
          {rows.map(({ id, earned, points, unjudgedPoints }) => (
            <tr>
              <th scope="row">{id}</th>
              <td class="bar">
                <Bar share={points > 0 ? earned / points : 1} />
              </td>
              <td class="number">
                {describePoints(earned)} of {describePoints(points)}
                {unjudgedPoints > 0 && `, ${describePoints(unjudgedPoints)} not judged`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface PageProps {
  checked: Checked;
  index: number;
  about: About;
}

/** One page of a run: its score and all that explains it, or why there is none. */
export function Page({ checked, index, about }: PageProps) {
  if ("error" in checked)
    return (
      <section class="page" id={`page-${index + 1}`}>
        <h1>{urlOf(checked)}</h1>
        <p class="verdict bad">Not checked</p>
        <p class="error">{describeError(checked.error)}</p>
      </section>
    );
  const { check, gate } = checked;
  const rest = check.findings.filter((finding) => costOf(finding) <= 0 && !isUnjudged(finding));
  return (
    <section class="page" id={`page-${index + 1}`}>
      <Head check={check} />
      <Caps {...check} />
      <GateList {...gate} />
      <Categories check={check} />
      <CostList title="Points to win, largest first" findings={listCosts(check)} about={about} />
      <ObstacleList obstacles={listObstacles(check)} about={about} />
      <Rest title="What costs nothing" findings={rest} about={about} />
      <p class="soft">
        Ruleset {check.ruleset}, check <code>{check.id}</code>
      </p>
    </section>
  );
}
