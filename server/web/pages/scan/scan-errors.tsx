import type { FastifyReply, FastifyRequest } from "fastify";
import {
  ERROR_HEADER,
  SCAN_ERRORS,
  sayError,
  type WireErrorCode,
} from "../../../../shared/errors.ts";
import type { Deps } from "../../../deps.ts";
import { type AppError, describeRefusal, isAppError } from "../../../base/errors.ts";
import {
  createErrorHandler as createJsonErrorHandler,
  describeError,
  refuseWith,
  toAppError,
} from "../../../http/errors.ts";
import type { Text } from "../../../base/language.ts";
import { createErrorHandler } from "../../kit/error-pages.tsx";
import { readerOf } from "../../kit/session/page.ts";
import { renderHomePage } from "./home-page.tsx";
import { SCAN_SCRIPT } from "./scan-script.ts";
import { FIELD_PROBLEMS, OBSTACLES } from "./scan-words.ts";
import { FORM } from "../../kit/forms.ts";
import { siteOf } from "../../kit/site.ts";
import { policyOf } from "../../kit/style.ts";

/** True for programs: those that ask for JSON, and those that send something else than a page's form. */
export function wantsJson({ method, headers, mediaType }: FastifyRequest): boolean {
  const accept = headers.accept?.toLowerCase() ?? "";
  if (accept.includes("application/json") && !accept.includes("text/html")) return true;
  return method === "POST" && mediaType !== FORM;
}

/** What is wrong with the field of the page, if that is what is wrong. */
function findProblem(error: AppError): Text | undefined {
  if (isAppError(error, "url_refused")) return describeRefusal(error.parameters);
  return FIELD_PROBLEMS[error.code];
}

/** Why the scan could not be started. */
const findRefusal = ({ code, parameters }: AppError): Text | undefined =>
  code in SCAN_ERRORS ? sayError(code as WireErrorCode, parameters) : OBSTACLES[code];

/**
 * Puts the failures of the scan's routes into words: for programs as the API does; for people on the page with the
 * field, which keeps what was typed, or on a page of its own.
 */
export function createScanErrorHandler(deps: Deps) {
  const answerJson = createJsonErrorHandler(deps);
  const showPage = createErrorHandler(deps, readerOf);
  return async (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    if (wantsJson(request)) return answerJson(error, request, reply);
    const known = toAppError(error, request, deps);
    const problem = findProblem(known);
    const refusal = findRefusal(known);
    const isForm = request.method === "POST" && request.routeOptions.url === "/scan";
    if (!isForm || (problem === undefined && refusal === undefined))
      return showPage(known, request, reply);
    const { status, code } = describeError(known);
    const typed = (request.body as { url?: unknown } | undefined)?.url;
    const url = typeof typed === "string" ? typed : "";
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
