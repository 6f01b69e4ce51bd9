import type { MessageIncident, MessageShip, MessageSummary } from "../../../shared/message.ts";
import type { Language } from "../../../shared/language.ts";
import { oneLine } from "../../base/syntax/text.ts";
import { signStandard } from "../../projects/hooks.ts";
import { type Kind, type Message, type Sender, type Target, post } from "../sender.ts";

/** Keeps a message under 20 kB, however long a site's text is. */
const MAX_REASON_LENGTH = 1000;

/** Restores the order of fields in the docs, since the database's jsonb reorders them. */
const describeShip = (ship: MessageShip | null) =>
  ship && {
    id: ship.id,
    url: ship.url,
    environment: ship.environment,
    commit: ship.commit,
    ref: ship.ref,
    deployedAt: ship.deployedAt,
    score: ship.score,
    verdict: ship.verdict,
    ruleset: ship.ruleset,
    checkId: ship.checkId,
    previousScore: ship.previousScore,
    changed: ship.changed,
    ids: ship.ids,
  };

const describeIncident = (incident: MessageIncident | null, language: Language) =>
  incident && {
    id: incident.id,
    url: incident.url,
    since: incident.since,
    reason: incident.reason && oneLine(incident.reason[language], MAX_REASON_LENGTH),
    locations: incident.locations,
    closedAt: incident.closedAt,
  };

const describeSummary = ({ count, types, first }: MessageSummary, language: Language) => ({
  count,
  types,
  first: first.map(({ type, timestamp, incident, deployment }) => ({
    type,
    timestamp,
    incident: describeIncident(incident, language),
    deployment: describeShip(deployment),
  })),
});

/** Must return the same bytes at every attempt. */
export function writeBody({ type, at, data }: Message, language: Language): string {
  const { project, incident, deployment, summary } = data;
  const { id, name, url } = project;
  return JSON.stringify({
    type,
    timestamp: at.toISOString(),
    data: {
      project: { id, name, url },
      incident: describeIncident(incident, language),
      deployment: describeShip(deployment),
      ...(summary && { summary: describeSummary(summary, language) }),
    },
  });
}

const SECRET_START = "whsec_";

const sign = ({ secrets }: Target, signed: Parameters<typeof signStandard>[1]): string =>
  secrets
    .map((secret) => Buffer.from(secret.slice(SECRET_START.length), "base64"))
    .map((key) => signStandard(key, signed))
    .join(" ");

/** Standard Webhooks 1.0. */
const send: Sender = (deps, target, message, signal) => {
  const body = writeBody(message, target.language);
  const { id, triedAt } = message;
  const seconds = String(Math.floor(triedAt.getTime() / 1000));
  const headers = {
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": sign(target, { id, seconds, body }),
  };
  return post(deps, { url: target.to, headers, body }, triedAt, signal);
};

export const webhook: Kind = {
  name: { fr: "Webhook", en: "Webhook" },
  field: {
    fr: "URL qui reçoit les messages en JSON",
    en: "URL that receives the messages as JSON",
  },
  send,
};
