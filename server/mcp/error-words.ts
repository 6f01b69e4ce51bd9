import type { AppError, ErrorCode } from "../errors.ts";
import { RETRY_AFTER_SECONDS } from "../http/failure.ts";
import { describeError } from "../words/api-errors.ts";

/** What an assistant may do about the errors that it can mend; they follow the API's sentence. */
const ADVICE = {
  url_refused: "Corrigez l'adresse, puis rappelez run_check : aucun crédit n'a été consommé.",
  quota_exceeded: "Ne rappelez pas run_check d'ici là ; les autres outils restent gratuits.",
  project_not_found:
    "Appelez list_projects : il donne l'identifiant et le nom exact de chaque projet.",
  busy: `Rappelez run_check dans ${RETRY_AFTER_SECONDS} secondes : aucun crédit n'a été consommé.`,
  check_interrupted: `Rappelez run_check dans ${RETRY_AFTER_SECONDS} secondes.`,
  check_stopped: "Ne rappelez run_check pour cette page qu'une fois.",
} satisfies { readonly [Code in ErrorCode]?: string };

type MendableCode = keyof typeof ADVICE;

/** What an assistant is told of an error that it can mend: what happened, then what to do; undefined for any other. */
export function adviseOn(error: AppError): string | undefined {
  if (!isMendable(error)) return undefined;
  return `${describeError(error).sentence} ${ADVICE[error.code]}`;
}

const isMendable = (error: AppError): error is AppError<MendableCode> => error.code in ADVICE;
