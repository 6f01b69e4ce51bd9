import type { Text } from "./language.ts";
import type { LastShip } from "./last-ship.ts";

export type MessageType =
  | "incident.opened"
  | "incident.reminder"
  | "incident.closed"
  | "ship.scored"
  | "summary"
  | "test";

/** The incident that a message tells of, as it was then; times are ISO. */
export interface MessageIncident {
  id: string;
  url: string;
  since: string;
  reason: Text | null;
  /** From where it fails, sorted; null if no server named its location. */
  locations: readonly string[] | null;
  closedAt: string | null;
}

/** The ship that a message tells of: last-ship's fields, what changed since the ship before, and for which ships it stands. */
export interface MessageShip extends LastShip {
  previousScore: number | null;
  /** The ids of the findings that changed. */
  changed: readonly string[];
  /** The ids of all ships that one visit verified, newest first: its own is the first. */
  ids: readonly string[];
}

/** The messages that waited until an hour was over: how many of each type, and as many of the first as fit. */
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

/** The content of a message, written once, when it becomes true. */
export interface MessageData {
  project: { id: string; name: string; url: string };
  incident: MessageIncident | null;
  deployment: MessageShip | null;
  summary?: MessageSummary;
}
