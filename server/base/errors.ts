import { sayError, type WireErrorCode, type WireParameters } from "../../shared/errors.ts";
import type { Quota } from "../../shared/quota.ts";
import type { RefusalCode } from "../engine/evidence/exchange.ts";
import type { Text } from "./language.ts";
import type { ProgramErrors } from "./program-errors.ts";
import { oneLine } from "./syntax/one-line.ts";

type Nothing = Readonly<Record<string, never>>;
/** When the same request may succeed. */
type Wait = Readonly<{ retryAfterSeconds: number }>;

/** What a client is told by a code of its own, with the parameters of its sentence alone. */
type ToldErrors = Pick<
  WireParameters,
  Exclude<WireErrorCode, `url_${string}` | "project_not_found" | "quota_exceeded">
>;

/**
 * Everything that can go wrong in a verb, whichever door it was called through, and the parameters of its message.
 * Each door has its own wording: `shared/errors.ts` for what crosses the wire, `operator/error-words.ts` for the operator.
 */
export interface ErrorParameters extends ProgramErrors, ToldErrors {
  /** `projectId`: as the caller gave it. */
  project_not_found: Readonly<{ projectId?: string }>;
  /** Several of the projects that the caller sees have the name that was given. */
  project_ambiguous: Readonly<{ projectIds: readonly string[] }>;
  /** `nearest`: the id of the rule that is spelt most like what was asked for. */
  rule_not_found: Readonly<{ nearest: string }>;
  /** `isTarget`: an alert was to be sent to it. */
  url_refused: Readonly<{ code: RefusalCode; host: string | null; isTarget?: true }>;
  /** `askedAt`: by the database's clock. The check was not run and no slot was taken. */
  quota_exceeded: Readonly<{ quota: Quota; askedAt: Date }>;
  /** Nothing was kept of such a check, or the one who asks may not see it. */
  check_not_found: Nothing;
  /** The visitor has started `limit` scans within an hour or a day, or has as many that have not ended. */
  scan_visitor_bound: Readonly<{
    bound: "hour" | "day" | "at_once" | "owners" | "names";
    limit: number;
  }> &
    Wait;
  /** `expiresAt`: an ISO time. */
  scan_proof_needed: Readonly<{ challenge: string; bits: number; expiresAt: string }> & Wait;
  account_exists: Readonly<{ email: string }>;
  account_not_found: Readonly<{ email: string }>;
  /** An account that owns projects is not deleted: others may be members of them. */
  account_has_projects: Readonly<{ names: readonly string[] }>;
  too_many_tokens: Readonly<{ email: string; limit: number }>;
  token_not_found: Readonly<{ id: string }>;
  /** A one-time link that was used, is void or too old, or never was. */
  link_gone: Nothing;
  link_needs_mail: Nothing;
  link_email_own: Nothing;
  session_not_found: Readonly<{ id: string }>;
  /** The e-mail address or the password is wrong; which, nobody is told. */
  sign_in_refused: Nothing;
  /** The code is none of the account's second factor, or was used before. */
  sign_in_code_wrong: Nothing;
  /** The password that a sensitive step asks for is not that of the account. */
  password_wrong: Nothing;
  /** The browser's answer is not from a passkey of this account, or its challenge is not a present one. */
  passkey_refused: Nothing;
  passkey_limit: Readonly<{ limit: number }>;
  passkey_not_found: Readonly<{ id: string }>;
  password_refused: Readonly<{ fault: PasswordFault }>;
  form_foreign: Nothing;
  /** The page that the form stood on is no longer true: somebody else changed what it is about. */
  form_stale: Nothing;
  /** A bound on how often something may be tried; `what` is the name of its `Bound`. */
  too_often: Readonly<{ what: string }> & Wait;
  /** The caller is a member, who may see the project but not change it. */
  owner_only: Readonly<{ projectId: string }>;
  too_many_projects: Readonly<{ limit: number }>;
  /** The owner cannot leave; the project can be handed over first. */
  owner_stays: Readonly<{ projectId: string }>;
  owner_invited: Readonly<{ email: string; projectId: string }>;
  too_many_people: Readonly<{ projectId: string; limit: number }>;
  invitation_not_found: Readonly<{ email?: string; projectId: string }>;
  member_not_found: Readonly<{ email: string; projectId: string }>;
  /** The project is not offered to anybody, or not to the caller. */
  hand_over_not_found: Readonly<{ projectId: string }>;
  /** What was typed to confirm a deletion is not the project's name. */
  project_name_wrong: Readonly<{ projectId: string }>;
  too_many_urls: Readonly<{ projectId: string; limit: number }>;
  too_many_account_urls: Readonly<{ limit: number }>;
  /** One of several URLs could not be vetted within the time for all of them. */
  url_not_vetted: Nothing;
  /** `url`: as it was typed, with a label where it was to be shown. */
  status_url_not_watched: Readonly<{ projectId: string; url: string }>;
  status_name_taken: Readonly<{ name: string }>;
  too_many_shown_urls: Readonly<{ limit: number }>;
  status_page_off: Readonly<{ projectId: string }>;
  url_watched_already: Readonly<{ projectId: string }>;
  url_not_watched: Readonly<{ projectId: string }>;
  too_many_accepted: Readonly<{ projectId: string; limit: number }>;
  accepted_not_found: Readonly<{ projectId: string; rule: string }>;
  deployment_not_found: Readonly<{ id: string }>;
  incident_not_found: Readonly<{ id: string }>;
  incident_closed: Readonly<{ id: string }>;
  maintenance_not_found: Readonly<{ id: string }>;
  maintenance_over: Readonly<{ id: string }>;
  too_many_windows: Readonly<{ projectId: string; limit: number }>;
  /** `least`: the shortest interval that the operator allows, in seconds. */
  interval_too_short: Readonly<{ least: number }>;
  alert_not_found: Readonly<{ id: string }>;
  too_many_alerts: Readonly<{ projectId: string; limit: number }>;
  alert_needs_mail: Nothing;
  /** Only what a webhook gets is signed. */
  alert_without_secret: Readonly<{ id: string; kind: string }>;
  /** Its recipient has not accepted yet. */
  alert_waiting: Readonly<{ id: string }>;
  /** Its reader has unsubscribed. */
  alert_ended: Readonly<{ id: string }>;
  delivery_not_found: Readonly<{ id: string }>;
  delivery_sent: Readonly<{ id: string }>;
  hook_not_found: Readonly<{ id: string }>;
  too_many_hooks: Readonly<{ projectId: string; limit: number }>;
  /** Only hooks of GitHub and GitLab answer. */
  answers_of_others: Readonly<{ id: string }>;
  /** `host`: none of those where the operator lets statuses go. */
  status_host_refused: Readonly<{ host: string }>;
  /** The provider does not let the credential write statuses. */
  answer_refused: Readonly<{ repository: string; why: Text }>;
  subscription_not_found: Nothing;
  round_cut_short: Nothing;
  deployment_unverified: Readonly<{ id: string; tries: number; failure: Text | null }>;
  deployment_still_queued: Readonly<{ id: string; tries: number; failure: Text | null }>;
  /** `fault`: an `InputFault` (`input-fault.ts`), or zod's own message about the type. */
  input_invalid: Readonly<{ fault: string; value: string }>;
}

export type PasswordFault =
  | "password_too_short"
  | "password_too_long"
  | "password_common"
  | "password_breached";

export type ErrorCode = keyof ErrorParameters;

/** An expected failure: a code and the parameters of its message, none of which is secret. */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  readonly parameters: ErrorParameters[Code];

  constructor(code: Code, parameters: ErrorParameters[Code], options?: ErrorOptions) {
    super(code, options);
    this.name = "AppError";
    this.code = code;
    this.parameters = parameters;
  }
}

/** The `url_refused` of a guard's refusal, of which it takes only what may be said. */
export const refuseUrl = ({ code, host }: ErrorParameters["url_refused"]) =>
  new AppError("url_refused", { code, host });

const MAX_HOST_LENGTH = 100;

/** A host as it may be repeated. */
export const shortenHost = (host: string | null): string => oneLine(host ?? "", MAX_HOST_LENGTH);

/** Two sentences: why a URL was refused, and what to do. They repeat only the host of the input, shortened. */
export const describeRefusal = ({ code, host }: { code: RefusalCode; host: string | null }): Text =>
  sayError(`url_${code}`, { host: shortenHost(host) });

/** True for a refusal that may pass: a name that does not resolve now may do so later. */
export const isPassing = (code: RefusalCode): boolean =>
  code === "not_found" || code === "dns_failure" || code === "dns_timeout";

export function isAppError<Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is AppError<Code> {
  return error instanceof AppError && (codes as readonly ErrorCode[]).includes(error.code);
}
