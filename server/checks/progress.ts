import { setMaxListeners } from "node:events";
import { recordStep } from "../db/checks/checks.ts";
import type { Deps } from "../deps.ts";
import { redactUrl } from "../engine/requests/privacy/redact.ts";
import type { CheckStep } from "../engine/visit/visits.ts";

const POLL_MS = 1000;

/** `onBegun` is called after each step. */
export function recordSteps(
  { database, log, news, work }: Pick<Deps, "database" | "log" | "news" | "work">,
  { id, url }: { id: string; url: string },
  onBegun: (id: string) => void,
): (step: CheckStep) => void {
  const keep = async (step: CheckStep) => {
    await recordStep(database.sql, id, step, redactUrl(url));
    news.emit("changed", id);
    onBegun(id);
  };
  let kept = Promise.resolve();
  return (step) => {
    kept = kept
      .then(() => keep(step))
      .catch((error: unknown) => log.warn({ err: error, checkId: id }, "step not kept"));
    void work.add(kept);
  };
}

const isEnded = (found: object) =>
  "state" in found && (found.state === "done" || found.state === "failed");

/**
 * Ends if `state` is `done` or `failed`, if the signal aborts, at shutdown, or if nothing is found. Changes in this process arrive through
 * `news`; polling every `pollMs` finds other changes.
 */
export async function* watchChanges<Found extends object>(
  { news, draining }: Pick<Deps, "news" | "draining">,
  id: string,
  signal: AbortSignal,
  find: () => Promise<Found | undefined>,
  pollMs = POLL_MS,
): AsyncGenerator<Found, void> {
  const endings = [signal, draining];
  let sent = "";
  while (!endings.some(({ aborted }) => aborted)) {
    const change = waitForChange(news, id, endings, pollMs);
    const found = await find();
    if (found === undefined) return;
    const text = JSON.stringify(found);
    if (text !== sent) yield found;
    sent = text;
    if (isEnded(found)) return;
    await change;
  }
}

/** Avoids AbortSignal.any(): in Node 20, each call leaves an entry on the signal for the signal's lifetime. */
function waitForChange(
  news: Deps["news"],
  id: string,
  endings: readonly AbortSignal[],
  pollMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      news.off("changed", onChange);
      for (const ending of endings) ending.removeEventListener("abort", stop);
      resolve();
    };
    const onChange = (changed: string) => {
      if (changed === id) stop();
    };
    const timer = setTimeout(stop, pollMs);
    news.on("changed", onChange);
    setMaxListeners(0, ...endings);
    for (const ending of endings) ending.addEventListener("abort", stop);
  });
}
