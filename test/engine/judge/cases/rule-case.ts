import type { FindingStatus } from "../../../../shared/check.ts";
import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";

/** One edit of the good evidence, and the status that one rule then has. */
export type RuleCase = readonly [
  id: string,
  status: FindingStatus,
  why: string,
  edit: (evidence: Evidence) => void,
];
