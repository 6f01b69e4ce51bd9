import type { TargetHeaders } from "../../shared/check.ts";
import type { Budget } from "./budget.ts";
import type { Burst } from "./burst.ts";
import type { Guard } from "./guard.ts";
import type { Lanes } from "./lanes.ts";
import type { Secrets } from "./secrets.ts";
import type { SecureContexts } from "./tls.ts";

/** What all requests of one check share. */
export interface Session {
  guard: Guard;
  budget: Budget;
  lanes: Lanes;
  contexts: SecureContexts;
  userAgent: string;
  secrets: Secrets;
  burst: Burst;
  /** Sent to this origin alone, and only where the certificate leaves no doubt that it is it. */
  own: { origin: string; headers: TargetHeaders };
  /** Ends every request of the check. */
  signal: AbortSignal;
}
