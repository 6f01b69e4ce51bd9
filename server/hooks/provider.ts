import { oneLine } from "../base/syntax/one-line.ts";
import type { ReportedDeployment } from "../projects/deployments.ts";
import type { SignatureFault, Headers, Secret, Sent } from "./signature.ts";

/** What an event tells of a deployment, or why it counts for nothing. */
export type Reading =
  | (Omit<ReportedDeployment, "eventKey" | Answered> & Partial<Pick<ReportedDeployment, Answered>>)
  | { ignored: string };

/** What only providers say whose hooks can answer. */
type Answered = "repositories" | "failed";

/** How one host of deployments signs what it sends, and what it says. */
export interface Provider {
  findFault(sent: Sent, secret: Secret): SignatureFault | undefined;
  /** The event's name, as the provider writes it. */
  nameEvent(headers: Headers, payload: unknown): string | undefined;
  /** The delivery's own id; undefined where the provider sends none. */
  findDeliveryId(headers: Headers, payload: unknown): string | undefined;
  /** What an event of this name says; `payload` is any JSON. */
  read(event: string, payload: unknown): Reading;
}

/** A ref such as `feature/tea` as part of a path. */
export const encodePath = (ref: string): string =>
  encodeURIComponent(oneLine(ref, 1000)).replaceAll("%2F", "/");

/** The reading of an event that counts, but lacks a field that is needed. */
export const INCOMPLETE: Reading = { ignored: "incomplete" };
