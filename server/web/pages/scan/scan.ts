import type { FastifyReply, FastifyRequest } from "fastify";
import {
  ERROR_HEADER,
  sayError,
  SCAN_ERRORS,
  type WireErrorCode,
} from "../../../../shared/errors.ts";
import type { Deps } from "../../../deps.ts";
import { AppError, describeRefusal, isAppError } from "../../../base/errors.ts";
import {
  createErrorHandler as createJsonErrorHandler,
  describeError,
  refuseWith,
  toAppError,
} from "../../../http/errors.ts";
import type { Text } from "../../../../shared/language.ts";
import { createErrorHandler } from "../../kit/error-pages.tsx";
import { readerOf } from "../../kit/session/page.ts";
import { renderHomePage } from "./home-page.tsx";
import { SCAN_SCRIPT } from "./scan-script.ts";
import { FIELD_PROBLEMS, OBSTACLES } from "./scan-words.ts";
import { acceptForms, FORM } from "../../kit/forms.ts";
import { siteOf } from "../../kit/site.ts";
import { policyOf } from "../../kit/style.ts";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import { ScanBody, ScanRequest, type StartedScanBody } from "../../../../shared/scan.ts";
import { SCANS_KEPT_DAYS } from "../../../base/bounds.ts";
import { completeUrl } from "../../../base/syntax/url.ts";
import { unpackPageAnswers } from "../../../engine/evidence/packed-evidence.ts";
import { refuseForeignPages } from "../../../http/origin.ts";
import { continueReadable } from "../../../http/requests.ts";
import { findVisitor } from "../../../http/visitor.ts";
import { deleteScan, findScan, type Scan, watchScan } from "../../../scan/scans.ts";
import { startScan } from "../../../scan/scan-request.ts";
import { renderDeletePage } from "./delete-page.tsx";
import { renderScanDetails, renderScanPage } from "./scan-page.tsx";
import { withFlash } from "../../kit/flash-messages.tsx";
import { languageOf, parameterOf } from "../../kit/request-parameters.ts";
import { describeProgress } from "../../kit/progress.tsx";
import { cachePromise } from "../../kit/pack.ts";
import { readForAnybody } from "../../kit/public-reads.ts";
import type { Reader } from "../../kit/reader.tsx";
import { identifyUsers } from "../../kit/session/signed-in.ts";
import { createStreams } from "../../kit/streams.ts";
import type { Config } from "../../../config.ts";

/** Programs accept JSON but not HTML, or send something other than a form. */
function wantsJson({ method, headers, mediaType }: FastifyRequest): boolean {
  const accept = headers.accept?.toLowerCase() ?? "";
  if (accept.includes("application/json") && !accept.includes("text/html")) return true;
  return method === "POST" && mediaType !== FORM;
}

function findProblem(error: AppError): Text | undefined {
  if (isAppError(error, "url_refused")) return describeRefusal(error.parameters);
  return FIELD_PROBLEMS[error.code];
}

const findRefusal = ({ code, parameters }: AppError): Text | undefined =>
  code in SCAN_ERRORS ? sayError(code as WireErrorCode, parameters) : OBSTACLES[code];

/** Programs get the API's JSON. People get the form with their input and the reason, or an error page. */
function createScanErrorHandler(deps: Deps) {
  const sendJsonError = createJsonErrorHandler(deps);
  const showPage = createErrorHandler(deps, readerOf);
  return async (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    if (wantsJson(request)) return sendJsonError(error, request, reply);
    const known = toAppError(error, request, deps);
    const problem = findProblem(known);
    const refusal = findRefusal(known);
    const isForm = request.method === "POST" && request.routeOptions.url === "/scan";
    if (!isForm || (problem === undefined && refusal === undefined))
      return showPage(known, request, reply);
    const { status, code } = describeError(known);
    const input = (request.body as { url?: unknown } | undefined)?.url;
    const url = typeof input === "string" ? input : "";
    return refuseWith(reply, status, known)
      .headers({
        [ERROR_HEADER]: code,
        "content-security-policy": policyOf(SCAN_SCRIPT),
      })
      .type("text/html; charset=utf-8")
      .send(
        renderHomePage({
          reader: {
            ...readerOf(request),
            typed: { action: "/scan", values: { url }, problems: problem ? { url: problem } : {} },
          },
          site: siteOf(deps.config, request.headers.host),
          refusal: problem ? undefined : refusal,
        }),
      );
  };
}

const MAX_DETAILS = 200;
const NAME = "shipscore-scan";
const MAX_AGE_SECONDS = SCANS_KEPT_DAYS * 86_400;
const VALUE = /(?:^|;)\s*shipscore-scan=([0-9A-Za-z]{1,100})(?=;|$)/;

/** Only the browser that started the scan has the key. */
function findScanKey({ headers }: FastifyRequest): string | undefined {
  return VALUE.exec(headers.cookie ?? "")?.[1];
}

type Protection = Pick<Config, "tls" | "behindTlsProxy">;

/** For the scan's path only. Without a key, deletes the cookie. */
function setScanKey(
  reply: FastifyReply,
  config: Protection,
  id: string,
  key: string | undefined,
): void {
  const parts = [
    `${NAME}=${key ?? ""}`,
    `Path=/scan/${id}`,
    `Max-Age=${key === undefined ? 0 : MAX_AGE_SECONDS}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(config.tls || config.behindTlsProxy ? ["Secure"] : []),
  ];
  reply.header("set-cookie", parts.join("; "));
}

/** The page then says that the entered URL was completed. */
const COMPLETED = "?as=https";

interface ScanPath {
  Params: { id: string };
}

function sendPage(reply: FastifyReply, page: string, policy: string): FastifyReply {
  return reply
    .headers({ "content-security-policy": policy, vary: "Accept" })
    .type("text/html; charset=utf-8")
    .send(page);
}

function sendJson(reply: FastifyReply, body: object): FastifyReply {
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(body));
}

function findDeleteKey(request: FastifyRequest): string | undefined {
  const { body, query } = request as { body?: { key?: unknown }; query?: { key?: unknown } };
  const given = [body?.key, query?.key].find((key) => typeof key === "string");
  return given ?? findScanKey(request);
}

async function getScan(
  deps: Deps,
  request: FastifyRequest<ScanPath>,
  reply: FastifyReply,
): Promise<Scan> {
  const scan = await readForAnybody(deps, request, reply, () =>
    findScan(deps.database.sql, request.params.id, languageOf(request)),
  );
  if (scan === undefined) throw new AppError("scan_not_found", {});
  return scan;
}

export const scanRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (door) => {
    const { config } = deps;
    const streams = createStreams(deps);
    const pagePolicy = policyOf(SCAN_SCRIPT);
    const cache = new Map<string, Promise<string | undefined>>();

    /** Renders once, because anyone may request the details as often as they like. */
    async function findDetails(
      reader: Reader,
      scan: Scan,
      evidence?: Uint8Array,
    ): Promise<string | undefined> {
      if (scan.check === undefined) return undefined;
      const key = [scan.id, scan.state, reader.language, reader.timeZone].join(" ");
      const details = cachePromise(cache, key, async () =>
        renderScanDetails(reader, scan, evidence && (await unpackPageAnswers(evidence))),
      );
      const [oldest] = cache.keys();
      if (cache.size > MAX_DETAILS && oldest !== undefined) cache.delete(oldest);
      return details;
    }

    acceptForms(door);
    identifyUsers(door, deps);
    door.setErrorHandler(createScanErrorHandler(deps));
    door.addHook("onRequest", (_request, reply, done) => {
      reply.header("x-robots-tag", "noindex");
      done();
    });

    door.get("/scan", (_request, reply) => reply.redirect("/", 303));

    door.post(
      "/scan",
      {
        onRequest: refuseForeignPages(config),
        preParsing: continueReadable,
        schema: { body: ScanRequest },
      },
      async (request, reply) => {
        const { url: input, typed, again = false } = request.body;
        const isProgram = wantsJson(request);
        const url = isProgram && typed === undefined ? input : completeUrl(input);
        const started = await startScan(
          deps,
          { url, again },
          findVisitor(request.raw, config.trustedProxies),
        );
        const { id, deleteKey } = started;
        if (deleteKey !== null) setScanKey(reply, config, id, deleteKey);
        const statusUrl = `/scan/${id}${url === input.trim() ? "" : COMPLETED}`;
        if (!isProgram) return reply.status(303).header("location", statusUrl).send();
        const body: StartedScanBody = { id, url: started.url, statusUrl };
        return sendJson(reply.status(202), body);
      },
    );

    door.get<ScanPath>("/scan/:id", { exposeHeadRoute: true }, async (request, reply) => {
      const { evidence, ...scan } = await getScan(deps, request, reply);
      if (wantsJson(request)) return sendJson(reply, ScanBody.parse(scan));
      const reader = readerOf(request);
      const page = renderScanPage({
        reader,
        site: siteOf(config, request.headers.host),
        scan,
        details: await findDetails(reader, scan, evidence),
        isCompleted: parameterOf(request, "as") !== undefined,
        deleteKey: findScanKey(request),
      });
      return sendPage(reply, page, pagePolicy);
    });

    door.get<ScanPath>("/scan/:id/events", async (request, reply) => {
      const { id } = await getScan(deps, request, reply);
      const language = languageOf(request);
      const visitor = findVisitor(request.raw, config.trustedProxies);
      return streams.send(reply, { owner: visitor }, async (send, signal) => {
        for await (const scan of watchScan(deps, id, signal)) {
          const { state, position, step } = scan;
          const text = describeProgress(scan, language);
          if (state === "waiting" || state === "running")
            send("state", { state, position, step, text });
        }
      });
    });

    door.get<ScanPath>("/scan/:id/delete", { exposeHeadRoute: true }, async (request, reply) => {
      const { id, url } = await getScan(deps, request, reply);
      const deleteKey = findDeleteKey(request);
      if (deleteKey === undefined) throw new AppError("scan_key_wrong", {});
      const site = siteOf(config, request.headers.host);
      const page = renderDeletePage({ reader: readerOf(request), site, id, url, deleteKey });
      return sendPage(reply, page, policyOf());
    });

    door.post<ScanPath>(
      "/scan/:id/delete",
      { onRequest: refuseForeignPages(config), preParsing: continueReadable },
      async (request, reply) => {
        const { id } = await getScan(deps, request, reply);
        await deleteScan(deps, id, findDeleteKey(request) ?? "").catch((error: unknown) => {
          throw isAppError(error, "scan_not_found") ? new AppError("scan_key_wrong", {}) : error;
        });
        setScanKey(reply, config, id, undefined);
        return reply.status(303).header("location", withFlash("/", "scan-deleted")).send();
      },
    );
  };
