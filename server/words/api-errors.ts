import type { ApiErrorCode, HookErrorCode, ScanErrorCode } from "../../shared/error-codes.ts";
import {
  API_ERROR_CODES,
  API_ERRORS,
  HOOK_ERRORS,
  isApiErrorCode,
  SCAN_ERRORS,
} from "../../shared/error-codes.ts";
import { writeParameters } from "../../shared/error-parameters.ts";
import { sayError } from "../../shared/error-words.ts";
import { AppError, isAppError, type ErrorParameters } from "../base/errors.ts";
import type { Language } from "../base/language.ts";
import { oneLineEach } from "../base/syntax/one-line.ts";
import { shortenHost } from "./refusals.ts";
import { describeScanRefusal } from "./scan-refusals.ts";

/** The most characters of a text among an error's parameters. */
const MAX_TEXT_LENGTH = 300;

/** With a plain space between the thousands. */
const writeNumber = (number: number) => number.toLocaleString("fr").replaceAll(/\s/g, " ");

const HOOK_SENTENCES: {
  readonly [Code in HookErrorCode]: (parameters: ErrorParameters[Code]) => string;
} = {
  hook_refused: () =>
    "Ce webhook n'existe pas, ou la signature de la requête manque, est fausse ou trop ancienne. Vérifiez l'adresse et le secret chez l'expéditeur.",
  hook_body_too_large: ({ maxBytes }) =>
    `Le corps de la requête dépasse ${writeNumber(maxBytes)} octets.`,
  too_many_ships: ({ limit, retryAfterSeconds }) =>
    `Ce projet a déjà ${limit} déploiements dans l'heure, le maximum. Renvoyez celui-ci dans ${retryAfterSeconds} s.`,
};

/** An error as the API answers it: the code and its parameters go into headers, the sentence into the body. */
export interface ErrorAnswer {
  status: number;
  code: ApiErrorCode | ScanErrorCode | HookErrorCode;
  /** A dictionary of RFC 9651. */
  parameters: string | undefined;
  sentence: string;
}

function findCode(error: AppError): ErrorAnswer["code"] | undefined {
  const code = isAppError(error, "url_refused") ? `url_${error.parameters.code}` : error.code;
  const isAnswered = isApiErrorCode(code) || code in SCAN_ERRORS || code in HOOK_ERRORS;
  return isAnswered ? (code as ErrorAnswer["code"]) : undefined;
}

/** What sentences may say of an error. */
function findParameters(error: AppError): Readonly<Record<string, unknown>> {
  if (isAppError(error, "url_refused")) return { host: shortenHost(error.parameters.host) };
  return isAppError(error, "quota_exceeded") ? error.parameters.quota : error.parameters;
}

/** Errors that only concern the operator are answered as `internal`. */
export function describeError(error: AppError, language: Language = "fr"): ErrorAnswer {
  const code = findCode(error);
  if (code === undefined) return describeError(new AppError("internal", {}), language);
  const parameters = findParameters(error);
  const told = writeParameters(code, oneLineEach(parameters, MAX_TEXT_LENGTH));
  if (isApiErrorCode(code)) {
    const sentence = sayError(code, parameters)[language];
    return { status: API_ERRORS[code].status, code, parameters: told, sentence };
  }
  const ofScan = describeScanRefusal(error);
  const say = HOOK_SENTENCES[code as HookErrorCode] as (said: typeof parameters) => string;
  const sentence = ofScan?.[language] ?? say(parameters);
  return { status: { ...SCAN_ERRORS, ...HOOK_ERRORS }[code], code, parameters: told, sentence };
}

/** The codes that are answered with this status. */
export const listErrorCodes = (status: number): ApiErrorCode[] =>
  API_ERROR_CODES.filter((code) => API_ERRORS[code].status === status);
