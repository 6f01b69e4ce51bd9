import { insertDeliveries } from "../db/deployments/hook-deliveries.ts";
import { type OpenHook, findOpenHook } from "../db/deployments/hooks.ts";
import type { Deps, StoreDeps } from "../deps.ts";
import { type SignatureFault, readHeaders, type Secret, type Sent } from "./provider.ts";
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
import { createTakeEvent, PROVIDERS } from "./events.ts";
import { createBatches } from "./batches.ts";

/** As many as are shown; after these, one a second and hook. */
const BURST = 50;
const REFILL_MS = 1000;
const MAX_REMEMBERED = 1000;

/** Notes for a hook's owner what was refused, at a bounded cost however much a stranger sends. */
type NoteRefusal = (hook: OpenHook, fault: SignatureFault) => void;

/** Takes what a hook may still note; of those hooks that had something refused last. */
function createAllowances(): (hookId: string) => boolean {
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

/** It is written after the answer, so that the answer takes no longer than that of an unknown hook. */
function createNoteRefusal({ database, work, log }: Deps): NoteRefusal {
  const take = createAllowances();
  return (hook, fault) => {
    if (!take(hook.id)) return;
    // What it said is not read: nobody knows who sent it.
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

/** What is compared for a hook that there is not, or that has no secret. */
const DECOY: Secret = { text: "decoy", key: Buffer.from("decoy") };

function openSecrets({ secretBox }: StoreDeps, hook: OpenHook): Secret[] {
  return [hook.secret, hook.oldSecret].flatMap((sealed) => {
    const text = sealed && secretBox.open(sealed, hook.id);
    const key = text === null ? undefined : readHookKey(hook.provider, text);
    return text === null || key === undefined ? [] : [{ text, key }];
  });
}

/** The fault of a request's signature; undefined if one of the hook's secrets made it. */
function findFault(deps: Deps, hook: OpenHook | undefined, sent: Sent): SignatureFault | undefined {
  const provider = PROVIDERS[hook?.provider ?? "plain"];
  const secrets = hook?.secret ? openSecrets(deps, hook) : [DECOY];
  const faults = secrets.map((secret) => provider.findFault(sent, secret));
  if (hook?.secret === null) return hook.isHandedOver ? "handed over" : "no secret";
  if (faults.includes(undefined)) return undefined;
  return faults.includes("clock") ? "clock" : "signature";
}

const tooLarge = () => new AppError("hook_body_too_large", { maxBytes: MAX_HOOK_BYTES });
const refuse = () => new AppError("hook_refused", {});

/** The first `kept` bytes of a body that is read to its end. Throws `hook_body_too_large`. */
async function readBody(body: Readable, kept: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // The client is answered, so its connection is not destroyed here.
  for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_HOOK_BYTES) throw tooLarge();
    if (size <= kept) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

declare module "fastify" {
  interface FastifyRequest {
    hook: OpenHook | undefined;
  }
}

/**
 * What the hosts of deployments send. An unknown hook and a wrong signature are answered alike, after the same statement;
 * nothing of a body is read before its signature was found good.
 */
export const hooksDoor = (deps: Deps) => async (door: FastifyInstance) => {
  const noteRefusal = createNoteRefusal(deps);
  const takeEvent = createTakeEvent(deps);
  const findHook = createBatches<string, OpenHook | undefined>(Infinity, async (ids) => {
    const hook = await findOpenHook(deps.database.sql, ids[0]);
    return ids.map(() => hook);
  });
  door.setErrorHandler(createErrorHandler(deps));
  refuseUnknownRoutes(door);
  door.removeAllContentTypeParsers();
  // The body of an unknown hook takes as long, and the same errors, but no memory.
  door.addContentTypeParser(BYTES, ({ hook }: FastifyRequest, body: Readable) =>
    readBody(body, hook === undefined ? MAX_BODY_BYTES : MAX_HOOK_BYTES),
  );
  // Whatever a body says that it is, its signature is of its bytes.
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
    const sent = readSent(request, hook);
    const fault = findFault(deps, hook, sent);
    if (hook !== undefined && fault !== undefined) noteRefusal(hook, fault);
    if (hook === undefined || fault !== undefined) throw refuse();
    const outcome = await takeEvent(hook, sent).catch((error: unknown) => {
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

const readSent = ({ raw, body }: FastifyRequest, hook: OpenHook | undefined): Sent => ({
  headers: readHeaders(raw.rawHeaders),
  body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  now: hook?.now ?? new Date(),
});

const answer = (reply: FastifyReply, outcome: { id: string } | { ignored: string }): FastifyReply =>
  "id" in outcome ? reply.status(202).send({ deployment: outcome.id }) : reply.send(outcome);
