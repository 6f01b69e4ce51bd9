import type { NewShip, SaidShip } from "../db/deployments/ships.ts";
import { findUrlOfHosts } from "../base/syntax/host-pattern.ts";
import { oneLine } from "../base/syntax/one-line.ts";
import { findUrl } from "../base/syntax/url.ts";
import type { ReportedDeployment } from "./deployments.ts";

export const MAX_LABEL_LENGTH = 200;
const MAX_ENVIRONMENT_LENGTH = 50;
/** The end of the year 9999. */
const LATEST_MS = 253_402_300_800_000;

/** A text as it is shown of a deployment; null for none. */
export const labelOf = (text: string | null) => (text && oneLine(text, MAX_LABEL_LENGTH)) || null;

/** An address that pages may link to, without a user name or a password; null for any other. */
export function linkOf(text: string | null): string | null {
  const url = text === null ? undefined : findUrl(text.trim());
  return url?.protocol === "https:" && url.username === "" && url.password === "" ? url.href : null;
}

/** Milliseconds since 1970; null for a time that is none, or beyond all years. */
export function readTime(time: Date | null): number | null {
  const ms = time?.getTime() ?? NaN;
  return ms > 0 && ms < LATEST_MS ? ms : null;
}

/** Whether a host tells of the same ship again. */
export const isSame = (said: SaidShip, last: SaidShip) =>
  said.providerId === null
    ? said.deployedMs === last.deployedMs && said.commit === last.commit && said.ref === last.ref
    : said.providerId === last.providerId;

export type Place = Pick<NewShip, "kind" | "url" | "environment">;

/** What a report is of: production, or a preview whose host the owner named; else why it counts for nothing. */
export function placeOf(
  { environment, url, place, failed }: ReportedDeployment,
  previewHosts: readonly string[],
): Place | { ignored: string } {
  if (failed !== null) return { ignored: failed };
  const name = oneLine(environment, MAX_ENVIRONMENT_LENGTH);
  if (name.toLowerCase() === "production")
    return { kind: "announced", url: null, environment: "production" };
  const found = name === "" ? undefined : findUrlOfHosts(url ?? "", previewHosts);
  if (found === undefined) return { ignored: place ?? `environment ${name}` };
  return { kind: "preview", url: found, environment: oneLine(environment, MAX_LABEL_LENGTH) };
}
