import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { ERROR_HEADER } from "../../shared/error-codes.ts";
import { PARAMETERS_HEADER } from "../../shared/error-parameters.ts";
import type { Deps } from "../deps.ts";
import { AppError, isAppError, type ErrorCode } from "../base/errors.ts";
import { refuseWith, toRequestError } from "./failure.ts";
import { isEnded } from "./node-http.ts";
import { describeError } from "../words/api-errors.ts";

type BodyError = Exclude<Extract<ErrorCode, `body_${string}`>, "body_too_large">;

/** What is wrong with a request outside its body, as far as a route's schema goes. */
type UnfitError = "route_not_found" | "http_unreadable";

/** Errors in a request's body that Fastify itself detects; always a 400 (contract, Statuses). */
const BODY_ERRORS: Readonly<Record<string, BodyError>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: "body_empty",
  FST_ERR_CTP_INVALID_JSON_BODY: "body_not_json",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "body_media_type",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "body_length_mismatch",
};

const FIELD_ERRORS: Readonly<Record<string, BodyError>> = {
  url: "body_url_invalid",
  preview: "body_preview_invalid",
  headers: "body_headers_invalid",
};

/** What does not fit a route's schema. A path that does not fit leads nowhere. */
function findSchemaError(error: unknown): BodyError | UnfitError | undefined {
  if (!hasZodFastifySchemaValidationErrors(error)) return undefined;
  if (error.validationContext === "params") return "route_not_found";
  if (error.validationContext !== "body") return "http_unreadable";
  const field = error.validation[0]?.instancePath.split("/")[1] ?? "";
  return FIELD_ERRORS[field] ?? "body_not_an_object";
}

function findBodyError(error: unknown, request: FastifyRequest): BodyError | undefined {
  if (error === request.raw.errored) return "body_cut_off";
  const { code, statusCode } = error as Partial<FastifyError>;
  if (error instanceof SyntaxError && statusCode === 400) return "body_not_json";
  return BODY_ERRORS[code ?? ""];
}

/** A failed request's error: what is wrong with its body, or what a verb threw. */
export function toAppError(error: unknown, request: FastifyRequest, deps: Deps): AppError {
  if ((error as Partial<FastifyError>).code === "FST_ERR_CTP_BODY_TOO_LARGE")
    return new AppError("body_too_large", { maxBytes: request.routeOptions.bodyLimit });
  const code = findSchemaError(error) ?? findBodyError(error, request);
  return code === undefined ? toRequestError(error, deps) : new AppError(code, {});
}

type ComposeBody = (error: AppError, sentence: string) => object;

const composeApiError: ComposeBody = (error, sentence) => {
  if (isAppError(error, "quota_exceeded"))
    return { error: sentence, quota: error.parameters.quota };
  if (!isAppError(error, "scan_proof_needed")) return { error: sentence };
  const { challenge, bits, expiresAt } = error.parameters;
  return { error: sentence, challenge, bits, expiresAt };
};

/**
 * The only place where a door of programs turns a failure into a status and a French sentence. An unexpected failure is
 * logged in full and not disclosed.
 */
export function createErrorHandler(deps: Deps, composeBody = composeApiError) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const known = toAppError(error, request, deps);
    const { status, code, parameters, sentence } = describeError(known);
    if (status === 500) deps.log.error({ err: error, requestId: request.id }, "request failed");
    if (code === "unauthorized") reply.header("www-authenticate", "Bearer");
    if (code === "busy") reply.header("x-shipscore-busy", "1");
    if (isAppError(known, "method_not_allowed")) reply.header("allow", known.parameters.allow);
    if (parameters !== undefined) reply.header(PARAMETERS_HEADER, parameters);
    return refuseWith(reply, status, known)
      .header(ERROR_HEADER, code)
      .type("application/json; charset=utf-8")
      .send(JSON.stringify(composeBody(known, sentence)));
  };
}

const UNREADABLE: Readonly<Record<string, Extract<ErrorCode, `http_${string}`>>> = {
  HPE_HEADER_OVERFLOW: "http_headers_too_long",
  ERR_HTTP_REQUEST_TIMEOUT: "http_timeout",
};

/** Answers what Node could not parse as HTTP, directly on the socket; repeats nothing of the request. */
export function answerUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
): void {
  // The answer to the request whose body this is has been given.
  if (isEnded(socket)) return;
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const failure = new AppError(UNREADABLE[error.code ?? ""] ?? "http_unreadable", {});
  const { status, code, sentence } = describeError(failure);
  const text = JSON.stringify({ error: sentence });
  const lines = Object.entries({
    "X-Request-Id": requestId,
    [ERROR_HEADER]: code,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(text)),
    Connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${text}`);
}
