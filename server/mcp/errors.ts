import { isAppError, type AppError, type ErrorCode } from "../base/errors.ts";
import type { Language, Text } from "../../shared/language.ts";
import { BUSY_SECONDS, describeError } from "../http/errors.ts";

/** Each advice follows the sentence about what happened. */
const ADVICE = {
  url_refused: {
    fr: "Corrigez l'URL, puis rappelez run_check : rien n'a été décompté du quota.",
    en: "Correct the URL, then call run_check again: nothing was counted against the quota.",
  },
  quota_exceeded: {
    fr: "Ne rappelez pas run_check d'ici là ; les autres outils ne consomment pas de quota.",
    en: "Do not call run_check until then; the other tools use no quota.",
  },
  project_not_found: {
    fr: "Appelez list_projects, qui renvoie l'identifiant de chaque projet.",
    en: "Call list_projects: it returns the ID of each project.",
  },
  project_ambiguous: {
    fr: "Rappelez l'outil avec l'un de ces identifiants.",
    en: "Call the tool again with one of these IDs.",
  },
  rule_not_found: {
    fr: "Rappelez explain_rule avec cet identifiant, ou avec un autre, tiré d'un résultat de run_check.",
    en: "Call explain_rule again with this ID, or with another one from a run_check result.",
  },
  busy: {
    fr: `Rappelez run_check dans ${BUSY_SECONDS} secondes : rien n'a été décompté du quota.`,
    en: `Call run_check again in ${BUSY_SECONDS} seconds: nothing was counted against the quota.`,
  },
  too_many_reads: {
    fr: "Rappelez l'outil dans une seconde, et appelez moins d'outils à la fois.",
    en: "Call the tool again in a second, and call fewer tools at a time.",
  },
  check_interrupted: {
    fr: `Rappelez run_check dans ${BUSY_SECONDS} secondes.`,
    en: `Call run_check again in ${BUSY_SECONDS} seconds.`,
  },
  check_stopped: {
    fr: "Rappelez run_check une seule fois pour cette page.",
    en: "Call run_check for this page only once more.",
  },
} satisfies { readonly [Code in ErrorCode]?: Text };

type FixableCode = keyof typeof ADVICE;

const MAX_NAMED = 10;

/** Errors that only tools have get their sentences here. */
function describe(error: AppError<FixableCode>, language: Language): string {
  if (isAppError(error, "rule_not_found")) {
    const { nearest } = error.parameters;
    return {
      fr: `Règle introuvable ; la plus proche est ${nearest}.`,
      en: `There is no such rule; the closest is ${nearest}.`,
    }[language];
  }
  if (!isAppError(error, "project_ambiguous")) return describeError(error, language).sentence;
  const { projectIds } = error.parameters;
  const end = projectIds.length > MAX_NAMED ? "…" : ".";
  const named = projectIds.slice(0, MAX_NAMED).join(", ") + end;
  return {
    fr: `${projectIds.length} projets portent ce nom : ${named}`,
    en: `${projectIds.length} projects have this name: ${named}`,
  }[language];
}

export function describeFixable(error: AppError, language: Language): string | undefined {
  return isFixable(error)
    ? `${describe(error, language)} ${ADVICE[error.code][language]}`
    : undefined;
}

const isFixable = (error: AppError): error is AppError<FixableCode> => error.code in ADVICE;

/** The JSON-RPC specification defines both codes. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

const UNPARSEABLE: readonly ErrorCode[] = [
  "body_empty",
  "body_not_json",
  "body_cut_off",
  "body_length_mismatch",
];

const EMPTY = "Le corps de la requête est vide ; envoyez un message JSON-RPC.";

/** Returns a JSON-RPC body if the request was not a protocol message, otherwise a body as in the API. */
export function composeError({ code }: AppError, sentence: string): object {
  if (!code.startsWith("body_")) return { error: sentence };
  const error = {
    code: UNPARSEABLE.includes(code) ? PARSE_ERROR : INVALID_REQUEST,
    message: code === "body_empty" ? EMPTY : sentence,
  };
  return { jsonrpc: "2.0", error, id: null };
}

export const UNKNOWN_TOOL =
  "Cet outil n'existe pas. Appelez tools/list pour connaître ceux du serveur.";

export function describeInvalidArguments(tool: string, fields: readonly string[]): Text {
  const named = (open: string, close: string) =>
    fields.map((field) => `${open}${field}${close}`).join(", ");
  return {
    fr: `Les arguments de ${tool} ne sont pas valides : ${named("« ", " »")}. Consultez son inputSchema.`,
    en: `The arguments of ${tool} are not valid: ${named("“", "”")}. See its inputSchema.`,
  };
}
