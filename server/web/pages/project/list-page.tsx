import type { FastifyInstance } from "fastify";
import type { ComponentChildren } from "preact";
import { say } from "../../../../shared/report/words.ts";
import type { ListedProject } from "../../../db/projects/project-list.ts";
import { listProjectsOfPage, MOST_INCIDENTS } from "../../../db/projects/project-list.ts";
import { getFound } from "../../../db/accounts/callers.ts";
import { listOffers } from "../../../db/projects/invitations.ts";
import type { Deps } from "../../../deps.ts";
import type { Text } from "../../../base/language.ts";
import { Address } from "../../kit/address.tsx";
import { parameterOf } from "../../kit/asked.ts";
import { Sparkline } from "../../kit/chart.tsx";
import { Empty, Pager } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn, type SignedInRequest } from "../../kit/session/signed-in.ts";
import { Offers } from "./invitations-section.tsx";
import { DASH, ProjectName } from "./parts.tsx";
import { ProjectStateMark } from "./states.tsx";

const WORDS = {
  title: { fr: "Projets", en: "Projects" },
  create: { fr: "Nouveau projet", en: "New project" },
  project: { fr: "Projet", en: "Project" },
  state: { fr: "État", en: "State" },
  score: { fr: "Score", en: "Score" },
  lastCheck: { fr: "Dernière vérification", en: "Last checked" },
  shared: { fr: "partagé avec vous", en: "shared with you" },
  failing: { fr: "URL en échec", en: "failing URL" },
  failingMany: { fr: "URL en échec", en: "failing URLs" },
  ships: { fr: "Scores des derniers déploiements :", en: "Scores of the latest deployments:" },
  empty: {
    fr: "Vous n'avez pas encore de projet. Un projet est un site que ce serveur surveille : il note ses déploiements et dit quand une de ses URL est en échec.",
    en: "You have no project yet. A project is a site that this server watches: it scores its deployments and says when one of its URLs is failing.",
  },
} as const satisfies Record<string, Text>;

interface RowProps {
  project: ListedProject;
  signedIn: SignedInRequest;
}

function FailingCount({ project: { openIncidents: count }, signedIn: { language } }: RowProps) {
  if (count === 0) return null;
  const figure = count < MOST_INCIDENTS ? count : `${MOST_INCIDENTS}+`;
  const words = count === 1 ? WORDS.failing : WORDS.failingMany;
  return <div class="soft">{`${figure} ${say(words, language)}`}</div>;
}

function cellsOf({ project, signedIn }: RowProps): readonly ComponentChildren[] {
  const { language } = signedIn;
  const { id, name, url, role, score, scores, lastCheckedAt } = project;
  return [
    <>
      <a href={`/projects/${id}`}>
        <ProjectName name={name} />
      </a>
      <div class="soft">
        <Address url={url} />
        {role === "member" && ` · ${say(WORDS.shared, language)}`}
      </div>
    </>,
    <>
      <ProjectStateMark project={project} language={language} />
      <FailingCount project={project} signedIn={signedIn} />
    </>,
    <>
      {score ?? DASH}
      {scores.length > 0 && (
        <Sparkline
          values={scores}
          description={`${say(WORDS.ships, language)} ${scores.join(", ")}`}
        />
      )}
    </>,
    lastCheckedAt ? <Time at={lastCheckedAt} now={signedIn.now} reader={signedIn} /> : DASH,
  ];
}

function Projects({
  projects,
  signedIn,
}: {
  projects: readonly ListedProject[];
  signedIn: SignedInRequest;
}) {
  const head = [WORDS.project, WORDS.state, WORDS.score, WORDS.lastCheck];
  return (
    <Table
      label={say(WORDS.title, signedIn.language)}
      head={head.map((text) => say(text, signedIn.language))}
      figures={[2]}
      rows={projects.map((project) => ({ key: project.id, cells: cellsOf({ project, signedIn }) }))}
    />
  );
}

function NoProjects({ signedIn: { language } }: { signedIn: SignedInRequest }) {
  return (
    <Empty>
      <p>{say(WORDS.empty, language)}</p>
      <Create language={language} />
    </Empty>
  );
}

function Create({ language }: Pick<SignedInRequest, "language">) {
  return (
    <p class="actions">
      <a class="button" href="/projects/new">
        {say(WORDS.create, language)}
      </a>
    </p>
  );
}

/** The list of the projects of whoever is signed in. */
export function projectListRoutes(door: FastifyInstance, { database }: Deps): void {
  door.get("/projects", async (request, reply) => {
    const signedIn = getSignedIn(request);
    const { language } = signedIn;
    const after = parameterOf(request, "after") ?? "";
    const [{ projects, next }, offers] = await Promise.all([
      listProjectsOfPage(database.sql, signedIn.caller, after),
      listOffers(database.sql, signedIn.caller),
    ]);
    const list = (
      <>
        <Create language={language} />
        <Projects projects={projects} signedIn={signedIn} />
        <Pager
          first={after === "" ? undefined : "/projects"}
          next={next && `/projects?after=${next}`}
          language={language}
        />
      </>
    );
    return sendPage(request, reply, {
      title: say(WORDS.title, language),
      children: (
        <>
          <h1>{say(WORDS.title, language)}</h1>
          <Offers offers={getFound(offers)} signedIn={signedIn} />
          {projects.length === 0 && after === "" ? <NoProjects signedIn={signedIn} /> : list}
        </>
      ),
    });
  });
}
