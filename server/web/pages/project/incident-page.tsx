import type { ComponentChildren } from "preact";
import type { Timings } from "../../../../shared/check.ts";
import { say, TIMINGS } from "../../../../shared/report/words.ts";
import { findKind } from "../../../alerts/kinds.ts";
import {
  MOST_HOURS,
  type IncidentPage as Incident,
  type SeenAt,
} from "../../../db/watching/incident-pages.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { Address, LinkedAddress } from "../../kit/address.tsx";
import { describeLength } from "../../kit/age.ts";
import { CHECK_AGAIN, CheckNow } from "../../kit/check-now.tsx";
import { CopyStatus, Id } from "../../kit/copy.tsx";
import { FactList, Section } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { Moment, Time } from "../../kit/time.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { Outcome } from "./alert-page.tsx";
import { MESSAGES } from "./alerts-words.ts";
import type { Filled } from "../../kit/forms.ts";
import { FollowUp } from "./incident-follow-up.tsx";
import { describePlaces, nameFailure, WORDS } from "./incident-words.ts";
import { DASH, ProjectName } from "./parts.tsx";
import { nameVersion } from "./ships.ts";
import { INCIDENT_STATES, State } from "./states.tsx";

export interface IncidentProps {
  incident: Incident;
  signedIn: SignedInRequest;
  /** What was typed into the form that was refused, by its field. */
  filled?: Filled;
  /** What was just done to it. */
  did?: ComponentChildren;
}

const LONGEST_REASON = 500;
const LONGEST_TARGET = 60;
const STEPS = ["dnsMs", "connectMs", "tlsMs", "firstByteMs"] as const satisfies (keyof Timings)[];

const headOf = (names: readonly (keyof typeof WORDS)[], { language }: SignedInRequest) =>
  names.map((name) => say(WORDS[name], language));

function Facts({ incident, signedIn }: IncidentProps) {
  const { language, now } = signedIn;
  const { url, since, closedAt, reason, openedBy, lastCheckedAt } = incident;
  const { projectId, projectName } = incident;
  const from = describePlaces(incident, language);
  return (
    <>
      <p class="lead">
        <State state={INCIDENT_STATES[closedAt === null ? "open" : "closed"]} language={language} />{" "}
        {describeLength(since, closedAt ?? now, language)}
      </p>
      <FactList
        facts={[
          [WORDS.url, <LinkedAddress url={url} />],
          [
            WORDS.project,
            <a href={`/projects/${projectId}`}>
              <ProjectName name={projectName} />
            </a>,
          ],
          [WORDS.reason, openedBy?.rule !== "reach.status" && oneLine(reason, LONGEST_REASON)],
          [WORDS.places, from],
          [WORDS.began, <Moment at={since} reader={signedIn} />],
          [
            WORDS.ended,
            closedAt === null ? (
              say(WORDS.going, language)
            ) : (
              <Moment at={closedAt} reader={signedIn} />
            ),
          ],
          [WORDS.checked, <Moment at={lastCheckedAt} reader={signedIn} />],
        ]}
        language={language}
      />
    </>
  );
}

function LooksSeen({ incident, signedIn }: IncidentProps) {
  const { language } = signedIn;
  const { openedBy, closedBy } = incident;
  const seen = [
    ["opened", openedBy],
    ["closedBy", closedBy],
  ] as const;
  const looks = seen.flatMap(([name, look]) => (look === null ? [] : [{ name, look }]));
  const timesOf = ({ timings }: SeenAt) =>
    STEPS.flatMap((step) => {
      const ms = timings[step];
      return ms === null ? [] : `${say(TIMINGS[step], language)} ${Math.round(ms)}\u00a0ms`;
    }).join(", ");
  return (
    <Section id="seen" title={say(WORDS.seen, language)}>
      {looks.length === 0 ? (
        <p>{say(WORDS.notKept, language)}</p>
      ) : (
        <Table
          labelledBy="seen"
          head={headOf(["check", "when", "answer", "address", "times"], signedIn)}
          rows={looks.map(({ name, look }) => ({
            key: name,
            cells: [
              say(WORDS[name], language),
              <Moment at={new Date(look.at)} reader={signedIn} />,
              look.status ?? look.failure ?? DASH,
              <span class="word">{look.address ?? DASH}</span>,
              timesOf(look) || DASH,
            ],
          }))}
        />
      )}
    </Section>
  );
}

function Hours({ incident: { hours, since, closedAt }, signedIn }: IncidentProps) {
  const { language, now } = signedIn;
  if (hours.length === 0) return null;
  const isCut = (closedAt ?? now).getTime() - since.getTime() > MOST_HOURS * 3_600_000;
  return (
    <Section id="hours" title={say(WORDS.hours, language)}>
      {isCut && <p>{say(WORDS.lastHours, language)}</p>}
      <Table
        labelledBy="hours"
        head={headOf(["hour", "looks", "failed", "firstByte"], signedIn)}
        figures={[1, 2, 3]}
        rows={hours.map(({ hour, looks, failed, firstByteMs }) => ({
          key: hour.toISOString(),
          cells: [
            <Moment at={hour} reader={signedIn} />,
            looks,
            failed,
            firstByteMs === null ? DASH : `${firstByteMs}\u00a0ms`,
          ],
        }))}
      />
    </Section>
  );
}

function ShipBefore({ incident, signedIn }: IncidentProps) {
  const { language, now } = signedIn;
  const { shipId, shipCommit, shipRef, shipDeployedAt, since } = incident;
  if (shipId === null || shipDeployedAt === null) return <p>{say(WORDS.noShip, language)}</p>;
  return (
    <p>
      <a href={`/deployments/${shipId}`}>
        {nameVersion({ commit: shipCommit, ref: shipRef }) || say(WORDS.production, language)}
      </a>
      , <Time at={shipDeployedAt} now={now} reader={signedIn} />,{" "}
      {describeLength(shipDeployedAt, since, language)} {say(WORDS.earlier, language)}
    </p>
  );
}

/** What came of a message, and when. */
function Told({ incident: { messages }, signedIn }: IncidentProps) {
  const { language } = signedIn;
  return (
    <Section id="told" title={say(WORDS.told, language)}>
      {messages.length === 0 ? (
        <p>{say(WORDS.nobody, language)}</p>
      ) : (
        <Table
          labelledBy="told"
          head={headOf(["message", "target", "when", "outcome"], signedIn)}
          rows={messages.map((message, place) => ({
            key: String(place),
            cells: [
              say(MESSAGES[message.type], language),
              [
                say(findKind(message.kind).name, language),
                oneLine(message.target ?? "", LONGEST_TARGET),
              ]
                .filter(Boolean)
                .join(" "),
              <Moment at={message.endedAt ?? message.createdAt} reader={signedIn} />,
              <Outcome delivery={message} language={language} />,
            ],
          }))}
        />
      )}
    </Section>
  );
}

/** What failed, for how long, what was seen of it, the deployment before it, and who was told. */
export function IncidentPage(props: IncidentProps) {
  const { incident, signedIn } = props;
  const { language } = signedIn;
  const { id, url } = incident;
  return (
    <>
      <h1>
        {nameFailure(incident, language)} · <Address url={url} within={url} />
      </h1>
      {props.did}
      <Facts {...props} />
      <p class="actions">
        <CheckNow url={url} label={CHECK_AGAIN} language={language} />
      </p>
      <FollowUp {...props} />
      <LooksSeen {...props} />
      <Hours {...props} />
      <Section id="ship" title={say(WORDS.ship, language)}>
        <ShipBefore {...props} />
      </Section>
      <Told {...props} />
      <Id id={id} language={language} />
      <CopyStatus />
    </>
  );
}
