import { FreeList } from "../../../../shared/report/findings.tsx";
import { Caps, Explanation, Head } from "../../../../shared/report/report.tsx";
import { useReader, useSay } from "../../kit/reader.tsx";
import { describePoints, describeVerdict } from "../../../../shared/report/words.ts";
import type { Changes } from "../../../engine/judge/changes.ts";
import type { Report } from "../../../checks/report.ts";
import { CHECK_AGAIN, CheckAnother, CheckNow } from "../../kit/check-now.tsx";
import { Select } from "../../kit/fields.tsx";
import { CopyStatus, Id } from "../../kit/copy.tsx";
import { useReading } from "../../kit/reading.tsx";
import { SeenDetails } from "../../kit/seen.tsx";
import { WatchLink } from "../../kit/watch.tsx";
import { REPORT } from "./check-words.ts";

function Moves({ changes: { from, to, findings, caps } }: { changes: Changes }) {
  const { language } = useReader();
  const say = useSay();
  const outcome = ({ ruleset, score, verdict }: Changes["from"]) =>
    `${score}, ${describeVerdict(verdict, language)} (${ruleset})`;
  const points = (standing: (typeof findings)[number]["from"]) =>
    standing === null ? "–" : describePoints(standing.earned, language);
  const cap = (limit: number | null) => (limit === null ? say(REPORT.noCap) : String(limit));
  return (
    <>
      <p role="status">
        <strong>
          {outcome(from)} → {outcome(to)}
        </strong>
      </p>
      {findings.length === 0 && caps.length === 0 && <p>{say(REPORT.nothing)}</p>}
      {findings.length > 0 && (
        <table aria-label={say(REPORT.points)}>
          <thead>
            <tr>
              {[REPORT.rule, REPORT.points, REPORT.why].map((each) => (
                <th scope="col">{say(each)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {findings.map((moved) => (
              <tr>
                <th scope="row">
                  <code>{moved.id}</code>
                </th>
                <td class="number">
                  {points(moved.from)} → {points(moved.to)}
                </td>
                <td>{moved.why}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {caps.length > 0 && (
        <table aria-label={say(REPORT.caps)}>
          <thead>
            <tr>
              <th scope="col">{say(REPORT.rule)}</th>
              <th scope="col">{say(REPORT.caps)}</th>
            </tr>
          </thead>
          <tbody>
            {caps.map((moved) => (
              <tr>
                <th scope="row">
                  <code>{moved.findingId}</code>
                </th>
                <td class="number">
                  {cap(moved.from)} → {cap(moved.to)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

interface CheckPageProps {
  report: Report;
  /** The ruleset that was asked for. */
  asked: string | undefined;
}

function JudgeAgain({ report, asked }: CheckPageProps) {
  const say = useSay();
  const { check, rulesets, changes } = report;
  const isUnknown = asked !== undefined && changes === undefined;
  const other = rulesets.find((version) => version !== check.ruleset) ?? check.ruleset;
  return (
    <section>
      <h2 id="again">{say(REPORT.again)}</h2>
      <p>{say(REPORT.againLead)}</p>
      <form method="get" action={`/checks/${check.id}#again`}>
        <Select
          name="ruleset"
          label={REPORT.with}
          value={changes?.to.ruleset ?? other}
          options={rulesets.map((version) => [version, version])}
          problem={isUnknown ? say(REPORT.unknown) : undefined}
        >
          <button type="submit">{say(REPORT.again)}</button>
        </Select>
      </form>
      {changes && <Moves changes={changes} />}
    </section>
  );
}

/** The report of one check, and what can be done with it. */
export function CheckPage({ report, asked }: CheckPageProps) {
  const say = useSay();
  const { check, seen } = report;
  const reading = useReading();
  return (
    <>
      <Head check={check} reading={reading} />
      <Caps check={check} reading={reading} />
      <div class="actions">
        <CheckNow url={check.url} label={CHECK_AGAIN} isPreview={check.preview} />
        <WatchLink url={check.url} />
      </div>
      <Explanation check={check} reading={reading} />
      <CopyStatus />
      <FreeList check={check} reading={reading} />
      <SeenDetails seen={seen} />
      <p class="soft">
        {say(REPORT.ruleset)} {check.ruleset}, {say(REPORT.checkId)} <Id id={check.id} />
      </p>
      <p class="actions">
        <a href={`/checks/${check.id}/evidence`} download>
          {say(REPORT.evidence)}
        </a>
        {report.previousId !== null && (
          <a href={`/checks/compare?a=${report.previousId}&b=${check.id}`}>{say(REPORT.compare)}</a>
        )}
      </p>
      <CheckAnother />
      <JudgeAgain report={report} asked={asked} />
    </>
  );
}
