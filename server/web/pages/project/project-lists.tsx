import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../deps.ts";
import type { DeploymentRow, ProjectLists, UrlRow } from "../../../db/projects/project-lists.ts";
import { findProjectList } from "../../../db/projects/project-lists.ts";
import { AppError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { describeLength, Moment } from "../../kit/time.tsx";
import { Gain } from "../../kit/comparison.tsx";
import {
  urlColumn,
  fileColumn,
  scoreColumn,
  pageColumn,
  timeColumn,
  verdictColumn,
  keepReadPermit,
  sendList,
  readListQuery,
  type ListDeclaration,
} from "../../kit/session/paged-list.tsx";
import { T, useReader, useSay } from "../../kit/reader.tsx";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { describeDeliveryError } from "../../../alerts/sender.ts";
import { DELIVERY_STATES, MESSAGES, stateOfDelivery } from "./alerts-words.ts";
import { describeOutcome } from "./hooks-words.ts";
import { OUTCOME_STATES } from "./hooks-section.tsx";
import { nameFailure, WORDS as INCIDENTS } from "./incident-words.ts";
import { LIST_COLUMNS as COLUMNS, OPEN_OR_CLOSED, LIST_PAGES, WORDS } from "./project-words.ts";
import { DeploymentLink } from "./project-tables.tsx";
import {
  DASH,
  titleOf,
  ProjectLink,
  State,
  UrlStateMark,
  URL_STATES,
  type StateWords,
} from "./state-badges.tsx";
import { ProjectTabs } from "./project-tabs.tsx";

const LONGEST_TEXT = 120;

const state = <Name extends string>(states: Readonly<Record<Name, StateWords>>) => ({
  ...pageColumn("state", WORDS.state, (row: { state: Name }) => (
    <State state={states[row.state]} />
  )),
  sort: "state",
});

const wordsOf = <Name extends string>(states: Readonly<Record<Name, StateWords>>) =>
  Object.fromEntries(Object.entries<StateWords>(states).map(([name, { words }]) => [name, words]));

interface IncidentProps {
  incident: ProjectLists["incidents"];
}

const Failure = ({ incident }: IncidentProps) => <>{nameFailure(incident, useReader().language)}</>;

function Duration({ incident: { since, closedAt } }: IncidentProps) {
  const { language, now } = useReader();
  return <>{describeLength(since, closedAt ?? now, language)}</>;
}

function OutcomeReason({ outcome }: { outcome: string }) {
  const say = useSay();
  const { why } = describeOutcome(outcome);
  return <>{why && oneLine(say(why), LONGEST_TEXT)}</>;
}

const declareDeployments = (name: string, within?: string): ListDeclaration<DeploymentRow> => ({
  name,
  hasVerdicts: true,
  order: "-at",
  columns: [
    fileColumn("id"),
    pageColumn("ref", WORDS.what, (row) => <DeploymentLink deployment={row} />),
    fileColumn("commit"),
    fileColumn("environment"),
    urlColumn(undefined, within),
    {
      ...verdictColumn,
      show: (row) =>
        row.verdict === null ? (
          <T text={WORDS[row.isQueued ? "queued" : "unverified"]} />
        ) : (
          verdictColumn.show(row)
        ),
    },
    scoreColumn,
    {
      ...pageColumn("previousScore", WORDS.change, ({ score: now, previousScore: before }) =>
        now === null || before === null ? DASH : <Gain points={now - before} />,
      ),
      isFigure: true,
    },
    fileColumn("checkId"),
    timeColumn("deployedAt", WORDS.when, "at"),
  ],
});

export const urlsOf = (projectId: string, within?: string): ListDeclaration<UrlRow> => ({
  name: "urls",
  states: wordsOf({
    up: URL_STATES.up,
    failing: URL_STATES.failing,
    unknown: URL_STATES.unknown,
    paused: URL_STATES.paused,
  }),
  hasVerdicts: true,
  order: "state",
  columns: [
    fileColumn("id"),
    urlColumn((id) => `/projects/${projectId}/urls/${id}`, within),
    { ...pageColumn("state", WORDS.state, (row) => <UrlStateMark url={row} />), sort: "state" },
    scoreColumn,
    verdictColumn,
    fileColumn("checkId"),
    timeColumn("lastCheckedAt", WORDS.probed, "at"),
  ],
});

/** `within`: the project's URL, once it is known. */
const LISTS: {
  [Name in keyof ProjectLists]: (
    projectId: string,
    within?: string,
  ) => ListDeclaration<ProjectLists[Name]>;
} = {
  urls: urlsOf,
  deployments: (_, within) => declareDeployments("deployments", within),
  previews: () => declareDeployments("previews"),
  incidents: (_, within) => ({
    name: "incidents",
    states: wordsOf(OPEN_OR_CLOSED),
    order: "state",
    columns: [
      fileColumn("id"),
      urlColumn((id) => `/incidents/${id}`, within),
      state(OPEN_OR_CLOSED),
      pageColumn("reason", INCIDENTS.what, (incident) => <Failure incident={incident} />),
      {
        ...timeColumn("since", INCIDENTS.began, "at"),
        show: ({ since }) => <Moment at={since} />,
      },
      {
        ...timeColumn("closedAt", INCIDENTS.lasted),
        show: (incident) => <Duration incident={incident} />,
      },
      fileColumn("deploymentId"),
    ],
  }),
  received: () => ({
    name: "received",
    states: wordsOf(OUTCOME_STATES),
    order: "-at",
    columns: [
      fileColumn("id"),
      pageColumn("event", COLUMNS.event, ({ event }) => oneLine(event, LONGEST_TEXT)),
      state(OUTCOME_STATES),
      pageColumn("outcome", COLUMNS.outcome, ({ outcome }) => <OutcomeReason outcome={outcome} />),
      timeColumn("at", WORDS.when, "at"),
    ],
  }),
  messages: () => ({
    name: "messages",
    states: wordsOf(DELIVERY_STATES),
    order: "-at",
    columns: [
      fileColumn("id"),
      pageColumn("type", COLUMNS.message, ({ type }) => <T text={MESSAGES[type]} />),
      {
        ...pageColumn("state", WORDS.state, (row) => <State state={stateOfDelivery(row)} />),
        sort: "state",
      },
      fileColumn("attempts"),
      pageColumn("error", COLUMNS.outcome, ({ error }) => (
        <T text={error && describeDeliveryError(error)} />
      )),
      timeColumn("at", WORDS.when, "at"),
    ],
  }),
};

type ListPath = { Params: { id: string; of?: string } };

function addList<Name extends keyof ProjectLists>(
  door: FastifyInstance,
  deps: Deps,
  name: Name,
  path: string,
  declare: (typeof LISTS)[Name],
): void {
  door.get<ListPath>(`/projects/:id/${path}`, async (request, reply) => {
    const { caller, language } = getSignedIn(request);
    const { id, of } = request.params;
    const wanted = readListQuery(request, declare(id));
    const list = { id, name, language, ...(of !== undefined && { of }) };
    const read = () => findProjectList(deps.database.sql, caller, list, wanted);
    keepReadPermit(request, reply, wanted);
    const found = await read();
    if (found === undefined) throw new AppError("project_not_found", { projectId: id });
    const { title, empty } = LIST_PAGES[name];
    return sendList(request, reply, declare(id, found.url), {
      wanted,
      part: found.part,
      title: titleOf(title, found.name),
      heading: title,
      lead: (
        <>
          <p>
            <ProjectLink id={found.id} name={found.name} />
          </p>
          <ProjectTabs projectId={found.id} current={name} />
        </>
      ),
      empty: (
        <p>
          <T text={empty} />
        </p>
      ),
    });
  });
}

export function projectListsRoutes(door: FastifyInstance, deps: Deps): void {
  addList(door, deps, "urls", "urls", LISTS.urls);
  addList(door, deps, "deployments", "deployments", LISTS.deployments);
  addList(door, deps, "previews", "previews", LISTS.previews);
  addList(door, deps, "incidents", "incidents", LISTS.incidents);
  addList(door, deps, "received", "hooks/:of/deliveries", LISTS.received);
  addList(door, deps, "messages", "alerts/:of/deliveries", LISTS.messages);
}
