import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findBadge, findScanResult, type LastResult } from "../../../db/projects/badges.ts";
import { isUnlistedId } from "../../../db/id.ts";
import type { Sql } from "../../../db/driver/sql.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import { readForAnybody } from "../../kit/public-reads.ts";
import { renderBadge } from "./badge-image.ts";

/** `no-cache` lets caches keep it, and makes them ask each time whether it is still the same. */
const HEADERS = {
  "cache-control": "no-cache",
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
};

const IN_TAGS = /(?:W\/)?("[^"]*")/g;

/** Whether If-None-Match names this version, compared weakly (RFC 9110, 13.1.2). */
function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers["if-none-match"] ?? "";
  return known.trim() === "*" || [...known.matchAll(IN_TAGS)].some(([, tag]) => tag === etag);
}

function sendBadge(request: FastifyRequest, reply: FastifyReply, result: LastResult): FastifyReply {
  const image = renderBadge(result);
  const etag = `"${createHash("sha256").update(image).digest("base64url").slice(0, 22)}"`;
  reply.headers({ ...HEADERS, etag });
  if (isKnown(request, etag)) return reply.status(304).send();
  return reply.type("image/svg+xml").send(image);
}

type FindResult = (sql: Sql, id: string) => Promise<LastResult | undefined>;

/**
 * Badges of projects and of public scans, for anybody who knows their addresses: an image of one small statement each.
 * An address without one answers like any other that leads nowhere.
 */
export function badgeRoutes(door: FastifyInstance, deps: Deps): void {
  const { config, database } = deps;
  function serveBadge(path: string, find: FindResult): void {
    door.get<{ Params: { id: string } }>(
      path,
      { exposeHeadRoute: true },
      async (request, reply) => {
        const { id } = request.params;
        const result = isUnlistedId(id)
          ? await readForAnybody(deps, request, reply, () => find(database.sql, id))
          : undefined;
        if (result === undefined) throw new AppError("route_not_found", {});
        return sendBadge(request, reply, result);
      },
    );
  }

  serveBadge("/badge/:id.svg", findBadge);
  if (config.publicScan) serveBadge("/scan/:id/badge.svg", findScanResult);
}
