import { describeVerdict, say } from "../../../../shared/report/words.ts";
import { toneOf } from "../../../../shared/report/drawings.tsx";
import type {
  ClosedIncident,
  ListedDeployment,
  OpenIncident,
  WatchedUrl,
} from "../../../db/projects/project-page.ts";
import type { Language } from "../../../base/language.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { firstByteOf, scoreOf } from "./history.tsx";
import { DASH, LinkedAddress } from "./parts.tsx";
import { WORDS } from "./project-words.ts";
import { UrlStateMark } from "./states.tsx";

interface RowsProps<Row> {
  /** The id of the heading. */
  labelledBy: string;
  rows: readonly Row[];
  signedIn: SignedInRequest;
}

const LONGEST_REASON = 200;
const LONGEST_LABEL = 20;

const when = (at: Date | null, signedIn: SignedInRequest) =>
  at === null ? DASH : <Time at={at} now={signedIn.now} reader={signedIn} />;

const headOf = (names: readonly (keyof typeof WORDS)[], { language }: SignedInRequest) =>
  names.map((name) => say(WORDS[name], language));

export function OpenIncidents({ labelledBy, rows, signedIn }: RowsProps<OpenIncident>) {
  return (
    <Table
      labelledBy={labelledBy}
      head={headOf(["url", "reason", "began", "checked"], signedIn)}
      rows={rows.map(({ id, url, reason, since, lastCheckedAt }) => ({
        key: id,
        cells: [
          <LinkedAddress url={url} />,
          oneLine(reason, LONGEST_REASON),
          when(since, signedIn),
          when(lastCheckedAt, signedIn),
        ],
      }))}
    />
  );
}

export function ClosedIncidents({ labelledBy, rows, signedIn }: RowsProps<ClosedIncident>) {
  return (
    <Table
      labelledBy={labelledBy}
      head={headOf(["url", "reason", "began", "ended"], signedIn)}
      rows={rows.map(({ id, url, reason, since, closedAt }) => ({
        key: id,
        cells: [
          <LinkedAddress url={url} />,
          oneLine(reason, LONGEST_REASON),
          when(since, signedIn),
          when(closedAt, signedIn),
        ],
      }))}
    />
  );
}

function UrlNotes({ watched, language }: { watched: WatchedUrl; language: Language }) {
  const { url, isAddress, checkId } = watched;
  if (!isAddress && checkId === null) return null;
  const report = say(WORDS.newest, language);
  return (
    <div class="soft">
      {isAddress && say(WORDS.ofProject, language)}
      {isAddress && checkId && " · "}
      {checkId && (
        <a href={`/checks/${checkId}`} aria-label={`${report} ${url}`}>
          {report}
        </a>
      )}
    </div>
  );
}

export function WatchedUrls({ labelledBy, rows, signedIn }: RowsProps<WatchedUrl>) {
  const { language } = signedIn;
  return (
    <Table
      labelledBy={labelledBy}
      head={headOf(["url", "state", "score", "checked"], signedIn)}
      figures={[2]}
      rows={rows.map((watched) => ({
        key: watched.id,
        cells: [
          <>
            <LinkedAddress url={watched.url} />
            <UrlNotes watched={watched} language={language} />
          </>,
          <UrlStateMark url={watched} language={language} />,
          watched.score ?? DASH,
          when(watched.lastCheckedAt, signedIn),
        ],
      }))}
    />
  );
}

/** Which version was deployed, as far as it was said, and where to unless that was production. */
function describeVersion({ commit, ref, environment }: ListedDeployment): string {
  const isProduction = environment === "production";
  const parts = [commit?.slice(0, 12), ref, isProduction ? undefined : environment];
  const said = parts.flatMap((part) => (part ? oneLine(part, LONGEST_LABEL) : []));
  return said.join(" · ") || DASH;
}

interface DeploymentProps {
  deployment: ListedDeployment;
  signedIn: SignedInRequest;
}

function Verdict({ deployment: { check, isQueued, failure }, signedIn }: DeploymentProps) {
  const { language } = signedIn;
  if (check === null) {
    const reason = !isQueued && failure !== null && oneLine(failure, LONGEST_REASON);
    return (
      <>
        {say(isQueued ? WORDS.queued : WORDS.unverified, language)}
        {reason && <div class="soft">{reason}</div>}
      </>
    );
  }
  const verdict = (
    <span class={toneOf(check.verdict)}>{describeVerdict(check.verdict, language)}</span>
  );
  return check.hasReport ? <a href={`/checks/${check.id}`}>{verdict}</a> : verdict;
}

interface DeploymentsProps extends RowsProps<ListedDeployment> {
  /** How many incidents followed each, by its id. */
  incidents: ReadonlyMap<string, number> | undefined;
}

/** Deployments, and the same figures as in the charts. */
export function Deployments({ labelledBy, rows, incidents, signedIn }: DeploymentsProps) {
  const head = ["when", "what", "verdict", "score", "firstByte"] as const;
  return (
    <Table
      labelledBy={labelledBy}
      head={headOf(incidents ? [...head, "incidents"] : head, signedIn)}
      figures={[3, 4, 5]}
      rows={rows.map((deployment) => {
        const { id, deployedAt } = deployment;
        const firstByteMs = firstByteOf(deployment);
        return {
          key: id,
          cells: [
            when(deployedAt, signedIn),
            describeVersion(deployment),
            <Verdict deployment={deployment} signedIn={signedIn} />,
            scoreOf(deployment) ?? DASH,
            firstByteMs === null ? DASH : `${firstByteMs}\u00a0ms`,
            ...(incidents ? [incidents.get(id) ?? DASH] : []),
          ],
        };
      })}
    />
  );
}
