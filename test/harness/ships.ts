import type { ReportedDeployment } from "../../server/projects/deployments.ts";

const NOTHING = { environment: "production", commit: null, ref: null };
const UNSAID = {
  ...NOTHING,
  url: null,
  commitUrl: null,
  refUrl: null,
  deployedAt: null,
  providerId: null,
  repositories: [],
  failed: null,
};

/** A deployment to production of which no more is said. */
export const shipOf = (projectId: string, url: string) => ({ projectId, url, ...NOTHING });

let events = 0;

/** What a hook is told of a ship: an event of its own, unless its key is given. */
export const reportOf = (said: Partial<ReportedDeployment> = {}): ReportedDeployment => ({
  ...UNSAID,
  eventKey: `event ${++events}`,
  ...said,
});
