import type { ComponentChildren } from "preact";
import { describeVerdict, say } from "../../../shared/report/words.ts";
import { toneOf } from "../../../shared/report/drawings.tsx";
import type {
  ClosedIncident,
  ListedDeployment,
  OpenIncident,
  WatchedUrl,
} from "../../db/project-page.ts";
import { oneLine } from "../../syntax/one-line.ts";
import { Time } from "../page/time.tsx";
import type { Visit } from "../session/visit.ts";
import { DASH, LinkedAddress } from "./parts.tsx";
import { WORDS } from "./project-words.ts";
import { UrlStateMark } from "./states.tsx";

interface RowsProps<Row> {
  label: string;
  rows: readonly Row[];
  visit: Visit;
}

interface TableProps {
  label: string;
  head: readonly (keyof typeof WORDS)[];
  visit: Visit;
  children: ComponentChildren;
}

/** The headings of columns of figures. */
const FIGURES = new Set<keyof typeof WORDS>(["score", "firstByte", "incidents"]);

function Table({ label, head, visit: { language }, children }: TableProps) {
  return (
    <table class="rows" aria-label={label}>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col" class={FIGURES.has(name) ? "number" : undefined}>
              {say(WORDS[name], language)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

const LONGEST_REASON = 300;
const LONGEST_LABEL = 20;

function UrlCell({ url }: { url: string }) {
  return (
    <th scope="row" class="url">
      <LinkedAddress url={url} />
    </th>
  );
}

const when = (at: Date | null, visit: Visit) =>
  at === null ? DASH : <Time at={at} now={visit.now} visit={visit} />;

export function OpenIncidents({ label, rows, visit }: RowsProps<OpenIncident>) {
  return (
    <Table label={label} head={["url", "reason", "began", "checked"]} visit={visit}>
      {rows.map((incident) => (
        <tr key={incident.id}>
          <UrlCell url={incident.url} />
          <td>{oneLine(incident.reason, LONGEST_REASON)}</td>
          <td>{when(incident.since, visit)}</td>
          <td>{when(incident.lastCheckedAt, visit)}</td>
        </tr>
      ))}
    </Table>
  );
}

export function ClosedIncidents({ label, rows, visit }: RowsProps<ClosedIncident>) {
  return (
    <Table label={label} head={["url", "reason", "began", "ended"]} visit={visit}>
      {rows.map((incident) => (
        <tr key={incident.id}>
          <UrlCell url={incident.url} />
          <td>{oneLine(incident.reason, LONGEST_REASON)}</td>
          <td>{when(incident.since, visit)}</td>
          <td>{when(incident.closedAt, visit)}</td>
        </tr>
      ))}
    </Table>
  );
}

export function WatchedUrls({ label, rows, visit }: RowsProps<WatchedUrl>) {
  const { language } = visit;
  return (
    <Table label={label} head={["url", "state", "score", "checked"]} visit={visit}>
      {rows.map((watched) => (
        <tr key={watched.id}>
          <th scope="row" class="url">
            <LinkedAddress url={watched.url} />
            {watched.isAddress && <div class="soft">{say(WORDS.ofProject, language)}</div>}
          </th>
          <td>
            <UrlStateMark url={watched} language={language} />
          </td>
          <td class="number">{watched.score ?? DASH}</td>
          <td>{when(watched.lastCheckedAt, visit)}</td>
        </tr>
      ))}
    </Table>
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
  visit: Visit;
}

function Verdict({ deployment: { check, isQueued, failure }, visit }: DeploymentProps) {
  const { language } = visit;
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
export function Deployments({ label, rows, incidents, visit }: DeploymentsProps) {
  const head = ["when", "what", "verdict", "score", "firstByte"] as const;
  return (
    <Table label={label} head={incidents ? [...head, "incidents"] : head} visit={visit}>
      {rows.map((deployment) => (
        <tr key={deployment.id}>
          <th scope="row">{when(deployment.deployedAt, visit)}</th>
          <td class="url">{describeVersion(deployment)}</td>
          <td>
            <Verdict deployment={deployment} visit={visit} />
          </td>
          <td class="number">{deployment.check?.score ?? DASH}</td>
          <td class="number">
            {deployment.check?.firstByteMs == null
              ? DASH
              : `${deployment.check.firstByteMs}\u00a0ms`}
          </td>
          {incidents && <td class="number">{incidents.get(deployment.id) ?? DASH}</td>}
        </tr>
      ))}
    </Table>
  );
}
