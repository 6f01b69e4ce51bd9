import type { FastifyInstance } from "fastify";
import type { UncountedCheck } from "../../../../shared/check.ts";
import { T, useReader, useSay } from "../../kit/reader.tsx";
import { Ring, toneOf } from "../../../../shared/report/drawings.tsx";
import { FreeList } from "../../../../shared/report/findings.tsx";
import { Caps, Explanation } from "../../../../shared/report/report.tsx";
import { describePreviousFiles } from "../../../../shared/report/previous-files.ts";
import { describeVerdict } from "../../../../shared/report/words.ts";
import { judgeStored } from "../../../checks/report.ts";
import type { DeploymentPage } from "../../../db/deployments/deployment-page.ts";
import { findDeploymentPage, MAX_INCIDENTS } from "../../../db/deployments/deployment-page.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { LinkedAddress } from "../../kit/address.tsx";
import { COPY_SCRIPT, CopyStatus, Id } from "../../kit/components.tsx";
import { CHECK_AGAIN, CheckNow } from "../../kit/check-now.tsx";
import { Comparison, describeScores } from "../../kit/comparison.tsx";
import { FactList, Section } from "../../kit/layout.tsx";
import { useReading } from "../../kit/report-locale.tsx";
import { Moment, Time } from "../../kit/time.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { KINDS, WORDS } from "./deployment-words.ts";
import { IncidentTable } from "./incident-table.tsx";
import { nameProject, ProjectLink } from "./state-badges.tsx";
import { nameVersion } from "./deployment-figures.ts";

interface DeploymentProps {
  deployment: DeploymentPage;
}

interface ReportProps extends DeploymentProps {
  /** Undefined if the report is no longer kept. */
  check: UncountedCheck | undefined;
  before: UncountedCheck | undefined;
}

const LONGEST_LABEL = 200;
const LONGEST_REASON = 500;

function Label({ text, href }: { text: string; href: string | null }) {
  const label = oneLine(text, LONGEST_LABEL);
  return href?.startsWith("https://") ? <a href={href}>{label}</a> : <>{label}</>;
}

function Facts({ deployment }: DeploymentProps) {
  const { commit, commitUrl, ref, refUrl, environment, deployedAt, url } = deployment;
  return (
    <FactList
      facts={[
        [WORDS.project, <ProjectLink id={deployment.projectId} name={deployment.projectName} />],
        [WORDS.commit, commit && <Label text={commit} href={commitUrl} />],
        [WORDS.ref, ref && <Label text={ref} href={refUrl} />],
        [WORDS.environment, environment],
        [WORDS.when, <Moment at={deployedAt} />],
        [WORDS.page, <LinkedAddress url={url} />],
      ]}
    />
  );
}

function Head({ deployment }: DeploymentProps) {
  const { language } = useReader();
  const say = useSay();
  const { score, verdict, isQueued, failure, environment } = deployment;
  const name = nameVersion(deployment) || environment;
  const title = <h1>{`${say(KINDS[deployment.kind])} ${name}`}</h1>;
  if (score === null || verdict === null)
    return (
      <>
        {title}
        <p class="lead">
          <T text={isQueued ? WORDS.queued : WORDS.unverified} />{" "}
          {failure !== null && oneLine(failure, LONGEST_REASON)}
        </p>
      </>
    );
  return (
    <header class="head">
      <Ring check={{ score, verdict }} language={language} />
      <div>
        {title}
        <p class={`verdict ${toneOf(verdict)}`}>{describeVerdict(verdict, language)}</p>
      </div>
    </header>
  );
}

function Changes({ deployment, check, before }: ReportProps) {
  const { score, beforeId, beforeDeployedAt, previousScore, checkId, beforeCheckId } = deployment;
  if (score === null) return null;
  const isPreview = deployment.kind === "preview";
  if (beforeId === null || beforeDeployedAt === null)
    return (
      <p>
        <T text={isPreview ? WORDS.noShip : WORDS.first} />
      </p>
    );
  const version = { commit: deployment.beforeCommit, ref: deployment.beforeRef };
  return (
    <>
      <p>
        <T text={isPreview ? WORDS.againstShip : WORDS.against} />{" "}
        <a href={`/deployments/${beforeId}`}>
          {nameVersion(version) || (isPreview ? "production" : deployment.environment)}
        </a>
        , <Time at={beforeDeployedAt} />
      </p>
      {checkId === beforeCheckId && (
        <p>
          <T text={WORDS.together} />
        </p>
      )}
      {check && before ? (
        <Comparison before={before} now={check} />
      ) : (
        <>
          {previousScore !== null && (
            <p class="verdict">
              <T text={describeScores(score, previousScore)} />
            </p>
          )}
          {checkId !== beforeCheckId && (
            <p>
              <T text={WORDS.notKept} />
            </p>
          )}
        </>
      )}
    </>
  );
}

function PreviousBuild({ deployment: { previousFiles } }: DeploymentProps) {
  if (previousFiles === null) return null;
  const { tried, answered } = previousFiles;
  return (
    <>
      <p>
        <T text={describePreviousFiles(previousFiles)} />
      </p>
      {answered < tried && (
        <p class="soft">
          <T text={WORDS.previousMissing} />
        </p>
      )}
    </>
  );
}

function Incidents({ deployment }: DeploymentProps) {
  const { incidents, nextId } = deployment;
  const rows = incidents.slice(0, MAX_INCIDENTS);
  const title = nextId === null ? WORDS.incidentsSince : WORDS.incidents;
  return (
    <Section id="incidents" title={title}>
      <IncidentTable rows={rows} within={deployment.url} empty={WORDS.noIncidents} />
      {incidents.length > rows.length && (
        <p class="soft">
          <T text={WORDS.more} />
        </p>
      )}
      <NextDeployment deployment={deployment} />
    </Section>
  );
}

function NextDeployment({ deployment: { nextId, nextDeployedAt } }: DeploymentProps) {
  if (nextId === null || nextDeployedAt === null) return null;
  return (
    <p>
      <a href={`/deployments/${nextId}`}>
        <T text={WORDS.next} />
      </a>{" "}
      <Time at={nextDeployedAt} />
    </p>
  );
}

function Report({ deployment: { checkId, score }, check }: ReportProps) {
  const reading = useReading();
  if (check === undefined)
    return score === null ? null : (
      <p>
        <T text={WORDS.noReport} />
      </p>
    );
  const shown = { check, reading };
  return (
    <>
      <Caps {...shown} />
      <Explanation {...shown} />
      <FreeList {...shown} />
      <p class="actions">
        <a href={`/checks/${checkId}`}>
          <T text={WORDS.ownPage} />
        </a>
      </p>
    </>
  );
}

function Deployment(props: ReportProps) {
  return (
    <>
      <Head {...props} />
      <Facts {...props} />
      <p class="actions">
        <CheckNow url={props.deployment.url} label={CHECK_AGAIN} />
      </p>
      {props.deployment.score !== null && (
        <Section id="changed" title={WORDS.changed}>
          <Changes {...props} />
          <PreviousBuild {...props} />
        </Section>
      )}
      {props.deployment.kind !== "preview" && <Incidents {...props} />}
      <Report {...props} />
      <Id id={props.deployment.id} />
      <CopyStatus />
    </>
  );
}

export function deploymentRoutes(door: FastifyInstance, deps: Deps): void {
  door.get<{ Params: { id: string } }>("/deployments/:id", async (request, reply) => {
    const signedIn = getSignedIn(request);
    const { caller, language } = signedIn;
    const { id } = request.params;
    const deployment = await findDeploymentPage(deps.database.sql, caller, id, language);
    if (deployment === undefined) throw new AppError("route_not_found", {});
    const { checkId, evidence, beforeCheckId, beforeEvidence } = deployment;
    const [check, before] = await judgeStored(deps, signedIn, language, [
      { id: checkId, evidence },
      { id: beforeCheckId, evidence: checkId === beforeCheckId ? null : beforeEvidence },
    ]);
    const version = nameVersion(deployment) || deployment.environment;
    return sendPage(request, reply, {
      title: `${KINDS[deployment.kind][language]} ${version}, ${nameProject(deployment.projectName)}`,
      script: COPY_SCRIPT,
      children: <Deployment {...{ deployment, check, before }} />,
    });
  });
}
