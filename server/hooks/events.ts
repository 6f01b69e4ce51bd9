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
import { createBatches } from "./batches.ts";
import { GITHUB } from "./github.ts";
import { GITLAB } from "./gitlab.ts";
import { NETLIFY } from "./netlify.ts";
import { PLAIN } from "./plain.ts";
import type { Provider, Sent } from "./provider.ts";
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

/** The delivery's id, else the body: the same one within a day is a repeat. */
function keyOf(hook: OpenHook, { headers, body }: Sent, payload: unknown): string {
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

/** Ships of one hook that one transaction records. */
const MOST_SHIPS = 500;

/**
 * Does what a signed event says, and notes what came of it. Throws `body_not_json`, `project_not_found`,
 * `too_many_ships` and `busy`.
 */
export type TakeEvent = (
  hook: OpenHook,
  sent: Sent,
) => Promise<Exclude<ReportOutcome, { retryAfterSeconds: number }>>;

/** Events of one hook that come at the same time are recorded and noted together: no host of deployments is told to wait. */
export function createTakeEvent(deps: Deps): TakeEvent {
  const gatherReport = createBatches<{ hook: OpenHook; report: ReportedDeployment }, ReportOutcome>(
    MOST_SHIPS,
    (said) => {
      const [{ hook }] = said;
      const reports = said.map(({ report }) => report);
      return recordShips(deps, actorOf(hook), reports, hook.reporting, hook.previewHosts);
    },
  );
  const gatherNote = createBatches<{ hookId: string; delivery: NewDelivery }, string>(
    MAX_DELIVERIES,
    (noted) => {
      const [{ hookId }] = noted;
      const deliveries = noted.map(({ delivery }) => delivery);
      return insertDeliveries(deps.database.sql, hookId, deliveries);
    },
  );

  return async (hook, sent) => {
    const provider = PROVIDERS[hook.provider];
    const payload = parseJson(sent.body.toString());
    const event = cleanEvent(provider.nameEvent(sent.headers, payload));
    const note = (outcome: string, eventKey: string | null) =>
      gatherNote(hook.id, { hookId: hook.id, delivery: { event, outcome, eventKey } });
    if (payload === undefined) {
      await note("refused: no JSON", null);
      throw new AppError("body_not_json", {});
    }
    const eventKey = keyOf(hook, sent, payload);
    const reading = provider.read(event, payload);
    const outcome =
      "ignored" in reading
        ? reading
        : await gatherReport(`${hook.id} ${hook.accountId}`, {
            hook,
            report: { repositories: [], failed: null, ...reading, eventKey },
          });
    if ("id" in outcome) {
      await note("recorded", eventKey);
      return outcome;
    }
    if ("retryAfterSeconds" in outcome) {
      await note(tooMany(outcome.limit), null);
      throw new AppError("too_many_ships", outcome);
    }
    const noted = await note(`ignored: ${oneLine(outcome.ignored, MAX_REASON_LENGTH)}`, eventKey);
    return { ignored: noted.slice("ignored: ".length) };
  };
}
