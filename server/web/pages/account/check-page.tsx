import { FreeList } from "../../../../shared/report/findings.tsx";
import { Caps, Explanation, Head } from "../../../../shared/report/report.tsx";
import { T, useReader, useSay } from "../../kit/reader.tsx";
import { describePoints, describeVerdict } from "../../../../shared/report/words.ts";
import type { Changes } from "../../../engine/judge/changes.ts";
import type { Report } from "../../../checks/report.ts";
import { CHECK_AGAIN, CheckAnother, CheckNow, WatchLink } from "../../kit/check-now.tsx";
import { Select } from "../../kit/fields.tsx";
import { CopyStatus, Id, Notice } from "../../kit/components.tsx";
import { useReading } from "../../kit/report-locale.tsx";
import { ResponseDetails } from "../../kit/response-details.tsx";
import { REPORT, RUNNING } from "./check-words.ts";
import type { CheckProgress } from "../../../db/checks/reports.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { LIVE_SCRIPT, Progress } from "../../kit/progress.tsx";
import type { SignedInPage } from "../../kit/session/page.ts";

function ScoreChanges({ changes: { from, to, findings, caps } }: { changes: Changes }) {
  const { language } = useReader();
  const say = useSay();
  const outcome = ({ ruleset, score, verdict }: Changes["from"]) =>
    `${score}, ${describeVerdict(verdict, language)} (${ruleset})`;
  const points = (result: (typeof findings)[number]["from"]) =>
    result === null ? "–" : describePoints(result.earned, language);
  const cap = (limit: number | null) => (limit === null ? say(REPORT.noCap) : String(limit));
  return (
    <>
      <p role="status">
        <strong>
          {outcome(from)} → {outcome(to)}
        </strong>
      </p>
      {findings.length === 0 && caps.length === 0 && (
        <p>
          <T text={REPORT.nothing} />
        </p>
      )}
      {findings.length > 0 && (
        <table aria-label={say(REPORT.points)}>
          <thead>
            <tr>
              {[REPORT.rule, REPORT.points, REPORT.why].map((each) => (
                <th scope="col">
                  <T text={each} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {findings.map((finding) => (
              <tr>
                <th scope="row">
                  <code>{finding.id}</code>
                </th>
                <td class="number">
                  {points(finding.from)} → {points(finding.to)}
                </td>
                <td>{finding.why}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {caps.length > 0 && (
        <table aria-label={say(REPORT.caps)}>
          <thead>
            <tr>
              <th scope="col">
                <T text={REPORT.rule} />
              </th>
              <th scope="col">
                <T text={REPORT.caps} />
              </th>
            </tr>
          </thead>
          <tbody>
            {caps.map((change) => (
              <tr>
                <th scope="row">
                  <code>{change.findingId}</code>
                </th>
                <td class="number">
                  {cap(change.from)} → {cap(change.to)}
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
  /** The ruleset of the recalculation. */
  requested: string | undefined;
}

function RescoreForm({ report, requested }: CheckPageProps) {
  const say = useSay();
  const { check, rulesets, changes } = report;
  const isUnknown = requested !== undefined && changes === undefined;
  const other = rulesets.find((version) => version !== check.ruleset) ?? check.ruleset;
  return (
    <section>
      <h2 id="again">
        <T text={REPORT.again} />
      </h2>
      <p>
        <T text={REPORT.againLead} />
      </p>
      <form method="get" action={`/checks/${check.id}#again`}>
        <Select
          name="ruleset"
          label={REPORT.with}
          value={changes?.to.ruleset ?? other}
          options={rulesets.map((version) => [version, version])}
          problem={isUnknown ? say(REPORT.unknown) : undefined}
        >
          <button type="submit">
            <T text={REPORT.again} />
          </button>
        </Select>
      </form>
      {changes && <ScoreChanges changes={changes} />}
    </section>
  );
}

export function CheckPage({ report, requested }: CheckPageProps) {
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
      <ResponseDetails seen={seen} />
      <p class="soft">
        <T text={REPORT.ruleset} /> {check.ruleset}, <T text={REPORT.checkId} />{" "}
        <Id id={check.id} />
      </p>
      <p class="actions">
        <a href={`/checks/${check.id}/evidence`} download>
          <T text={REPORT.evidence} />
        </a>
        {report.previousId !== null && (
          <a href={`/checks/compare?a=${report.previousId}&b=${check.id}`}>
            <T text={REPORT.compare} />
          </a>
        )}
      </p>
      <CheckAnother />
      <RescoreForm report={report} requested={requested} />
    </>
  );
}

const MAX_LENGTH = 1200;

function Interrupted({ name, url }: { name: string; url: string | null }) {
  return (
    <>
      <h1 class="address">{name}</h1>
      <Notice tone="bad">
        <p>
          <strong>
            <T text={RUNNING.failed} />
          </strong>
        </p>
        <p>
          <T text={RUNNING.failedLead} />
        </p>
      </Notice>
      {url && <CheckNow url={url} label={CHECK_AGAIN} />}
    </>
  );
}

export function pageOfUnfinished(check: CheckProgress): SignedInPage {
  const name = oneLine(check.url ?? check.host, MAX_LENGTH);
  const path = `/checks/${check.id}`;
  if (check.state === "running")
    return {
      title: RUNNING.title,
      refresh: path,
      script: LIVE_SCRIPT,
      children: <Progress name={name} made={check} path={path} hint={RUNNING.reloads} />,
    };
  return { title: RUNNING.failed, children: <Interrupted name={name} url={check.url} /> };
}
