import { describeVerdict, say } from "../../../../shared/report/words.ts";
import { toneOf } from "../../../../shared/report/drawings.tsx";
import type { ListedDeployment, WatchedUrl } from "../../../db/projects/project-page.ts";
import type { Language } from "../../../base/language.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { Gain } from "../../kit/comparison.tsx";
import { CHECK_NOW, CheckRow } from "../../kit/check-now.tsx";
import { LONGEST_IN_ROW, SiteLink } from "../../kit/site-link.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { DASH } from "./parts.tsx";
import { WORDS } from "./project-words.ts";
import { KINDS } from "./deployment-words.ts";
import { gainOf, isShip, nameVersion, scoreOf } from "./ships.ts";
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

interface WatchedUrlsProps extends RowsProps<WatchedUrl> {
  project: { id: string; url: string };
}

export function WatchedUrls({ labelledBy, project, rows, signedIn }: WatchedUrlsProps) {
  const { language } = signedIn;
  return (
    <Table
      labelledBy={labelledBy}
      head={[...headOf(["url", "state", "score", "checked"], signedIn), ""]}
      figures={[2]}
      rows={rows.map((watched) => ({
        key: watched.id,
        cells: [
          <>
            <SiteLink
              href={`/projects/${project.id}/urls/${watched.id}`}
              url={watched.url}
              within={project.url}
              language={language}
            />
            {watched.isAddress && <div class="soft">{say(WORDS.ofProject, language)}</div>}
          </>,
          <UrlStateMark url={watched} language={language} />,
          watched.score ?? DASH,
          when(watched.lastCheckedAt, signedIn),
          watched.url.length <= LONGEST_IN_ROW && (
            <CheckRow url={watched.url} label={CHECK_NOW} language={language} />
          ),
        ],
      }))}
    />
  );
}

/** Which version was deployed, as far as it was said, and where to unless that was production. */
export function nameDeployment(
  deployment: Pick<ListedDeployment, "kind" | "commit" | "ref" | "environment">,
  language: Language,
): string {
  const where = isShip(deployment) ? "" : oneLine(deployment.environment, LONGEST_LABEL);
  const said = [nameVersion(deployment), where].filter(Boolean).join(" · ");
  return said || say(KINDS[deployment.kind], language);
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
  return <span class={toneOf(check.verdict)}>{describeVerdict(check.verdict, language)}</span>;
}

interface DeploymentsProps extends RowsProps<ListedDeployment> {
  /** How many incidents followed each, by its id. */
  incidents: ReadonlyMap<string, number>;
}

/** Deployments, each with what it is above the one before it. */
export function Deployments({ labelledBy, rows, incidents, signedIn }: DeploymentsProps) {
  const { language } = signedIn;
  const head = ["what", "when", "verdict", "score", "change", "firstByte", "incidents"] as const;
  return (
    <Table
      labelledBy={labelledBy}
      head={headOf(head, signedIn)}
      figures={[3, 4, 5, 6]}
      rows={rows.map((deployment) => {
        const { id, deployedAt } = deployment;
        const firstByteMs = deployment.check?.firstByteMs ?? null;
        const gain = gainOf(deployment);
        return {
          key: id,
          cells: [
            <a href={`/deployments/${id}`}>{nameDeployment(deployment, language)}</a>,
            when(deployedAt, signedIn),
            <Verdict deployment={deployment} signedIn={signedIn} />,
            scoreOf(deployment) ?? DASH,
            gain === null ? DASH : <Gain points={gain} language={language} />,
            firstByteMs === null ? DASH : `${firstByteMs}\u00a0ms`,
            incidents.get(id) ?? DASH,
          ],
        };
      })}
    />
  );
}
