import type { Budget, Room } from "../net/budget.ts";
import type { HttpClient } from "../net/fetch.ts";
import type { Guard } from "../net/guard.ts";
import type { Secrets } from "./privacy/secrets.ts";
import type { Burst } from "./burst.ts";

/** What all requests of one check share. */
export interface ProbeContext extends HttpClient {
  guard: Guard;
  budget: Budget;
  room: Room;
  secrets: Secrets;
  burst: Burst;
}
