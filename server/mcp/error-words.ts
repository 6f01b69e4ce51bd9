import { isAppError, type AppError, type ErrorCode } from "../base/errors.ts";
import { BUSY_SECONDS } from "../http/failure.ts";
import { describeError } from "../words/api-errors.ts";

/** What an assistant may do about the errors that it can fix; follows the sentence that says what happened. */
const ADVICE = {
  url_refused: "Corrigez l'adresse, puis rappelez run_check : aucun crédit n'a été consommé.",
  quota_exceeded: "Ne rappelez pas run_check d'ici là ; les autres outils restent gratuits.",
  project_not_found: "Appelez list_projects : il donne l'identifiant de chaque projet.",
  project_ambiguous: "Rappelez l'outil avec l'un de ces identifiants.",
  rule_not_found:
    "Rappelez explain_rule avec cet identifiant, ou avec un autre d'un résultat de run_check.",
  busy: `Rappelez run_check dans ${BUSY_SECONDS} secondes : aucun crédit n'a été consommé.`,
  check_interrupted: `Rappelez run_check dans ${BUSY_SECONDS} secondes.`,
  check_stopped: "Ne rappelez run_check pour cette page qu'une fois.",
} satisfies { readonly [Code in ErrorCode]?: string };

type FixableCode = keyof typeof ADVICE;

const MAX_NAMED = 10;

/** The API's sentence; the errors that only tools have are said here. */
function describe(error: AppError<FixableCode>): string {
  if (isAppError(error, "rule_not_found"))
    return `Règle introuvable ; la plus proche est ${error.parameters.nearest}.`;
  if (!isAppError(error, "project_ambiguous")) return describeError(error).sentence;
  const { projectIds } = error.parameters;
  const named = projectIds.slice(0, MAX_NAMED).join(", ");
  return `${projectIds.length} projets portent ce nom : ${named}${projectIds.length > MAX_NAMED ? "…" : "."}`;
}

/** What an assistant is told of an error that it can fix: what happened, then what to do; undefined for any other. */
export function adviseOn(error: AppError): string | undefined {
  return isFixable(error) ? `${describe(error)} ${ADVICE[error.code]}` : undefined;
}

const isFixable = (error: AppError): error is AppError<FixableCode> => error.code in ADVICE;
