import type { CheckAnswer } from "../answers.ts";
import type { Checked } from "../checked.ts";
import { describeError } from "../errors.ts";
import type { Gate } from "../gate.ts";
import { describePoints, describeTime, describeVerdict } from "../views/words.ts";
import { costOf, docsUrlOf, listCosts, listUnknown, urlOf, type Finding } from "./costs.ts";
import { Bar, Ring, toneOf } from "./html-drawings.tsx";
import type { About } from "./report.ts";

const STATUSES = new Map([
  ["pass", "Passed"],
  ["not_applicable", "Nothing to judge"],
  ["blocked", "Waits for another"],
]);

function Head({ check }: { check: CheckAnswer }) {
  const { min, max } = check.scoreRange;
  const facts = [
    `Checked ${describeTime(check.checkedAt)}`,
    ...(check.preview ? ["as a preview"] : []),
    ...(min === max ? [] : [`between ${min} and ${max}`]),
    ...(check.coverage === 100 ? [] : [`${check.coverage}% of the points judged`]),
  ];
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

function Caps({ caps }: CheckAnswer) {
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

function Categories({ categories }: CheckAnswer) {
  return (
    <section>
      <h2>Categories</h2>
      <table>
        <tbody>
          {categories.map(({ id, earned, points }) => (
            <tr>
              <th scope="row">{id}</th>
              <td class="bar">
                <Bar share={points > 0 ? earned / points : 1} />
              </td>
              <td class="number">
                {describePoints(earned)} of {describePoints(points)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface FindingProps {
  finding: Finding;
  about: About;
}

function Cost({ finding, about }: FindingProps) {
  const { id, status, title, evidence, fix, earned, points } = finding;
  return (
    <li>
      <span class={`points ${status === "fail" ? "bad" : "warn"}`}>
        +{describePoints(costOf(finding))}
      </span>
      <article>
        <h3 lang={about.language}>{title}</h3>
        <dl lang={about.language}>
          {evidence !== "" && (
            <>
              <dt lang="en">Seen</dt>
              <dd>{evidence}</dd>
            </>
          )}
          {fix !== "" && (
            <>
              <dt lang="en">Fix</dt>
              <dd>{fix}</dd>
            </>
          )}
        </dl>
        <p class="soft">
          {describePoints(earned)} of {describePoints(points)} points,{" "}
          <a href={docsUrlOf(finding, about.baseUrl)}>{id}</a>
        </p>
      </article>
    </li>
  );
}

function RestRow({ finding, about }: FindingProps) {
  const { id, status, title, earned, points } = finding;
  return (
    <tr>
      <th scope="row" lang={about.language}>
        {title} <a href={docsUrlOf(finding, about.baseUrl)}>{id}</a>
      </th>
      <td>{STATUSES.get(status) ?? status}</td>
      <td class="number">
        {describePoints(earned)} of {describePoints(points)}
      </td>
    </tr>
  );
}

interface FindingListProps {
  title: string;
  findings: readonly Finding[];
  about: About;
}

function CostList({ title, findings, about }: FindingListProps) {
  if (findings.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ol class="costs">
        {findings.map((finding) => (
          <Cost finding={finding} about={about} />
        ))}
      </ol>
    </section>
  );
}

function Rest({ title, findings, about }: FindingListProps) {
  if (findings.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Result</th>
            <th scope="col" class="number">
              Points
            </th>
          </tr>
        </thead>
        <tbody>
          {findings.map((finding) => (
            <RestRow finding={finding} about={about} />
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
  const rest = check.findings.filter((finding) => costOf(finding) <= 0);
  return (
    <section class="page" id={`page-${index + 1}`}>
      <Head check={check} />
      <Caps {...check} />
      <GateList {...gate} />
      <Categories {...check} />
      <CostList title="Points to win, dearest first" findings={listCosts(check)} about={about} />
      <CostList title="Not judged" findings={listUnknown(check)} about={about} />
      <Rest title="What costs nothing" findings={rest} about={about} />
      <p class="soft">
        Ruleset {check.ruleset}, check <code>{check.id}</code>
      </p>
    </section>
  );
}
