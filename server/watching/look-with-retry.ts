import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../db/id.ts";
import type { UrlCheck } from "../db/checks/scores.ts";
import { isAppError } from "../base/errors.ts";
import type { Deps } from "../deps.ts";
import { type Look, NO_LOOK } from "../engine/judge/look-outcome.ts";
import { LATE } from "../engine/evidence/exchange.ts";
import { lookOnce, type Looking } from "../checks/look-once.ts";
import { verify } from "../checks/verify.ts";
import {
  FIRST_TRY_MS,
  LOOK_MS,
  PERMIT_WAIT_MS,
  SECOND_TRY_MS,
  VERIFIED_LOOK_MS,
} from "./look-times.ts";

const ANY_TIME = { endsBy: Infinity, onAsking: () => {} };

/** After `endsBy` (`Date.now()`), a probe sends no request. `onAsking` is called before each request. */
export interface Asking {
  endsBy: number;
  onAsking: () => void;
}

/** Ends within `LOOK_MS`. Never rejects: a fault of our own is an inconclusive probe. */
export async function lookAt(
  deps: Looking,
  url: string,
  { endsBy, onAsking }: Asking = ANY_TIME,
): Promise<Look> {
  const lateAt = performance.now() + LOOK_MS;
  const order = { lookAt: url, endsBy };
  const first = await lookOnce(deps, { ...order, known: [], maxMs: FIRST_TRY_MS }, onAsking);
  const { outcome, isOwnFault } = first.look;
  if ((outcome !== "failed" && !isOwnFault) || isFinal(first.look)) return first.look;
  await pause(deps);
  const maxMs = lateAt - performance.now();
  const { look } = await lookOnce(deps, { ...order, known: first.known, maxMs });
  return isOwnFault && look.outcome === "failed" ? NO_LOOK : look;
}

/** `check` is null if this server could not verify. */
export interface VerifiedLook {
  look: Look;
  check: UrlCheck | null;
}

/** Falls back to a plain probe if no permit is free. Ends within `VERIFIED_LOOK_MS`. Never rejects. */
export async function verifyAt(
  deps: Deps,
  url: string,
  { endsBy, onAsking }: Asking,
): Promise<VerifiedLook> {
  const lateAt = performance.now() + VERIFIED_LOOK_MS;
  // Called early: the verification may wait for its own, scarcer permit before its first request.
  onAsking();
  try {
    const first = await visitUrl(deps, url);
    if (first.look.outcome !== "failed" || isFinal(first.look)) return first;
    await pause(deps);
    const maxMs = lateAt - performance.now();
    const { look } = await lookOnce(deps, { lookAt: url, known: [], maxMs, endsBy });
    return look.outcome === "failed" ? first : { look, check: null };
  } catch (error) {
    if (isAppError(error, "busy"))
      return { look: await lookAt(deps, url, { endsBy, onAsking }), check: null };
    if (!deps.stopping.aborted) deps.log.warn({ err: error }, "look not finished");
    return { look: NO_LOOK, check: null };
  }
}

/** Without a second attempt after a late page, no probe takes much longer than the page may. */
const isFinal = (look: Look): boolean => look.seen?.failure === LATE || isToWait(look);

const isToWait = ({ retryAfterSeconds }: Look) => (retryAfterSeconds ?? 0) * 1000 > SECOND_TRY_MS;

async function visitUrl(deps: Deps, url: string): Promise<VerifiedLook> {
  const visit = await deps.probe.vet(url, deps.stopping);
  try {
    const request = { url, preview: false, headers: {} };
    const id = newId("chk");
    const order = { request, id, language: "fr" } as const;
    const deadline = performance.now() + PERMIT_WAIT_MS;
    const verified = await verify(deps, "cycle", visit, order, { deadline });
    const { look, check } = verified;
    return {
      look,
      check: look.isOwnFault ? null : { ...check, id, host: visit.host },
    };
  } finally {
    visit.close();
  }
}

async function pause({ stopping }: Looking): Promise<void> {
  await sleep(SECOND_TRY_MS, undefined, { signal: stopping }).catch(() => undefined);
}
