import { describeVerdict } from "../../../../shared/report/words.ts";
import { T, useReader, useSay } from "../../kit/reader.tsx";
import { toneOf } from "../../../../shared/report/drawings.tsx";
import type { ListedDeployment, WatchedUrl } from "../../../db/projects/project-page.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { Gain } from "../../kit/comparison.tsx";
import { CHECK_NOW, CheckRow } from "../../kit/check-now.tsx";
import { LONGEST_IN_ROW, SiteLink } from "../../kit/address.tsx";
import { Table } from "../../kit/layout.tsx";
import { describeMilliseconds, Time } from "../../kit/time.tsx";
import { DASH, UrlStateMark } from "./state-badges.tsx";
import { WORDS } from "./project-words.ts";
import { KINDS } from "./deployment-words.ts";
import { gainOf, isShip, nameVersion, scoreOf } from "./deployment-figures.ts";

interface RowsProps<Row> {
  rows: readonly Row[];
}

const LONGEST_REASON = 200;
const LONGEST_LABEL = 20;

const when = (at: Date | null) => (at === null ? DASH : <Time at={at} />);

interface WatchedUrlsProps extends RowsProps<WatchedUrl> {
  project: { id: string; url: string };
}

export function WatchedUrls({ project, rows }: WatchedUrlsProps) {
  return (
    <Table
      head={[WORDS.url, WORDS.state, WORDS.score, WORDS.probed, ""]}
      figures={[2]}
      rows={rows.map((watched) => ({
        key: watched.id,
        cells: [
          <>
            <SiteLink
              href={`/projects/${project.id}/urls/${watched.id}`}
              url={watched.url}
              within={project.url}
            />
            {watched.isAddress && (
              <div class="soft">
                <T text={WORDS.ofProject} />
              </div>
            )}
          </>,
          <UrlStateMark url={watched} />,
          watched.score ?? DASH,
          when(watched.lastCheckedAt),
          watched.url.length <= LONGEST_IN_ROW && <CheckRow url={watched.url} label={CHECK_NOW} />,
        ],
      }))}
    />
  );
}

interface DeploymentLinkProps {
  deployment: Pick<ListedDeployment, "id" | "kind" | "commit" | "ref" | "environment">;
}

export function DeploymentLink({ deployment }: DeploymentLinkProps) {
  const say = useSay();
  const where = isShip(deployment) ? "" : oneLine(deployment.environment, LONGEST_LABEL);
  const name = [nameVersion(deployment), where].filter(Boolean).join(" · ");
  return <a href={`/deployments/${deployment.id}`}>{name || say(KINDS[deployment.kind])}</a>;
}

function Verdict({ deployment }: { deployment: ListedDeployment }) {
  const { check, isQueued, failure } = deployment;
  const { language } = useReader();
  if (check === null) {
    const reason = !isQueued && failure !== null && oneLine(failure, LONGEST_REASON);
    return (
      <>
        <T text={isQueued ? WORDS.queued : WORDS.unverified} />
        {reason && <div class="soft">{reason}</div>}
      </>
    );
  }
  return <span class={toneOf(check.verdict)}>{describeVerdict(check.verdict, language)}</span>;
}

interface DeploymentsProps extends RowsProps<ListedDeployment> {
  /** The number of incidents by deployment id. */
  incidents: ReadonlyMap<string, number>;
}

export function Deployments({ rows, incidents }: DeploymentsProps) {
  const { language } = useReader();
  const head = ["what", "when", "verdict", "score", "change", "firstByte", "incidents"] as const;
  return (
    <Table
      head={head.map((name) => WORDS[name])}
      figures={[3, 4, 5, 6]}
      rows={rows.map((deployment) => {
        const { id, deployedAt } = deployment;
        const firstByteMs = deployment.check?.firstByteMs ?? null;
        const gain = gainOf(deployment);
        return {
          key: id,
          cells: [
            <DeploymentLink deployment={deployment} />,
            when(deployedAt),
            <Verdict deployment={deployment} />,
            scoreOf(deployment) ?? DASH,
            gain === null ? DASH : <Gain points={gain} />,
            firstByteMs === null ? DASH : describeMilliseconds(firstByteMs, language),
            incidents.get(id) ?? DASH,
          ],
        };
      })}
    />
  );
}
