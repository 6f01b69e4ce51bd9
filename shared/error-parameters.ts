import type { ApiErrorCode, HookErrorCode, ScanErrorCode } from "./error-codes.ts";
import { readDictionary, writeDictionary } from "./dictionary.ts";

/** The header in which an error carries the parameters of its sentence, beside its code: a dictionary of RFC 9651. */
export const PARAMETERS_HEADER = "X-Shipscore-Error-Parameters";

/** What each code's sentence says besides its words; nothing else of an error leaves the server. Hosts are in Punycode. */
export const ERROR_PARAMETERS = {
  body_too_large: { maxBytes: "integer" },
  idempotency_key_too_long: { maxLength: "integer" },
  url_private: { host: "string" },
  url_not_found: { host: "string" },
  url_dns_failure: { host: "string" },
  url_dns_timeout: { host: "string" },
  method_not_allowed: { allow: "string" },
  quota_exceeded: { used: "integer", limit: "integer" },
  scan_refused_by_owner: { host: "string", file: "string" },
  scan_too_soon: { retryAfterSeconds: "integer" },
  scan_visitor_bound: { bound: "string", limit: "integer", retryAfterSeconds: "integer" },
  scan_host_bound: { host: "string", limit: "integer", retryAfterSeconds: "integer" },
  scan_proof_needed: { bits: "integer" },
  scan_queue_full: { limit: "integer", retryAfterSeconds: "integer" },
  hook_body_too_large: { maxBytes: "integer" },
  too_many_ships: { limit: "integer", retryAfterSeconds: "integer" },
} as const satisfies {
  readonly [Code in ApiErrorCode | ScanErrorCode | HookErrorCode]?: Readonly<
    Record<string, keyof Kinds>
  >;
};

interface Kinds {
  integer: number;
  string: string;
}

type Told = typeof ERROR_PARAMETERS;

export type ParametersOf<Code extends string> = Code extends keyof Told
  ? { readonly [Name in keyof Told[Code]]: Kinds[Told[Code][Name] & keyof Kinds] }
  : Readonly<Record<string, never>>;

/** The name of a parameter in the header, where only small letters stand: `max_bytes`. */
const headerName = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The name and the kind of each parameter of a code, and its name in the header. */
export function listParameters(code: string) {
  const told = Object.hasOwn(ERROR_PARAMETERS, code) ? ERROR_PARAMETERS[code as keyof Told] : {};
  const named = Object.entries<keyof Kinds>(told);
  return named.map(([name, kind]) => ({ name, kind, headerName: headerName(name) }));
}

/**
 * The header's value; undefined where the code has none.
 * @param parameters those of the error; what the code does not tell of them stays
 */
export function writeParameters(
  code: string,
  parameters: Readonly<Record<string, unknown>>,
): string | undefined {
  const told: Record<string, number | string> = {};
  for (const { name, headerName: key } of listParameters(code)) {
    const value = parameters[name];
    if (typeof value === "number" || typeof value === "string") told[key] = value;
  }
  return Object.keys(told).length === 0 ? undefined : writeDictionary(told);
}

/** The parameters that the header tells; undefined where one that the code's sentence needs is missing. */
export function readParameters(
  code: string,
  header: string | undefined,
): Readonly<Record<string, number | string>> | undefined {
  const told = readDictionary(header ?? "") ?? {};
  const read: Record<string, number | string> = {};
  for (const { name, kind, headerName: key } of listParameters(code)) {
    const value = told[key];
    const isKind = typeof value === (kind === "integer" ? "number" : "string");
    if (!isKind || typeof value === "boolean" || value === undefined) return undefined;
    read[name] = value;
  }
  return read;
}
