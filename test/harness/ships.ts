import type { ReportedDeployment } from "../../server/projects/deployments.ts";

const NOTHING = { environment: "production", commit: null, ref: null };
const NO_DETAILS = {
  ...NOTHING,
  url: null,
  commitUrl: null,
  refUrl: null,
  deployedAt: null,
  providerId: null,
  repositories: [],
  failed: null,
};

/** A production deployment with no other data. */
export const shipOf = (projectId: string, url: string) => ({ projectId, url, ...NOTHING });

let events = 0;

/** The data of a deployment reported to an incoming webhook. Each is a new event, unless `details` contain the event's key. */
export const reportOf = (details: Partial<ReportedDeployment> = {}): ReportedDeployment => ({
  ...NO_DETAILS,
  eventKey: `event ${++events}`,
  ...details,
});
