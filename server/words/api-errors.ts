import {
  API_ERROR_CODES,
  type ApiErrorCode,
  type HookErrorCode,
  type ScanErrorCode,
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

type ErrorRow<Code extends ErrorCode> = readonly [
  status: number,
  sentence: string | ((parameters: ErrorParameters[Code]) => string),
];

/** With a plain space between the thousands. */
const writeNumber = (number: number) => number.toLocaleString("fr").replaceAll(/\s/g, " ");

const ANSWERS: { readonly [Code in AnsweredCode]: ErrorRow<Code> } = {
  http_unreadable: [400, "La requête HTTP est illisible."],
  body_empty: [400, "Le corps de la requête est vide ; envoyez du JSON avec un champ « url »."],
  body_not_json: [400, "Le corps de la requête n'est pas du JSON valide."],
  body_too_large: [
    400,
    ({ maxBytes }) => `Le corps de la requête dépasse ${writeNumber(maxBytes)} octets.`,
  ],
  body_media_type: [
    400,
    "Le corps de la requête doit être du JSON (Content-Type: application/json).",
  ],
  body_length_mismatch: [
    400,
    "La longueur annoncée (Content-Length) ne correspond pas au corps de la requête.",
  ],
  body_is_batch: [
    400,
    "Le corps de la requête doit être un seul message JSON-RPC, et non un tableau. Envoyez une requête par appel.",
  ],
  body_cut_off: [400, "Le corps de la requête n'est pas arrivé en entier."],
  body_not_an_object: [
    400,
    "Le corps de la requête doit être un objet JSON avec un champ « url ».",
  ],
  body_url_invalid: [400, "Le champ « url » est requis et doit être une chaîne de caractères."],
  body_preview_invalid: [400, "Le champ « preview » doit être true ou false."],
  body_headers_invalid: [
    400,
    "Le champ « headers » n'accepte que x-vercel-protection-bypass, cf-access-client-id et cf-access-client-secret, chacun avec une valeur ASCII d'au plus 1 024 caractères.",
  ],
  idempotency_key_too_long: [
    400,
    ({ maxLength }) => `La clé d'idempotence (Idempotency-Key) dépasse ${maxLength} caractères.`,
  ],
  idempotency_key_reused: [
    400,
    "Cette clé d'idempotence (Idempotency-Key) a déjà servi pour une autre requête.",
  ],
  url_refused: [400, (refusal) => describeRefusal(refusal).fr],
  unauthorized: [401, "Jeton invalide ou révoqué."],
  hook_refused: [
    401,
    "Ce webhook n'existe pas, ou la signature de la requête manque, est fausse ou trop ancienne. Vérifiez l'adresse et le secret chez l'expéditeur.",
  ],
  hook_body_too_large: [
    413,
    ({ maxBytes }) => `Le corps de la requête dépasse ${writeNumber(maxBytes)} octets.`,
  ],
  mcp_team_only: [403, "Le serveur MCP est réservé à l'offre Team."],
  origin_foreign: [
    403,
    "La requête vient d'une page d'un autre site. Envoyez-la depuis une page de ce serveur, ou d'un programme, sans en-tête Origin.",
  ],
  scan_key_wrong: [403, (refusal) => SCAN_REFUSALS.scan_key_wrong(refusal).fr],
  project_not_found: [404, "Projet introuvable."],
  route_not_found: [404, "Route introuvable."],
  method_not_allowed: [
    405,
    ({ allow }) => `Seule la méthode ${allow} est acceptée à cette adresse.`,
  ],
  scan_refused_by_owner: [403, (refusal) => SCAN_REFUSALS.scan_refused_by_owner(refusal).fr],
  scan_not_found: [404, (refusal) => SCAN_REFUSALS.scan_not_found(refusal).fr],
  http_timeout: [408, "La requête n'est pas arrivée à temps."],
  http_headers_too_long: [431, "Les en-têtes de la requête sont trop longs."],
  quota_exceeded: [
    429,
    ({ quota: { used, limit } }) =>
      `Quota du mois épuisé : ${used} vérifications utilisées sur ${limit}. Il sera renouvelé le 1er du mois prochain (UTC).`,
  ],
  scan_too_soon: [429, (refusal) => SCAN_REFUSALS.scan_too_soon(refusal).fr],
  scan_visitor_bound: [429, (refusal) => SCAN_REFUSALS.scan_visitor_bound(refusal).fr],
  scan_host_bound: [429, (refusal) => SCAN_REFUSALS.scan_host_bound(refusal).fr],
  scan_proof_needed: [429, (refusal) => SCAN_REFUSALS.scan_proof_needed(refusal).fr],
  internal: [
    500,
    "Une erreur interne est survenue. Réessayez ; si elle persiste, transmettez l'identifiant X-Request-Id.",
  ],
  scan_queue_full: [503, (refusal) => SCAN_REFUSALS.scan_queue_full(refusal).fr],
  busy: [503, "Trop de vérifications sont en cours. Réessayez dans quelques secondes."],
  unavailable: [503, "La base de données ne répond pas. Réessayez dans un instant."],
  shutting_down: [503, "Le service s'arrête. Réessayez dans quelques secondes."],
  idempotency_key_running: [
    503,
    "La première requête de cette clé d'idempotence est encore en cours. Réessayez dans quelques secondes.",
  ],
  check_interrupted: [
    503,
    "La vérification n'a pas pu être terminée. Réessayez : aucun crédit n'a été consommé.",
  ],
  check_stopped: [
    503,
    "La vérification de cette page a dû être arrêtée, car elle perturbait le serveur. Aucun crédit n'a été consommé ; si cela se reproduit dans l'heure, un crédit le sera.",
  ],
};

const isAnswered = (error: AppError): error is AppError<AnsweredCode> => error.code in ANSWERS;

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
  const [status, sentence] = ANSWERS[error.code];
  const words = typeof sentence === "string" ? sentence : sentence(error.parameters);
  const code = isAppError(error, "url_refused")
    ? (`url_${error.parameters.code}` as const)
    : (error.code as ErrorAnswer["code"]);
  return { status, code, sentence: words };
}

/** The codes that are answered with this status. */
export function listErrorCodes(status: number): ApiErrorCode[] {
  return API_ERROR_CODES.filter((code) => {
    const row = code.startsWith("url_") ? ANSWERS.url_refused : ANSWERS[code as AnsweredCode];
    return row[0] === status;
  });
}
