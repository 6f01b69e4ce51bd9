import { hash } from "node:crypto";
import type { HookActor } from "../db/accounts/actors.ts";
import type { NewDelivery } from "../db/deployments/hook-deliveries.ts";
import { insertDeliveries, MAX_DELIVERIES } from "../db/deployments/hook-deliveries.ts";
import type { HookProvider } from "../base/hook-providers.ts";
import type { OpenHook } from "../db/deployments/hooks.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import {
  recordShips,
  SHIPS_AN_HOUR,
  type ReportedDeployment,
  type ReportOutcome,
} from "../projects/deployments.ts";
import { parseJson } from "../base/syntax/nested-json.ts";
import { oneLine } from "../base/syntax/text.ts";
import { createBatchQueue } from "./batches.ts";
import { GITHUB } from "./github.ts";
import { GITLAB } from "./gitlab.ts";
import { NETLIFY } from "./netlify.ts";
import { PLAIN } from "./plain.ts";
import type { HookRequest, Provider } from "./provider.ts";
import { VERCEL } from "./vercel.ts";

export const PROVIDERS: Readonly<Record<HookProvider, Provider>> = {
  github: GITHUB,
  vercel: VERCEL,
  netlify: NETLIFY,
  gitlab: GITLAB,
  plain: PLAIN,
};

const MAX_EVENT_LENGTH = 100;
const MAX_REASON_LENGTH = 100;

const cleanEvent = (name: string | undefined) => oneLine(name ?? "", MAX_EVENT_LENGTH) || "unknown";

/** An event with the same key within a day is a repeat. */
function keyOf(hook: OpenHook, { headers, body }: HookRequest, payload: unknown): string {
  const id = PROVIDERS[hook.provider].findDeliveryId(headers, payload);
  return hash("sha256", `${hook.id} ${id ? `id ${id}` : hash("sha256", body)}`);
}

const actorOf = ({ accountId, projectId }: OpenHook): HookActor => ({
  by: "hook",
  accountId,
  projectId,
});

const tooMany = (limit: number) =>
  `refused: more than ${limit} ${limit === SHIPS_AN_HOUR ? "ships" : "previews"} an hour`;

/** The maximum number of ships per transaction. */
const MOST_SHIPS = 500;

/** Throws `body_not_json`, `project_not_found`, `too_many_ships` and `busy`. */
export type EventHandler = (
  hook: OpenHook,
  request: HookRequest,
) => Promise<Exclude<ReportOutcome, { retryAfterSeconds: number }>>;

/** Writes simultaneous events of a hook in batches, so that no provider has to wait. */
export function createEventHandler(deps: Deps): EventHandler {
  const queueReport = createBatchQueue<
    { hook: OpenHook; report: ReportedDeployment },
    ReportOutcome
  >(MOST_SHIPS, (batch) => {
    const [{ hook }] = batch;
    const reports = batch.map(({ report }) => report);
    return recordShips(deps, actorOf(hook), reports, hook.reporting, hook.previewHosts);
  });
  const queueDelivery = createBatchQueue<{ hookId: string; delivery: NewDelivery }, string>(
    MAX_DELIVERIES,
    (batch) => {
      const [{ hookId }] = batch;
      const deliveries = batch.map(({ delivery }) => delivery);
      return insertDeliveries(deps.database.sql, hookId, deliveries);
    },
  );

  return async (hook, request) => {
    const provider = PROVIDERS[hook.provider];
    const payload = parseJson(request.body.toString());
    const event = cleanEvent(provider.nameEvent(request.headers, payload));
    const recordOutcome = (outcome: string, eventKey: string | null) =>
      queueDelivery(hook.id, { hookId: hook.id, delivery: { event, outcome, eventKey } });
    if (payload === undefined) {
      await recordOutcome("refused: no JSON", null);
      throw new AppError("body_not_json", {});
    }
    const eventKey = keyOf(hook, request, payload);
    const reading = provider.read(event, payload);
    const outcome =
      "ignored" in reading
        ? reading
        : await queueReport(`${hook.id} ${hook.accountId}`, {
            hook,
            report: { repositories: [], failed: null, ...reading, eventKey },
          });
    if ("id" in outcome) {
      await recordOutcome("recorded", eventKey);
      return outcome;
    }
    if ("retryAfterSeconds" in outcome) {
      await recordOutcome(tooMany(outcome.limit), null);
      throw new AppError("too_many_ships", outcome);
    }
    const reason = `ignored: ${oneLine(outcome.ignored, MAX_REASON_LENGTH)}`;
    const recorded = await recordOutcome(reason, eventKey);
    return { ignored: recorded.slice("ignored: ".length) };
  };
}
