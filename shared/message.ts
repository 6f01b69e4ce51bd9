import type { Text } from "./language.ts";
import type { LastShip } from "./last-ship.ts";

export type MessageType =
  | "incident.opened"
  | "incident.reminder"
  | "incident.closed"
  | "ship.scored"
  | "summary"
  | "test";

/** The incident of a message, as it was when the message was written. Times are ISO. */
export interface MessageIncident {
  id: string;
  url: string;
  since: string;
  reason: Text | null;
  /** The locations that see the failure, sorted; null if the servers have no names. */
  locations: readonly string[] | null;
  closedAt: string | null;
}

/** The production deployment of a message, and what changed since the previous one. */
export interface MessageShip extends LastShip {
  previousScore: number | null;
  /** The ids of the findings that changed. */
  changed: readonly string[];
  /** The ids of all deployments that share its check, newest first, its own included. */
  ids: readonly string[];
}

/** The messages that an hourly limit held back: how many of each type, and as many of the first as fit. */
export interface MessageSummary {
  count: number;
  types: Readonly<Partial<Record<MessageType, number>>>;
  first: readonly Readonly<{
    type: MessageType;
    timestamp: string;
    incident: MessageIncident | null;
    deployment: MessageShip | null;
  }>[];
}

/** The content of a message, written once, when its event happens. */
export interface MessageData {
  project: { id: string; name: string; url: string };
  incident: MessageIncident | null;
  deployment: MessageShip | null;
  summary?: MessageSummary;
}
