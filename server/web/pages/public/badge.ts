import { type LastResult, findBadge, findScanResult } from "../../../db/projects/badges.ts";
import type { PageState } from "./status-page.tsx";
import type { Verdict } from "../../../../shared/check.ts";
import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isUnlistedId } from "../../../db/id.ts";
import type { Sql } from "../../../db/driver/sql.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import { readForAnybody } from "../../kit/public-reads.ts";

/** `width` is that of the text in Verdana of 11 px. `textLength` fits other fonts to it. */
interface BadgeWords {
  text: string;
  width: number;
  color: string;
}

const HEIGHT = 20;
const PADDING = 6;
const RADIUS = 3;
const DIGIT_WIDTH = 7;
const SEPARATOR = " · ";
const SEPARATOR_WIDTH = 10.5;

const STATUS: BadgeWords = { text: "Status", width: 35.5, color: "#59636e" };

/** Each color is visible on white and on black pages, and white text is readable on it. */
const GREY = "#6e7781";
const LABEL: BadgeWords = { text: "Ship Score", width: 58.3, color: "#59636e" };
const UNKNOWN: BadgeWords = { text: "unknown", width: 50, color: GREY };
const STATES: Readonly<Record<PageState, BadgeWords>> = {
  up: { text: "up", width: 13.8, color: "#1a7f37" },
  degraded: { text: "degraded", width: 51.8, color: "#9a6700" },
  down: { text: "down", width: 29.5, color: "#cf222e" },
  maintenance: { text: "maintenance", width: 71, color: "#0b57c2" },
  unknown: UNKNOWN,
};
const VERDICTS: Readonly<Record<Verdict, BadgeWords>> = {
  ship: { text: "ship", width: 22.7, color: "#1a7f37" },
  ship_with_warnings: { text: "ship with warnings", width: 102.9, color: "#9a6700" },
  do_not_ship: { text: "do not ship", width: 61.5, color: "#cf222e" },
  inconclusive: { text: "inconclusive", width: 67.9, color: GREY },
};

/** The points that could not be checked decide an inconclusive result, so its score is left out. */
function describe({ score, verdict }: LastResult): BadgeWords {
  if (score === null || verdict === null) return UNKNOWN;
  const words = VERDICTS[verdict];
  if (verdict === "inconclusive") return words;
  const digits = String(score);
  return {
    text: `${digits}${SEPARATOR}${words.text}`,
    width: digits.length * DIGIT_WIDTH + SEPARATOR_WIDTH + words.width,
    color: words.color,
  };
}

const widthOf = ({ width }: BadgeWords) => Math.ceil(width) + 2 * PADDING;

const write = ({ text, width }: BadgeWords, x: number) =>
  `<text x="${x}" y="14" textLength="${width}" lengthAdjust="spacingAndGlyphs">${text}</text>`;

/** In English for all readers, because pages and caches share the badge. */
export const renderBadge = (result: LastResult): string => draw(LABEL, describe(result));

export const renderStatusBadge = (state: PageState): string => draw(STATUS, STATES[state]);

function draw(label: BadgeWords, words: BadgeWords): string {
  const split = widthOf(label);
  const width = split + widthOf(words);
  const name = `${label.text}: ${words.text.replace(SEPARATOR, ", ")}`;
  const end = `M${split} 0h${widthOf(words) - RADIUS}q${RADIUS} 0 ${RADIUS} ${RADIUS}v${HEIGHT - 2 * RADIUS}q0 ${RADIUS}-${RADIUS} ${RADIUS}H${split}z`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<rect width="${width}" height="${HEIGHT}" rx="${RADIUS}" fill="${label.color}"/>`,
    `<path d="${end}" fill="${words.color}"/>`,
    `<g fill="#fff" font-family="Verdana,'DejaVu Sans',sans-serif" font-size="11">`,
    write(label, PADDING),
    write(words, split + PADDING),
    "</g></svg>\n",
  ].join("");
}

/** `no-cache` lets caches store the badge but makes them revalidate it each time. */
const HEADERS = {
  "cache-control": "no-cache",
  "content-security-policy": "default-src 'none'; sandbox",
  "cross-origin-resource-policy": "cross-origin",
};

const IN_TAGS = /(?:W\/)?("[^"]*")/g;

/** By weak comparison (RFC 9110, section 13.1.2). */
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

/** Anyone who knows a badge's URL gets it. */
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
