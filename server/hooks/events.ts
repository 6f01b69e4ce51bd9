import { hash } from "node:crypto";
import type { HookActor } from "../db/actors.ts";
import { insertDelivery } from "../db/hook-deliveries.ts";
import type { HookProvider, OpenHook } from "../db/hooks.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { recordShip, type ShipOutcome } from "../projects/deployments.ts";
import { parseJson } from "../syntax/nested-json.ts";
import { oneLine } from "../syntax/one-line.ts";
import { GITHUB } from "./github.ts";
import { GITLAB } from "./gitlab.ts";
import { NETLIFY } from "./netlify.ts";
import { PLAIN } from "./plain.ts";
import type { Provider } from "./provider.ts";
import type { Sent } from "./signature.ts";
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

/** What a request calls its event, whoever sent it. */
export function nameDelivery({ provider }: OpenHook, { headers, body }: Sent): string {
  return cleanEvent(PROVIDERS[provider].nameEvent(headers, parseJson(body.toString())));
}

/** The delivery's id, else the body: the same one within a day is a repeat. */
function keyOf(hook: OpenHook, { headers, body }: Sent, payload: unknown): string {
  const id = PROVIDERS[hook.provider].findDeliveryId(headers, payload);
  return hash("sha256", `${hook.id} ${id === undefined ? hash("sha256", body) : `id ${id}`}`);
}

const actorOf = ({ accountId, projectId }: OpenHook): HookActor => ({
  by: "hook",
  accountId,
  projectId,
});

/**
 * Does what a signed event says, and notes what came of it. Throws `body_not_json`, `project_not_found` and `busy`.
 */
export async function takeEvent(deps: Deps, hook: OpenHook, sent: Sent): Promise<ShipOutcome> {
  const { sql } = deps.database;
  const provider = PROVIDERS[hook.provider];
  const payload = parseJson(sent.body.toString());
  const event = cleanEvent(provider.nameEvent(sent.headers, payload));
  const note = (outcome: string, eventKey: string | null) =>
    insertDelivery(sql, { hookId: hook.id, event, outcome, eventKey });
  if (payload === undefined) {
    await note("refused: no JSON", null);
    throw new AppError("body_not_json", {});
  }
  const eventKey = keyOf(hook, sent, payload);
  const reading = provider.read(event, payload);
  const outcome =
    "ignored" in reading
      ? reading
      : await recordShip(deps, actorOf(hook), { ...reading, eventKey });
  if ("id" in outcome) {
    await note("recorded", eventKey);
    return outcome;
  }
  const noted = await note(`ignored: ${oneLine(outcome.ignored, MAX_REASON_LENGTH)}`, eventKey);
  return { ignored: noted.slice("ignored: ".length) };
}
