import type { Timings } from "../../../../shared/check.ts";
import { T, useReader, useSay } from "../../kit/reader.tsx";
import { TIMINGS } from "../../../../shared/report/words.ts";
import { findKind } from "../../../alerts/kinds.ts";
import { MAX_HOURS, type IncidentPage as Incident } from "../../../db/watching/incident-pages.ts";
import type { SeenAt } from "../../../engine/judge/incident-rules.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { Address, LinkedAddress } from "../../kit/address.tsx";
import { describeLength, describeMilliseconds, Moment, Time } from "../../kit/time.tsx";
import { CHECK_AGAIN, CheckNow } from "../../kit/check-now.tsx";
import { CopyStatus, Id } from "../../kit/components.tsx";
import { FactList, Section, Table } from "../../kit/layout.tsx";
import { Outcome } from "./alert-page.tsx";
import { MESSAGES } from "./alerts-words.ts";
import { FollowUp } from "./incident-follow-up.tsx";
import { describeLocations, nameFailure, WORDS } from "./incident-words.ts";
import { DASH, ProjectLink, INCIDENT_STATES, State } from "./state-badges.tsx";
import { nameVersion } from "./deployment-figures.ts";

export interface IncidentProps {
  incident: Incident;
}

const LONGEST_REASON = 500;
const LONGEST_TARGET = 60;
const STEPS = ["dnsMs", "connectMs", "tlsMs", "firstByteMs"] as const satisfies (keyof Timings)[];

const headOf = (...names: (keyof typeof WORDS)[]) => names.map((name) => WORDS[name]);

function Facts({ incident }: IncidentProps) {
  const say = useSay();
  const { language, now } = useReader();
  const { url, since, closedAt, reason, openedBy, lastCheckedAt } = incident;
  const { projectId, projectName } = incident;
  const from = describeLocations(incident, language);
  return (
    <>
      <p class="lead">
        <State state={INCIDENT_STATES[closedAt === null ? "open" : "closed"]} />{" "}
        {describeLength(since, closedAt ?? now, language)}
      </p>
      <FactList
        facts={[
          [WORDS.url, <LinkedAddress url={url} />],
          [WORDS.project, <ProjectLink id={projectId} name={projectName} />],
          [WORDS.reason, openedBy?.rule !== "reach.status" && oneLine(reason, LONGEST_REASON)],
          [WORDS.locations, from],
          [WORDS.began, <Moment at={since} />],
          [WORDS.ended, closedAt === null ? say(WORDS.open) : <Moment at={closedAt} />],
          [WORDS.probed, <Moment at={lastCheckedAt} />],
        ]}
      />
    </>
  );
}

function ProbeResults({ incident }: IncidentProps) {
  const say = useSay();
  const { language } = useReader();
  const { openedBy, closedBy } = incident;
  const named = [
    ["opened", openedBy],
    ["closedBy", closedBy],
  ] as const;
  const probes = named.flatMap(([name, probe]) => (probe === null ? [] : [{ name, probe }]));
  const timesOf = ({ timings }: SeenAt) =>
    STEPS.flatMap((step) => {
      const ms = timings[step];
      return ms === null ? [] : `${say(TIMINGS[step])} ${describeMilliseconds(ms, language)}`;
    }).join(", ");
  return (
    <Section id="seen" title={WORDS.probes}>
      <Table
        head={headOf("probe", "when", "answer", "address", "times")}
        rows={probes.map(({ name, probe }) => ({
          key: name,
          cells: [
            <T text={WORDS[name]} />,
            <Moment at={new Date(probe.at)} />,
            probe.status ?? (nameFailure({ openedBy: probe, reason: "" }, language) || DASH),
            <span class="word">{probe.address ?? DASH}</span>,
            timesOf(probe) || DASH,
          ],
        }))}
        empty={WORDS.notKept}
      />
    </Section>
  );
}

function Hours({ incident: { hours, since, closedAt } }: IncidentProps) {
  const { language, now } = useReader();
  if (hours.length === 0) return null;
  const isCut = (closedAt ?? now).getTime() - since.getTime() > MAX_HOURS * 3_600_000;
  return (
    <Section id="hours" title={WORDS.hours}>
      {isCut && (
        <p>
          <T text={WORDS.lastHours} />
        </p>
      )}
      <Table
        head={headOf("hour", "looks", "failed", "firstByte")}
        figures={[1, 2, 3]}
        rows={hours.map(({ hour, looks, failed, firstByteMs }) => ({
          key: hour.toISOString(),
          cells: [
            <Moment at={hour} />,
            looks,
            failed,
            firstByteMs === null ? DASH : describeMilliseconds(firstByteMs, language),
          ],
        }))}
      />
    </Section>
  );
}

function ShipBefore({ incident }: IncidentProps) {
  const say = useSay();
  const { language } = useReader();
  const { shipId, shipCommit, shipRef, shipDeployedAt, since } = incident;
  if (shipId === null || shipDeployedAt === null)
    return (
      <p>
        <T text={WORDS.noShip} />
      </p>
    );
  return (
    <p>
      <a href={`/deployments/${shipId}`}>
        {nameVersion({ commit: shipCommit, ref: shipRef }) || say(WORDS.production)}
      </a>
      , <Time at={shipDeployedAt} />, {describeLength(shipDeployedAt, since, language)}{" "}
      <T text={WORDS.earlier} />
    </p>
  );
}

function NotifiedRecipients({ incident: { messages } }: IncidentProps) {
  const say = useSay();
  return (
    <Section id="told" title={WORDS.notified}>
      <Table
        head={headOf("message", "target", "when", "outcome")}
        rows={messages.map((message, position) => ({
          key: String(position),
          cells: [
            <T text={MESSAGES[message.type]} />,
            [say(findKind(message.kind).name), oneLine(message.target ?? "", LONGEST_TARGET)]
              .filter(Boolean)
              .join(" "),
            <Moment at={message.endedAt ?? message.createdAt} />,
            <Outcome delivery={message} />,
          ],
        }))}
        empty={WORDS.nobody}
      />
    </Section>
  );
}

export function IncidentPage(props: IncidentProps) {
  const { incident } = props;
  const { language } = useReader();
  return (
    <>
      <h1>
        {nameFailure(incident, language)} · <Address url={incident.url} within={incident.url} />
      </h1>
      <Facts {...props} />
      <p class="actions">
        <CheckNow url={incident.url} label={CHECK_AGAIN} />
      </p>
      <FollowUp {...props} />
      <ProbeResults {...props} />
      <Hours {...props} />
      <Section id="ship" title={WORDS.ship}>
        <ShipBefore {...props} />
      </Section>
      <NotifiedRecipients {...props} />
      <Id id={incident.id} />
      <CopyStatus />
    </>
  );
}
