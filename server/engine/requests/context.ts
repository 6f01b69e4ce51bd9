import type { Budget, Room } from "../net/budget.ts";
import { type HttpClient, isWorthRetry } from "../net/fetch.ts";
import type { Guard } from "../net/guard.ts";
import type { Secrets } from "./privacy/secrets.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "../evidence/exchange.ts";
import { LIMIT_STATUSES } from "../../base/syntax/http.ts";

export interface VisitContext extends HttpClient {
  guard: Guard;
  budget: Budget;
  room: Room;
  secrets: Secrets;
  burst: Burst;
}

const PAUSE_MS = 1000;

interface Burst {
  note(host: string, status: number): void;
  pause(signal: AbortSignal): Promise<void>;
}

export function openBurst(): Burst {
  const answering = new Set<string>();
  const limiting = new Set<string>();
  return {
    note(host, status) {
      if (status >= 200 && status < 300) answering.add(host);
      if (LIMIT_STATUSES.includes(status)) limiting.add(host);
    },
    async pause(signal) {
      if (![...limiting].some((host) => answering.has(host))) return;
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    },
  };
}

/** False if the server asks for a longer wait than the check has. */
export function isWorthRepeating(answer: Pick<Answer, "status" | "headers" | "failure">): boolean {
  if (!LIMIT_STATUSES.includes(answer.status)) return isWorthRetry(answer);
  const [, after = "0"] = answer.headers.find(([name]) => name === "retry-after") ?? [];
  return Number(after) * 1000 <= PAUSE_MS;
}
