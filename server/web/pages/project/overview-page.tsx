import type { FastifyInstance } from "fastify";
import { isSingular } from "../../../../shared/report/words.ts";
import { T, useReader, useSay } from "../../kit/reader.tsx";
import {
  type ListedProject,
  listProjectsOfPage,
  MAX_INCIDENTS,
} from "../../../db/projects/overview.ts";
import { getFound } from "../../../db/accounts/callers.ts";
import { listOffers, type Offer } from "../../../db/projects/invitations.ts";
import type { StoreDeps } from "../../../deps.ts";
import type { Text } from "../../../../shared/language.ts";
import { Address } from "../../kit/address.tsx";
import { parameterOf } from "../../kit/request-parameters.ts";
import { Sparkline } from "../../kit/chart.tsx";
import { Empty, Pager, Table } from "../../kit/layout.tsx";
import { Time } from "../../kit/time.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { Offers } from "./invitations.tsx";
import { DASH, ProjectLink, ProjectStateMark } from "./state-badges.tsx";

const WORDS = {
  title: { fr: "Projets", en: "Projects" },
  create: { fr: "Nouveau projet", en: "New project" },
  project: { fr: "Projet", en: "Project" },
  state: { fr: "État", en: "State" },
  score: { fr: "Score", en: "Score" },
  lastProbe: { fr: "Dernier contrôle", en: "Last probe" },
  shared: { fr: "partagé avec vous", en: "shared with you" },
  failing: { fr: "URL en échec", en: "failing URL" },
  failingMany: { fr: "URL en échec", en: "failing URLs" },
  ships: { fr: "Scores des derniers déploiements :", en: "Scores of the latest deployments:" },
  empty: {
    fr: "Vous n'avez pas encore de projet. Un projet correspond à un site que ce serveur surveille : chaque déploiement reçoit un score, et les URL en échec sont signalées.",
    en: "You have no project yet. A project is a site that this server watches: each deployment gets a score, and failing URLs are reported.",
  },
} as const satisfies Record<string, Text>;

function FailingCount({ count }: { count: number }) {
  const { language, say } = useReader();
  if (count === 0) return null;
  const figure = count < MAX_INCIDENTS ? count : `${MAX_INCIDENTS}+`;
  return (
    <div class="soft">
      {`${figure} ${say(isSingular(count, language) ? WORDS.failing : WORDS.failingMany)}`}
    </div>
  );
}

function Projects({ projects }: { projects: readonly ListedProject[] }) {
  const say = useSay();
  return (
    <Table
      label={WORDS.title}
      head={[WORDS.project, WORDS.state, WORDS.score, WORDS.lastProbe]}
      figures={[2]}
      rows={projects.map((project) => {
        const { id, name, url, role, score, scores, lastCheckedAt } = project;
        return {
          key: id,
          cells: [
            <>
              <ProjectLink id={id} name={name} />
              <div class="soft">
                <Address url={url} />
                {role === "member" && ` · ${say(WORDS.shared)}`}
              </div>
            </>,
            <>
              <ProjectStateMark project={project} />
              <FailingCount count={project.openIncidents} />
            </>,
            <>
              {score ?? DASH}
              {scores.length > 0 && (
                <Sparkline
                  values={scores}
                  description={`${say(WORDS.ships)} ${scores.join(", ")}`}
                />
              )}
            </>,
            lastCheckedAt ? <Time at={lastCheckedAt} /> : DASH,
          ],
        };
      })}
    />
  );
}

function Create() {
  return (
    <p class="actions">
      <a class="button" href="/projects/new">
        {useSay()(WORDS.create)}
      </a>
    </p>
  );
}

interface ListPageProps {
  found: Awaited<ReturnType<typeof listProjectsOfPage>>;
  offers: readonly Offer[];
  after: string;
}

function ListPage({ found: { projects, next }, offers, after }: ListPageProps) {
  return (
    <>
      <h1>
        <T text={WORDS.title} />
      </h1>
      <Offers offers={offers} />
      {projects.length === 0 && after === "" ? (
        <Empty>
          <p>
            <T text={WORDS.empty} />
          </p>
          <Create />
        </Empty>
      ) : (
        <>
          <Create />
          <Projects projects={projects} />
          <Pager
            first={after === "" ? undefined : "/projects"}
            next={next && `/projects?after=${next}`}
          />
        </>
      )}
    </>
  );
}

export function projectListRoutes(door: FastifyInstance, { database }: StoreDeps): void {
  door.get("/projects", async (request, reply) => {
    const { caller } = getSignedIn(request);
    const after = parameterOf(request, "after") ?? "";
    const found = await listProjectsOfPage(database.sql, caller, after);
    const offers = await listOffers(database.sql, caller);
    const children = <ListPage found={found} offers={getFound(offers)} after={after} />;
    return sendPage(request, reply, { title: WORDS.title, children });
  });
}
