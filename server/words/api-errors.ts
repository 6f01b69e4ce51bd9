import type { ApiErrorCode, HookErrorCode, ScanErrorCode } from "../../shared/error-codes.ts";
import {
  API_ERROR_CODES,
  API_ERRORS,
  HOOK_ERRORS,
  isApiErrorCode,
  SCAN_ERRORS,
} from "../../shared/error-codes.ts";
import { AppError, isAppError, type ErrorCode, type ErrorParameters } from "../base/errors.ts";
import { describeRefusal } from "./refusals.ts";
import { SCAN_REFUSALS } from "./scan-refusals.ts";

/** The codes that the API answers with. All refusals of a URL share one row; any other code becomes `internal`. */
type AnsweredCode =
  | Exclude<ApiErrorCode, `url_${string}`>
  | "url_refused"
  | ScanErrorCode
  | HookErrorCode;

type Sentence<Code extends ErrorCode> = string | ((parameters: ErrorParameters[Code]) => string);

/** With a plain space between the thousands. */
const writeNumber = (number: number) => number.toLocaleString("fr").replaceAll(/\s/g, " ");

const SENTENCES: { readonly [Code in AnsweredCode]: Sentence<Code> } = {
  http_unreadable: "La requête HTTP est illisible.",
  body_empty: "Le corps de la requête est vide ; envoyez du JSON avec un champ « url ».",
  body_not_json: "Le corps de la requête n'est pas du JSON valide.",
  body_too_large: ({ maxBytes }) =>
    `Le corps de la requête dépasse ${writeNumber(maxBytes)} octets.`,
  body_media_type: "Le corps de la requête doit être du JSON (Content-Type: application/json).",
  body_length_mismatch:
    "La longueur annoncée (Content-Length) ne correspond pas au corps de la requête.",
  body_is_batch:
    "Le corps de la requête doit être un seul message JSON-RPC, et non un tableau. Envoyez une requête par appel.",
  body_cut_off: "Le corps de la requête n'est pas arrivé en entier.",
  body_not_an_object: "Le corps de la requête doit être un objet JSON avec un champ « url ».",
  body_url_invalid: "Le champ « url » est requis et doit être une chaîne de caractères.",
  body_preview_invalid: "Le champ « preview » doit être true ou false.",
  body_headers_invalid:
    "Le champ « headers » n'accepte que x-vercel-protection-bypass, cf-access-client-id et cf-access-client-secret, chacun avec une valeur ASCII d'au plus 1 024 caractères.",
  idempotency_key_too_long: ({ maxLength }) =>
    `La clé d'idempotence (Idempotency-Key) dépasse ${maxLength} caractères.`,
  idempotency_key_reused:
    "Cette clé d'idempotence (Idempotency-Key) a déjà servi pour une autre requête.",
  url_refused: (refusal) => describeRefusal(refusal).fr,
  unauthorized: "Jeton invalide ou révoqué.",
  hook_refused:
    "Ce webhook n'existe pas, ou la signature de la requête manque, est fausse ou trop ancienne. Vérifiez l'adresse et le secret chez l'expéditeur.",
  hook_body_too_large: ({ maxBytes }) =>
    `Le corps de la requête dépasse ${writeNumber(maxBytes)} octets.`,
  too_many_ships: ({ limit, retryAfterSeconds }) =>
    `Ce projet a déjà ${limit} mises en production dans l'heure, le maximum. Renvoyez celle-ci dans ${retryAfterSeconds} s.`,
  mcp_team_only: "Le serveur MCP est réservé à l'offre Team.",
  origin_foreign:
    "La requête vient d'une page d'un autre site. Envoyez-la depuis une page de ce serveur, ou d'un programme, sans en-tête Origin.",
  host_foreign:
    "Ce serveur ne répond que sur sa propre machine, et la requête demande un autre hôte. Demandez localhost ou 127.0.0.1, ou nommez cet hôte dans SHIPSCORE_PUBLIC_URL.",
  scan_key_wrong: (refusal) => SCAN_REFUSALS.scan_key_wrong(refusal).fr,
  project_not_found: "Projet introuvable.",
  route_not_found: "Route introuvable.",
  method_not_allowed: ({ allow }) => `Seule la méthode ${allow} est acceptée à cette adresse.`,
  scan_refused_by_owner: (refusal) => SCAN_REFUSALS.scan_refused_by_owner(refusal).fr,
  scan_not_found: (refusal) => SCAN_REFUSALS.scan_not_found(refusal).fr,
  http_timeout: "La requête n'est pas arrivée à temps.",
  http_headers_too_long: "Les en-têtes de la requête sont trop longs.",
  quota_exceeded: ({ quota: { used, limit } }) =>
    `Quota du mois épuisé : ${used} vérifications utilisées sur ${limit}. Il sera renouvelé le 1er du mois prochain (UTC).`,
  scan_too_soon: (refusal) => SCAN_REFUSALS.scan_too_soon(refusal).fr,
  scan_visitor_bound: (refusal) => SCAN_REFUSALS.scan_visitor_bound(refusal).fr,
  scan_host_bound: (refusal) => SCAN_REFUSALS.scan_host_bound(refusal).fr,
  scan_proof_needed: (refusal) => SCAN_REFUSALS.scan_proof_needed(refusal).fr,
  internal:
    "Une erreur interne est survenue. Réessayez ; si elle persiste, transmettez l'identifiant X-Request-Id.",
  scan_queue_full: (refusal) => SCAN_REFUSALS.scan_queue_full(refusal).fr,
  busy: "Trop de vérifications sont en cours. Réessayez dans quelques secondes.",
  unavailable: "La base de données ne répond pas. Réessayez dans un instant.",
  shutting_down: "Le service s'arrête. Réessayez dans quelques secondes.",
  idempotency_key_running:
    "La première requête de cette clé d'idempotence est encore en cours. Réessayez dans quelques secondes.",
  check_interrupted:
    "La vérification n'a pas pu être terminée. Réessayez : aucun crédit n'a été consommé.",
  check_stopped:
    "La vérification de cette page a dû être arrêtée, car elle perturbait le serveur. Aucun crédit n'a été consommé ; si cela se reproduit dans l'heure, un crédit le sera.",
};

const OTHER_STATUSES = { ...SCAN_ERRORS, ...HOOK_ERRORS };

const isAnswered = (error: AppError): error is AppError<AnsweredCode> => error.code in SENTENCES;

/** An error as the API answers it: the code goes into the header, the sentence into the body. */
export interface ErrorAnswer {
  status: number;
  code: ApiErrorCode | ScanErrorCode | HookErrorCode;
  sentence: string;
}

/** Errors that only concern the operator are answered as `internal`. */
export function describeError(error: AppError): ErrorAnswer {
  return writeAnswer(isAnswered(error) ? error : new AppError("internal", {}));
}

function writeAnswer<Code extends AnsweredCode>(error: AppError<Code>): ErrorAnswer {
  const sentence = SENTENCES[error.code];
  const words = typeof sentence === "string" ? sentence : sentence(error.parameters);
  const code = isAppError(error, "url_refused")
    ? (`url_${error.parameters.code}` as const)
    : (error.code as ErrorAnswer["code"]);
  const status = isApiErrorCode(code) ? API_ERRORS[code].status : OTHER_STATUSES[code];
  return { status, code, sentence: words };
}

/** The codes that are answered with this status. */
export const listErrorCodes = (status: number): ApiErrorCode[] =>
  API_ERROR_CODES.filter((code) => API_ERRORS[code].status === status);
