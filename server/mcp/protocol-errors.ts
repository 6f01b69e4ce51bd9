import type { AppError, ErrorCode } from "../base/errors.ts";
import type { Text } from "../base/language.ts";

/** JSON-RPC's own. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

const UNPARSEABLE: readonly ErrorCode[] = [
  "body_empty",
  "body_not_json",
  "body_cut_off",
  "body_length_mismatch",
];

const EMPTY = "Le corps de la requête est vide ; envoyez un message JSON-RPC.";

/** The body of an error of the door: JSON-RPC's for a body that is no message of the protocol, else the API's. */
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

/** `fields`: the arguments that do not fit. */
export function describeUnfit(tool: string, fields: readonly string[]): Text {
  const named = (open: string, close: string) =>
    fields.map((field) => `${open}${field}${close}`).join(", ");
  return {
    fr: `Les arguments de ${tool} ne conviennent pas : ${named("« ", " »")}. Voyez son inputSchema.`,
    en: `The arguments of ${tool} do not fit: ${named("“", "”")}. See its inputSchema.`,
  };
}
