import type { MessageType, MessageData } from "../../shared/message.ts";
import type { Deps } from "../deps.ts";
import type { Language, Text } from "../base/language.ts";
import type { DeliveryError } from "./delivery-errors.ts";

/** Whom a message is sent to, with its secrets open. */
export interface Target {
  alertId: string;
  projectId: string;
  /** The URL, or the e-mail address. */
  to: string;
  /** A webhook's, the newest first: two while it is being rotated. Other kinds have none. */
  secrets: readonly string[];
  language: Language;
  /** Of an e-mail: the unlisted id under which it ends; null for other kinds. */
  recipientId: string | null;
}

/** What is sent: the same at every try, but for `triedAt`. */
export interface Message {
  id: string;
  type: MessageType;
  at: Date;
  /** When this try began, by the database's clock. */
  triedAt: Date;
  /** Counts this one. */
  attempts: number;
  data: MessageData;
}

/** What came of one try, and what becomes of an alert that is not tried again: `ended` if there will never be anybody. */
export type Sent =
  | { ok: true }
  | {
      ok: false;
      error: DeliveryError;
      retryAfterSeconds?: number;
      state?: "ended" | "waiting";
    };

/** Sends a message once, within `signal`. Rejects only for faults of this server, which count as a failed try. */
export type Send = (
  deps: Deps,
  target: Target,
  message: Message,
  signal: AbortSignal,
) => Promise<Sent>;

export interface Kind {
  readonly name: Text;
  readonly send: Send;
}
