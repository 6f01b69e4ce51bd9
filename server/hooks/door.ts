import { insertDeliveries } from "../db/deployments/hook-deliveries.ts";
import { type OpenHook, findOpenHook } from "../db/deployments/hooks.ts";
import type { Deps, StoreDeps } from "../deps.ts";
import { type HookRequest, type SignatureFault, readHeaders, type Secret } from "./provider.ts";
import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, isAppError } from "../base/errors.ts";
import {
  announcedBytes,
  boundLongBody,
  continueReadable,
  MAX_BODY_BYTES,
  refuseUnknownRoutes,
} from "../http/requests.ts";
import { createErrorHandler } from "../http/errors.ts";
import { readHookKey } from "../base/hook-providers.ts";
import { createEventHandler, PROVIDERS } from "./events.ts";
import { createBatchQueue } from "./batches.ts";

/** Records a burst of as many refusals as a hook's page shows. Afterwards, records one per second. */
const BURST = 50;
const REFILL_MS = 1000;
const MAX_REMEMBERED = 1000;

type RefusalRecorder = (hook: OpenHook, fault: SignatureFault) => void;

/** Limits the writes that requests of strangers can cause. */
function createRateLimit(): (hookId: string) => boolean {
  const spent = new Map<string, number>();
  return (hookId) => {
    const now = performance.now();
    const before = Math.max(spent.get(hookId) ?? -Infinity, now - BURST * REFILL_MS);
    spent.delete(hookId);
    const isAllowed = before + REFILL_MS <= now;
    spent.set(hookId, isAllowed ? before + REFILL_MS : before);
    const [oldest] = spent.keys();
    if (spent.size > MAX_REMEMBERED && oldest !== undefined) spent.delete(oldest);
    return isAllowed;
  };
}

/** Does not delay the response, so that its timing is the same as for an unknown hook. */
function createRefusalRecorder({ database, work, log }: Deps): RefusalRecorder {
  const isWithinLimit = createRateLimit();
  return (hook, fault) => {
    if (!isWithinLimit(hook.id)) return;
    // The event's name is not read, since the sender is unknown.
    const delivery = { event: "unknown", outcome: `refused: ${fault}`, eventKey: null };
    const writing = insertDeliveries(database.sql, hook.id, [delivery]).catch((error: unknown) => {
      log.warn({ err: error, hookId: hook.id }, "a refused delivery was not noted");
    });
    void work.add(writing);
  };
}

const MAX_HOOK_BYTES = 262_144;
const BYTES = "application/octet-stream";
const METHODS = ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Requests to unknown hooks and hooks without a secret are compared with this decoy, so that they take the same time. */
const DECOY: Secret = { text: "decoy", key: Buffer.from("decoy") };

function openSecrets({ secretBox }: StoreDeps, hook: OpenHook): Secret[] {
  return [hook.secret, hook.oldSecret].flatMap((sealed) => {
    const text = sealed && secretBox.open(sealed, hook.id);
    const key = text === null ? undefined : readHookKey(hook.provider, text);
    return text === null || key === undefined ? [] : [{ text, key }];
  });
}

function findFault(
  deps: Deps,
  hook: OpenHook | undefined,
  request: HookRequest,
): SignatureFault | undefined {
  const provider = PROVIDERS[hook?.provider ?? "plain"];
  const secrets = hook?.secret ? openSecrets(deps, hook) : [DECOY];
  const faults = secrets.map((secret) => provider.findFault(request, secret));
  if (hook?.secret === null) return hook.isHandedOver ? "handed over" : "no secret";
  if (faults.includes(undefined)) return undefined;
  return faults.includes("clock") ? "clock" : "signature";
}

const tooLarge = () => new AppError("hook_body_too_large", { maxBytes: MAX_HOOK_BYTES });
const refuse = () => new AppError("hook_refused", {});

async function readBody(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection must stay open for the response.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_HOOK_BYTES) throw tooLarge();
    if (size <= maxBytes) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

declare module "fastify" {
  interface FastifyRequest {
    hook: OpenHook | undefined;
  }
}

/**
 * Unknown hooks and wrong signatures get the same response after the same statement, so that hooks cannot be enumerated. A body is parsed
 * only after its signature was verified.
 */
export const hooksDoor = (deps: Deps) => async (door: FastifyInstance) => {
  const recordRefusal = createRefusalRecorder(deps);
  const handleEvent = createEventHandler(deps);
  const findHook = createBatchQueue<string, OpenHook | undefined>(Infinity, async (ids) => {
    const hook = await findOpenHook(deps.database.sql, ids[0]);
    return ids.map(() => hook);
  });
  door.setErrorHandler(createErrorHandler(deps));
  refuseUnknownRoutes(door);
  door.removeAllContentTypeParsers();
  // The body of an unknown hook is read to its end for the same time and errors, but little of it is stored.
  door.addContentTypeParser(BYTES, ({ hook }: FastifyRequest, body: Readable) =>
    readBody(body, hook === undefined ? MAX_BODY_BYTES : MAX_HOOK_BYTES),
  );
  // The signature covers the raw bytes, whatever the content type says.
  door.addHook("onRequest", async ({ raw }) => {
    raw.headers["content-type"] = BYTES;
  });

  const preParsing = async (request: FastifyRequest, reply: FastifyReply) => {
    const bytes = announcedBytes(request.raw);
    if (bytes > MAX_HOOK_BYTES && bytes < Infinity) throw tooLarge();
    const { id } = request.params as { id: string };
    request.hook = await findHook(id, id);
    await boundLongBody(deps, request, reply, request.hook === undefined ? "stranger" : "hook");
    await continueReadable(request, reply);
  };
  door.decorateRequest("hook");
  door.post("/:id", { bodyLimit: MAX_HOOK_BYTES, preParsing }, async (request, reply) => {
    const { hook } = request;
    const hookRequest = readRequest(request, hook);
    const fault = findFault(deps, hook, hookRequest);
    if (hook !== undefined && fault !== undefined) recordRefusal(hook, fault);
    if (hook === undefined || fault !== undefined) throw refuse();
    const outcome = await handleEvent(hook, hookRequest).catch((error: unknown) => {
      throw isAppError(error, "project_not_found") ? refuse() : error;
    });
    return answer(reply, outcome);
  });
  door.route({
    method: METHODS,
    url: "/:id",
    onRequest: async () => {
      throw new AppError("method_not_allowed", { allow: "POST" });
    },
    handler: () => undefined,
  });
};

const readRequest = ({ raw, body }: FastifyRequest, hook: OpenHook | undefined): HookRequest => ({
  headers: readHeaders(raw.rawHeaders),
  body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  now: hook?.now ?? new Date(),
});

const answer = (reply: FastifyReply, outcome: { id: string } | { ignored: string }): FastifyReply =>
  "id" in outcome ? reply.status(202).send({ deployment: outcome.id }) : reply.send(outcome);
