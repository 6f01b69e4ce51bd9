import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { secondsToNextMonth } from "../access/quota.ts";
import type { Deps } from "../deps.ts";
import { AppError, isAppError, type ErrorCode } from "../errors.ts";
import { describeError } from "./error-words.ts";

const STATUSES: Readonly<Record<ErrorCode, number>> = {
  bad_request: 400,
  url_refused: 400,
  unauthorized: 401,
  project_not_found: 404,
  route_not_found: 404,
  quota_exceeded: 429,
  refused_operation: 500,
  usage: 500,
  busy: 503,
  unavailable: 503,
  check_stopped: 503,
};

const RETRY_AFTER_SECONDS = 2;
const INTERNAL =
  "Une erreur interne est survenue. Réessayez ; si elle persiste, transmettez l'identifiant X-Request-Id.";

const shuttingDown = () =>
  new AppError("unavailable", {
    message: "Le service s'arrête. Réessayez dans quelques secondes.",
  });

/** What Fastify itself refuses in a request's body, always a 400 (contract, Statuses). */
const BODY_ERRORS: Readonly<Record<string, string>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY:
    "Le corps de la requête est vide ; envoyez du JSON avec un champ « url ».",
  FST_ERR_CTP_INVALID_JSON_BODY: "Le corps de la requête n'est pas du JSON valide.",
  FST_ERR_CTP_BODY_TOO_LARGE: "Le corps de la requête dépasse 16 384 octets.",
  FST_ERR_CTP_INVALID_MEDIA_TYPE:
    "Le corps de la requête doit être du JSON (Content-Type: application/json).",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH:
    "La longueur annoncée (Content-Length) ne correspond pas au corps de la requête.",
};

const CUT_OFF = "Le corps de la requête n'est pas arrivé en entier.";

const FIELD_ERRORS: Readonly<Record<string, string>> = {
  "": "Le corps de la requête doit être un objet JSON avec un champ « url ».",
  url: "Le champ « url » est requis et doit être une chaîne de caractères.",
  preview: "Le champ « preview » doit être true ou false.",
  headers:
    "Le champ « headers » n'accepte que x-vercel-protection-bypass, cf-access-client-id et cf-access-client-secret, chacun avec une valeur ASCII d'au plus 1 024 caractères.",
};

function toAppError(error: unknown, request: FastifyRequest): AppError | undefined {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const field = error.validation[0]?.instancePath.split("/")[1] ?? "";
    return new AppError("bad_request", { message: FIELD_ERRORS[field] ?? FIELD_ERRORS[""] ?? "" });
  }
  if (error === request.raw.errored) return new AppError("bad_request", { message: CUT_OFF });
  const { code, statusCode } = error as Partial<FastifyError>;
  const message = BODY_ERRORS[code ?? ""];
  if (message !== undefined) return new AppError("bad_request", { message });
  if (error instanceof SyntaxError && statusCode === 400) {
    return new AppError("bad_request", {
      message: BODY_ERRORS["FST_ERR_CTP_INVALID_JSON_BODY"] ?? "",
    });
  }
  return undefined;
}

/** The one place where a failure becomes a status and a French sentence; an unknown one is logged whole and never told. */
export function createErrorHandler(deps: Deps) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const known =
      toAppError(error, request) ?? (deps.stopping.aborted ? shuttingDown() : undefined);
    const status = known === undefined ? 500 : STATUSES[known.code];
    if (status === 500) deps.log.error({ err: error, requestId: request.id }, "request failed");
    if (known?.code === "unauthorized") reply.header("www-authenticate", "Bearer");
    if (known?.code === "busy") reply.header("x-shipscore-busy", "1");
    if (status === 503) reply.header("retry-after", RETRY_AFTER_SECONDS);
    reply.status(status);
    if (known === undefined || status === 500) return sendJson(reply, { error: INTERNAL });
    const body = { error: describeError(known) };
    if (!isAppError(known, "quota_exceeded")) return sendJson(reply, body);
    const { quota, askedAt } = known.parameters;
    deps.metrics.quotaRefusals.inc();
    reply.header("retry-after", secondsToNextMonth(askedAt));
    return sendJson(reply, { ...body, quota });
  };
}

function sendJson(reply: FastifyReply, body: object): FastifyReply {
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(body));
}

const UNREADABLE: Readonly<Record<string, [status: number, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Les en-têtes de la requête sont trop longs."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "La requête n'est pas arrivée à temps."],
};

/** Answers what Node could not read as HTTP, on the bare socket; nothing of the request is repeated. */
export function answerUnreadable(
  error: Error & { code?: string },
  socket: Socket,
  requestId: string,
): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, sentence] = UNREADABLE[error.code ?? ""] ?? [
    400,
    "La requête HTTP est illisible.",
  ];
  const text = JSON.stringify({ error: sentence });
  const lines = Object.entries({
    "X-Request-Id": requestId,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(text)),
    Connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${text}`);
}
