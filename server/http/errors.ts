import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { writeMembers } from "../../shared/dictionary.ts";
import {
  ERROR_HEADER,
  isWireErrorCode,
  PARAMETERS_HEADER,
  parametersOf,
  sayError,
  WIRE_ERRORS,
  type WireErrorCode,
} from "../../shared/errors.ts";
import { AppError, isAppError, shortenHost, type ErrorCode } from "../base/errors.ts";
import type { Language } from "../../shared/language.ts";
import { oneLineEach } from "../base/syntax/text.ts";
import { secondsToNextMonth } from "../checks/quota.ts";
import type { Deps, ProcessDeps } from "../deps.ts";
import { isEnded } from "./listener.ts";

/** The Retry-After of a 503, unless the error has its own. */
export const BUSY_SECONDS = 2;
/** Retry-After for an account with too many concurrent reads. */
const READ_AGAIN_SECONDS = 1;

function findWait(status: number, error?: AppError): number | undefined {
  if (error && isAppError(error, "quota_exceeded"))
    return secondsToNextMonth(error.parameters.askedAt);
  if (error && isAppError(error, "too_many_reads")) return READ_AGAIN_SECONDS;
  const { retryAfterSeconds } = (error?.parameters ?? {}) as { retryAfterSeconds?: number };
  return retryAfterSeconds ?? (status === 503 ? BUSY_SECONDS : undefined);
}

export function refuseWith(reply: FastifyReply, status: number, error?: AppError): FastifyReply {
  const seconds = findWait(status, error);
  if (seconds !== undefined) reply.header("retry-after", seconds);
  return reply.status(status);
}

export function toRequestError(error: unknown, { stopping }: ProcessDeps): AppError {
  if (error instanceof AppError) return error;
  return new AppError(stopping.aborted ? "shutting_down" : "internal", {});
}

/** The limit of characters for one text among an error's parameters. */
const MAX_TEXT_LENGTH = 300;

interface ErrorAnswer {
  status: number;
  code: WireErrorCode;
  /** A dictionary as defined by RFC 9651. */
  parameters: string | undefined;
  sentence: string;
}

/** The parameters that sentences may contain. */
function findParameters(error: AppError): Readonly<Record<string, unknown>> {
  if (isAppError(error, "url_refused")) return { host: shortenHost(error.parameters.host) };
  return isAppError(error, "quota_exceeded") ? error.parameters.quota : error.parameters;
}

/** Errors that concern only the operator are answered as `internal`. */
export function describeError(error: AppError, language: Language = "fr"): ErrorAnswer {
  const code = isAppError(error, "url_refused")
    ? (`url_${error.parameters.code}` as const)
    : error.code;
  if (!isWireErrorCode(code)) return describeError(new AppError("internal", {}), language);
  const values = findParameters(error);
  return {
    status: WIRE_ERRORS[code].status,
    code,
    parameters: writeMembers(parametersOf(code), oneLineEach(values, MAX_TEXT_LENGTH)),
    sentence: sayError(code, values)[language],
  };
}

type BodyError = Exclude<Extract<ErrorCode, `body_${string}`>, "body_too_large">;

type OutsideBodyError = "route_not_found" | "http_unreadable";

/** Errors in a request's body that Fastify itself detects; always a 400. */
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

function findSchemaError(error: unknown): BodyError | OutsideBodyError | undefined {
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

export function toAppError(error: unknown, request: FastifyRequest, deps: Deps): AppError {
  if ((error as Partial<FastifyError>).code === "FST_ERR_CTP_BODY_TOO_LARGE")
    return new AppError("body_too_large", { maxBytes: request.routeOptions.bodyLimit });
  const code = findSchemaError(error) ?? findBodyError(error, request);
  return code === undefined ? toRequestError(error, deps) : new AppError(code, {});
}

type ComposeBody = (error: AppError, sentence: string) => object;

const composeApiError: ComposeBody = (error, sentence) =>
  isAppError(error, "quota_exceeded")
    ? { error: sentence, quota: error.parameters.quota }
    : { error: sentence };

/**
 * Only this function turns a failure into a status and a French sentence for programs. Unexpected failures are logged in full, not
 * disclosed.
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

/** Answers bytes that Node could not parse as HTTP. The answer repeats none of them. */
export function answerUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
): void {
  // The request with this body has been answered already.
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
