import { Caps, Explanation, Head, Rest } from "../../../../shared/report/report.tsx";
import { describePoints, describeVerdict, say } from "../../../../shared/report/words.ts";
import type { Changes } from "../../../engine/judge/changes.ts";
import type { Language } from "../../../base/language.ts";
import type { Report } from "../../../checks/report.ts";
import { CHECK_AGAIN, CheckAnother, CheckNow } from "../../kit/check-now.tsx";
import { Select } from "../../kit/components.tsx";
import type { TimeReader } from "../../kit/age.ts";
import { CopyStatus, Id } from "../../kit/copy.tsx";
import { readingIn } from "../../kit/reading.tsx";
import { SeenDetails } from "../../kit/seen.tsx";
import { WatchLink } from "../../kit/watch.tsx";
import { REPORT } from "./check-words.ts";

interface MovesProps {
  changes: Changes;
  language: Language;
}

function Moves({ changes: { from, to, findings, caps }, language }: MovesProps) {
  const outcome = ({ ruleset, score, verdict }: Changes["from"]) =>
    `${score}, ${describeVerdict(verdict, language)} (${ruleset})`;
  const points = (standing: (typeof findings)[number]["from"]) =>
    standing === null ? "–" : describePoints(standing.earned, language);
  const cap = (limit: number | null) =>
    limit === null ? say(REPORT.noCap, language) : String(limit);
  return (
    <>
      <p role="status">
        <strong>
          {outcome(from)} → {outcome(to)}
        </strong>
      </p>
      {findings.length === 0 && caps.length === 0 && <p>{say(REPORT.nothing, language)}</p>}
      {findings.length > 0 && (
        <table aria-label={say(REPORT.points, language)}>
          <thead>
            <tr>
              {[REPORT.rule, REPORT.points, REPORT.why].map((each) => (
                <th scope="col">{say(each, language)}</th>
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
        <table aria-label={say(REPORT.caps, language)}>
          <thead>
            <tr>
              <th scope="col">{say(REPORT.rule, language)}</th>
              <th scope="col">{say(REPORT.caps, language)}</th>
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
  reader: TimeReader;
}

function JudgeAgain({ report, asked, reader: { language } }: CheckPageProps) {
  const { check, rulesets, changes } = report;
  const isUnknown = asked !== undefined && changes === undefined;
  const other = rulesets.find((version) => version !== check.ruleset) ?? check.ruleset;
  return (
    <section>
      <h2 id="again">{say(REPORT.again, language)}</h2>
      <p>{say(REPORT.againLead, language)}</p>
      <form method="get" action={`/checks/${check.id}#again`}>
        <Select
          name="ruleset"
          label={say(REPORT.with, language)}
          value={changes?.to.ruleset ?? other}
          options={rulesets.map((version) => [version, version])}
          problem={isUnknown ? say(REPORT.unknown, language) : undefined}
        >
          <button type="submit">{say(REPORT.again, language)}</button>
        </Select>
      </form>
      {changes && <Moves changes={changes} language={language} />}
    </section>
  );
}

/** The report of one check, and what can be done with it. */
export function CheckPage({ report, asked, reader }: CheckPageProps) {
  const { check, seen } = report;
  const { language } = reader;
  const reading = readingIn(reader);
  return (
    <>
      <Head check={check} reading={reading} />
      <Caps check={check} reading={reading} />
      <div class="actions">
        <CheckNow
          url={check.url}
          label={CHECK_AGAIN}
          isPreview={check.preview}
          language={language}
        />
        <WatchLink url={check.url} language={language} />
      </div>
      <Explanation check={check} reading={reading} />
      <CopyStatus />
      <Rest check={check} reading={reading} />
      <SeenDetails seen={seen} reader={reader} />
      <p class="soft">
        {say(REPORT.ruleset, language)} {check.ruleset}, {say(REPORT.checkId, language)}{" "}
        <Id id={check.id} language={language} />
      </p>
      <p class="actions">
        <a href={`/checks/${check.id}/evidence`} download>
          {say(REPORT.evidence, language)}
        </a>
        {report.previousId !== null && (
          <a href={`/checks/compare?a=${report.previousId}&b=${check.id}`}>
            {say(REPORT.compare, language)}
          </a>
        )}
      </p>
      <CheckAnother language={language} />
      <JudgeAgain report={report} asked={asked} reader={reader} />
    </>
  );
}
