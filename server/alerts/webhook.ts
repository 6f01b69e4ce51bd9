import { createHmac } from "node:crypto";
import type { ToldIncident, ToldSummary } from "../../shared/told.ts";
import type { Language } from "../language.ts";
import { oneLine } from "../syntax/one-line.ts";
import type { Message, Send, Target } from "./kinds.ts";
import { post } from "./post.ts";

/** A message stays under 20 KB, whatever a site says. */
const MAX_REASON_LENGTH = 1000;

const describeIncident = (incident: ToldIncident | null, language: Language) =>
  incident && {
    ...incident,
    reason: incident.reason && oneLine(incident.reason[language], MAX_REASON_LENGTH),
  };

const describeSummary = (summary: ToldSummary, language: Language) => ({
  ...summary,
  first: summary.first.map((each) => ({
    ...each,
    incident: describeIncident(each.incident, language),
  })),
});

/** The body of a message as a webhook gets it: the same bytes at every try. */
export function writeBody({ type, at, told }: Message, language: Language): string {
  const { project, incident, deployment, summary } = told;
  return JSON.stringify({
    type,
    timestamp: at.toISOString(),
    data: {
      project,
      incident: describeIncident(incident, language),
      deployment,
      ...(summary && { summary: describeSummary(summary, language) }),
    },
  });
}

const SECRET_START = "whsec_";

/** A signature of Standard Webhooks 1.0 by each secret, separated by spaces. */
function sign({ secrets }: Target, signed: string): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(SECRET_START.length), "base64");
      return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
    })
    .join(" ");
}

/** Sends a message as Standard Webhooks 1.0 has it. */
export const sendWebhook: Send = (deps, target, message, signal) => {
  const body = writeBody(message, target.language);
  const timestamp = String(Math.floor(message.triedAt.getTime() / 1000));
  const headers = {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": sign(target, `${message.id}.${timestamp}.${body}`),
  };
  return post(deps, { url: target.to, headers, body }, message.triedAt, signal);
};
