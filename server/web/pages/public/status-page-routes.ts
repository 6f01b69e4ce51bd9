import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import { AppError } from "../../../base/errors.ts";
import { isLanguage, preferredLanguage, type Language } from "../../../../shared/language.ts";
import { STATUS_DAYS, type StatusPage } from "../../../db/projects/status-pages.ts";
import type { Deps } from "../../../deps.ts";
import { parameterOf } from "../../kit/request-parameters.ts";
import { createErrorHandler } from "../../kit/error-pages.tsx";
import { readForAnybody } from "../../kit/public-reads.ts";
import { createTextCache, type TextCache } from "../../kit/pack.ts";
import { publicSiteOf, siteOf } from "../../kit/site.ts";
import { policyOf } from "../../kit/style.ts";
import { cutUptime, listDays, totalUptime } from "../../kit/uptime.ts";
import { renderStatusBadge } from "./badge.ts";
import { renderStatusPage, STATUS_STYLE, stateOf, URL_STATES } from "./status-page.tsx";

const toIso = (at: Date) => at.toISOString().replace(/\.\d+Z$/, "Z");

function toJson(page: StatusPage): string {
  const { name, title, urls, incidents, maintenance, result, now } = page;
  const dayOf = (start: number) => new Date(start).toISOString().slice(0, 10);
  return JSON.stringify({
    name,
    title,
    state: stateOf(page),
    ...(result && { score: result.score }),
    urls: urls.map(({ label, url, state, ...of }) => {
      const days = listDays(of.days, STATUS_DAYS, now);
      const uptime = totalUptime(days, of, now);
      return {
        label,
        ...(url !== null && { url }),
        state,
        uptime: uptime === undefined ? null : cutUptime(uptime),
        days: days.map(({ start, known }) => ({
          day: dayOf(start),
          uptime: known?.uptime ?? null,
        })),
      };
    }),
    incidents: incidents.map(({ label, since, closedAt, note }) => ({
      label,
      since,
      closedAt,
      note,
    })),
    maintenance,
    updatedAt: now,
  });
}

/** Also removes characters that XML does not allow. */
const escape = (text: string) =>
  text
    .replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");

/** Atom (RFC 4287), newest first. Closing an incident or publishing a note updates its entry. */
function toAtom(page: StatusPage, language: Language, origin = ""): string {
  const address = `${origin}/status/${page.name}`;
  const entries = page.incidents.map(({ key, label, since, closedAt, note, changedAt }) => {
    const { words } = URL_STATES[closedAt === null ? "down" : "up"];
    return {
      at: toIso(changedAt),
      xml: `<entry><id>urn:uuid:${key}</id><title>${escape(`${label}: ${say(words, language)}`)}</title><published>${toIso(since)}</published><updated>${toIso(changedAt)}</updated><link href="${address}"/><content>${escape(note ?? "")}</content></entry>`,
    };
  });
  const newest = entries.toSorted((one, other) => (one.at < other.at ? 1 : -1));
  return [
    `<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">`,
    `<id>${address}</id><title>${escape(page.title)}</title><author><name>${escape(page.title)}</name></author>`,
    `<updated>${newest[0]?.at ?? toIso(page.now)}</updated><link href="${address}"/><link rel="self" href="${address}.atom"/>`,
    ...newest.map(({ xml }) => xml),
    "</feed>\n",
  ].join("\n");
}

/** The footer's language choice is in a cookie, and these pages read no cookies. */
function chooseLanguage(request: FastifyRequest): Language {
  const requested = parameterOf(request, "lang");
  return isLanguage(requested) ? requested : preferredLanguage(request.headers["accept-language"]);
}

const SHAPE = /^([a-z0-9-]{3,40})(|\.json|\.atom|\.svg)$/;
interface Format {
  type: string;
  headers?: Record<string, string>;
  render: (page: StatusPage, language: Language, origin?: string) => string;
}

const FORMATS: Readonly<Record<"" | ".json" | ".atom" | ".svg", Format>> = {
  "": {
    type: "text/html; charset=utf-8",
    headers: { "content-security-policy": policyOf(undefined, STATUS_STYLE) },
    render: renderStatusPage,
  },
  ".json": { type: "application/json", render: toJson },
  ".atom": { type: "application/atom+xml", render: toAtom },
  ".svg": {
    type: "image/svg+xml",
    headers: {
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
    },
    render: (page) => renderStatusBadge(stateOf(page)),
  },
};

/** The pages do not depend on the session. A malformed name gets the same 404 as an unknown one. */
export const statusRoutes = (deps: Deps) => async (door: FastifyInstance) => {
  const { config, database, statusPages } = deps;
  const { origin } = publicSiteOf(config);
  const rendered = new WeakMap<StatusPage, TextCache>();
  /** Searches the cache twice, because another request may read the page while this one waits. */
  const readPage = async (request: FastifyRequest, reply: FastifyReply, name: string) =>
    statusPages.find(name) ??
    readForAnybody(
      deps,
      request,
      reply,
      async () => statusPages.find(name) ?? statusPages.read(database.sql, name),
    );

  door.setErrorHandler(
    createErrorHandler(deps, (request) => ({ language: chooseLanguage(request) })),
  );
  door.get<{ Params: { "*": string } }>(
    "/status/*",
    { exposeHeadRoute: true, config: { isForEverybody: true } },
    async (request, reply) => {
      const [, name, shape = ""] = SHAPE.exec(request.params["*"]) ?? [];
      const known = name === undefined ? undefined : await readPage(request, reply, name);
      if (known?.page === undefined) throw new AppError("route_not_found", {});
      const { page, endsAt } = known;
      const language = chooseLanguage(request);
      const { type, headers, render } = FORMATS[shape as keyof typeof FORMATS];
      const texts = rendered.get(page) ?? createTextCache();
      rendered.set(page, texts);
      reply
        .headers({
          "cache-control": `public, max-age=${Math.max(0, Math.floor((endsAt - performance.now()) / 1000))}`,
          vary: "Accept-Language",
          ...(!page.isIndexed && { "x-robots-tag": "noindex" }),
          ...headers,
        })
        .type(type);
      // A feed needs absolute URLs. Without a public URL they contain the request's host, so the feed is not cached.
      if (shape === ".atom" && origin === undefined)
        return reply.send(toAtom(page, language, siteOf(config, request.headers.host).origin));
      const key = `${shape} ${language}`;
      const renderOne = () => render(page, language, origin);
      return shape === ""
        ? texts.sendPacked(request, reply, key, renderOne)
        : reply.send(await texts.find(key, renderOne));
    },
  );
};
