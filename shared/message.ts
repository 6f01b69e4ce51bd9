import type { Text } from "./language.ts";
import type { LastShip } from "./last-ship.ts";

export type MessageType =
  | "incident.opened"
  | "incident.reminder"
  | "incident.closed"
  | "ship.scored"
  | "summary"
  | "test";

/** The incident at the time when the message was written. Times are ISO 8601. */
export interface MessageIncident {
  id: string;
  url: string;
  since: string;
  reason: Text | null;
  /** Sorted; null if the servers have no names. */
  locations: readonly string[] | null;
  closedAt: string | null;
}

export interface MessageShip extends LastShip {
  previousScore: number | null;
  changed: readonly string[];
  /** The ids of all deployments that share the check, including this one, newest first. */
  ids: readonly string[];
}

/** The messages that an hourly limit held back; `first` has as many as fit. */
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

/** Written once, when its event happens. */
export interface MessageData {
  project: { id: string; name: string; url: string };
  incident: MessageIncident | null;
  deployment: MessageShip | null;
  summary?: MessageSummary;
}
