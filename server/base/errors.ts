import { sayError, type WireParameters } from "../../shared/errors.ts";
import type { Quota } from "../../shared/quota.ts";
import type { RefusalCode } from "../engine/evidence/exchange.ts";
import { describeInput } from "./input-faults.ts";
import type { Text } from "../../shared/language.ts";
import { exitCodeOf, type ParametersOf, PROGRAM_ERRORS, REFUSED, USAGE } from "./program-errors.ts";
import { oneLine } from "./syntax/text.ts";

type NoParameters = Readonly<Record<string, never>>;
type Id = { id: string };
type OfProject = { projectId: string };
type Limit = { limit: number };
type Wait = { retryAfterSeconds: number };
type Attempts = Id & { tries: number; failure: Text | null };

type UrlRefusal = Readonly<{
  code: RefusalCode;
  host: string | null;
  isTarget?: true;
}>;

const MAX_HOST_LENGTH = 100;

/** Makes a host safe to repeat. */
export const shortenHost = (host: string | null): string => oneLine(host ?? "", MAX_HOST_LENGTH);

/** The sentences repeat only the host of the input, shortened. */
export const describeRefusal = ({ code, host }: UrlRefusal): Text =>
  sayError(`url_${code}`, { host: shortenHost(host) });

function describeUrl(refusal: UrlRefusal): string {
  const sentences = describeRefusal(refusal).en;
  if (refusal.code !== "private") return sentences;
  const setting = refusal.isTarget ? "SHIPSCORE_ALERT_NETWORKS" : "SHIPSCORE_ALLOW_NETWORKS";
  return `${sentences} The setting is ${setting}.`;
}

const describeTry = ({ tries, failure }: Attempts) =>
  failure === null ? "" : ` Attempt ${tries}: ${failure.en}`;

export const OPERATOR_ERRORS = {
  unavailable:
    "The database is not responding. Check DATABASE_URL, and that its server is running, then try again.",
  round_cut_short: "The round was cut short because its process is ending. Run it again.",
  deployment_unverified: (attempts: Attempts) =>
    `${attempts.id} could not be checked.${describeTry(attempts)}`,
  deployment_still_queued: (attempts: Attempts) =>
    `The check of ${attempts.id} has not finished and stays queued.${describeTry(attempts)}`,
  url_refused: describeUrl,
  input_invalid: describeInput,
  account_exists: ({ email }: { email: string }) => `An account for ${email} already exists.`,
  /** An account that owns projects is not deleted, because others may be members of them. */
  account_has_projects: ({ names }: { names: readonly string[] }) =>
    `The account owns projects: ${names.join(", ")}. Delete them first, or transfer them to a member.`,
  account_not_found: ({ email }: { email: string }) =>
    `There is no account for ${email}. Add it with: shipscore-server account add ${email} --plan free`,
  too_many_tokens: ({ email, limit }: { email: string; limit: number }) =>
    `${email} has ${limit} active tokens, which is the limit. Revoke one first: shipscore-server token list ${email}`,
  token_not_found: ({ id }: Id) => `There is no token ${id}.`,
  project_not_found: ({ projectId }: Partial<OfProject>) =>
    `There is no project ${projectId}. List them with: shipscore-server project list`,
  owner_only: ({ projectId }: OfProject) => `Only the owner of ${projectId} may change it.`,
  too_many_projects: ({ limit }: Limit) =>
    `The account owns ${limit} projects, which is the limit. Delete one first, or transfer it.`,
  owner_stays: ({ projectId }: OfProject) =>
    `The owner of ${projectId} must transfer it before leaving.`,
  owner_invited: ({ email, projectId }: OfProject & { email: string }) =>
    `${email} already owns ${projectId}.`,
  invitation_not_found: ({ email, projectId }: OfProject & { email?: string }) =>
    `${email ?? "The account"} has no invitation to ${projectId}.`,
  too_many_people: ({ projectId, limit }: OfProject & Limit) =>
    `${projectId} has ${limit} members and invitations, which is the limit. Remove one first: shipscore-server project unshare ${projectId} <email>`,
  hand_over_not_found: ({ projectId }: OfProject) =>
    `No transfer of ${projectId} to the account is pending.`,
  member_not_found: ({ email, projectId }: OfProject & { email: string }) =>
    `${projectId} is not shared with ${email}.`,
  project_name_wrong: ({ projectId }: OfProject) =>
    `This is not the name of ${projectId}, so nothing was deleted. List the projects with: shipscore-server project list`,
  incident_not_found: ({ id }: Id) =>
    `There is no incident ${id}. List those of a project with: shipscore-server incident list <project>`,
  incident_closed: ({ id }: Id) => `${id} is already closed.`,
  maintenance_not_found: ({ id }: Id) =>
    `There is no maintenance window ${id}. List those of a project with: shipscore-server maintenance list <project>`,
  maintenance_over: ({ id }: Id) => `${id} is already over.`,
  too_many_windows: ({ projectId, limit }: OfProject & Limit) =>
    `${projectId} has ${limit} running or planned maintenance windows, which is the limit. End one first: shipscore-server maintenance end <id>`,
  interval_too_short: ({ least }: { least: number }) =>
    `The interval must be at least ${least} s on this server (SHIPSCORE_LEAST_SECONDS).`,
  alert_not_found: ({ id }: Id) =>
    `There is no alert ${id}. List those of a project with: shipscore-server alert list <project>`,
  too_many_alerts: ({ projectId, limit }: OfProject & Limit) =>
    `${projectId} has ${limit} alerts, which is the limit. Remove one first: shipscore-server alert remove <id>`,
  alert_needs_mail:
    "This server sends no e-mail. Set SHIPSCORE_SMTP_URL and SHIPSCORE_MAIL_FROM, restart it and add the alert again.",
  alert_without_secret: ({ id, kind }: Id & { kind: string }) =>
    `${id} has no secret to rotate: only deliveries to webhooks are signed, and its kind is ${kind}.`,
  alert_waiting: ({ id }: Id) =>
    `The recipient of ${id} has not accepted yet. Until they follow the link in the e-mail they received, nothing is sent.`,
  alert_ended: ({ id }: Id) =>
    `The recipient of ${id} has unsubscribed, so nothing is sent. Only they can subscribe again, with the link in any of the e-mails.`,
  delivery_not_found: ({ id }: Id) =>
    `There is no delivery ${id}. List those of an alert with: shipscore-server alert deliveries <alert>`,
  delivery_sent: ({ id }: Id) => `${id} was already sent, and cannot be sent again.`,
  too_many_urls: ({ projectId, limit }: OfProject & Limit) =>
    `${projectId} watches ${limit} URLs, which is the limit. Stop watching one first: shipscore-server project unwatch ${projectId} <url>`,
  too_many_account_urls: ({ limit }: Limit) =>
    `An account watches at most ${limit} URLs across all its projects, and this would exceed the limit. Stop watching some first: shipscore-server project unwatch <project> <url>`,
  /** One of several URLs could not be vetted within the time for all of them. */
  url_not_vetted: "The URL's host name could not be resolved in time. Try again.",
  /** `url` is the typed text, which may include a label for the status page. */
  status_url_not_watched: ({ projectId, url }: OfProject & { url: string }) =>
    `${projectId} does not watch ${url}. List what it watches with: shipscore-server project urls ${projectId}`,
  status_name_taken: ({ name }: { name: string }) =>
    `Another project's status page is named ${name}.`,
  too_many_shown_urls: ({ limit }: Limit) =>
    `A status page shows at most ${limit} URLs. Hide one with --hide first.`,
  status_page_off: ({ projectId }: OfProject) =>
    `The status page of ${projectId} is off. Turn it on with: shipscore-server status-page edit ${projectId} --name <name>`,
  url_watched_already: ({ projectId }: OfProject) => `${projectId} already watches this URL.`,
  url_not_watched: ({ projectId }: OfProject) =>
    `${projectId} does not watch this URL, or it is the project's own URL, which is always watched.`,
  too_many_accepted: ({ projectId, limit }: OfProject & Limit) =>
    `${projectId} accepts ${limit} findings, which is the limit. Remove one first: shipscore-server gate unaccept ${projectId} <rule>`,
  accepted_not_found: ({ projectId, rule }: OfProject & { rule: string }) =>
    `${projectId} accepts no finding of ${rule}.`,
  deployment_not_found: ({ id }: Id) => `There is no deployment ${id}.`,
  hook_not_found: ({ id }: Id) =>
    `There is no incoming webhook ${id}. List those of a project with: shipscore-server hook list <project>`,
  reporting_unsupported: ({ id }: Id) =>
    `${id} cannot report statuses: only incoming webhooks of github and gitlab can.`,
  status_host_refused: ({ host }: { host: string }) =>
    `Statuses may not be sent to ${host}. Add it to SHIPSCORE_STATUS_HOSTS, and restart the servers.`,
  reporting_refused: ({ repository, why }: { repository: string; why: Text }) =>
    `The credential may not write statuses to ${repository}: ${why.en}`,
  too_many_hooks: ({ projectId, limit }: OfProject & Limit) =>
    `${projectId} has ${limit} incoming webhooks, which is the limit. Remove one first: shipscore-server hook remove <id>`,
  ...PROGRAM_ERRORS,
};
type OperatorErrors = {
  [Code in keyof typeof OPERATOR_ERRORS]: ParametersOf<(typeof OPERATOR_ERRORS)[Code]>;
};

/** The sentences of these errors exist only on a page, next to its form, or in a tool. */
interface DoorErrors {
  project_ambiguous: { projectIds: readonly string[] };
  /** `nearest` is the id that is spelled most like the given one. */
  rule_not_found: { nearest: string };
  /** `askedAt` is the time of the request by the database's clock. The check did not run and did not count against the quota. */
  quota_exceeded: { quota: Quota; askedAt: Date };
  /** Also thrown if the caller may not see the check. */
  check_not_found: NoParameters;
  /** A one-time link that is used, void, expired or unknown. */
  link_gone: NoParameters;
  link_needs_mail: NoParameters;
  link_email_own: NoParameters;
  session_not_found: Id;
  /** The e-mail address or the password is wrong; the error must not say which. */
  sign_in_refused: NoParameters;
  sign_in_code_wrong: NoParameters;
  password_wrong: NoParameters;
  /** The browser's answer is not from a passkey of this account, or its challenge has expired. */
  passkey_refused: NoParameters;
  passkey_limit: Limit;
  passkey_not_found: Id;
  password_refused: { fault: PasswordFault };
  form_foreign: NoParameters;
  /** The form's page is out of date: someone else changed its subject. */
  form_stale: NoParameters;
  /** `what` is the name of the `Bound`. */
  too_often: { what: string } & Wait;
  subscription_not_found: NoParameters;
}

export type PasswordFault = "password_too_short" | "password_too_long" | "password_common";

type ClientErrors = Omit<WireParameters, `url_${string}` | keyof DoorErrors | keyof OperatorErrors>;

export type ErrorParameters = OperatorErrors & DoorErrors & ClientErrors;
export type ErrorCode = keyof ErrorParameters;

/** An expected failure. No parameter is secret. */
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

export function isAppError<Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is AppError<Code> {
  return error instanceof AppError && (codes as readonly ErrorCode[]).includes(error.code);
}

/** Passes on only the parameters that may be shown. */
export const createRefusal = ({ code, host }: UrlRefusal) =>
  new AppError("url_refused", { code, host });

/** A name that does not resolve now may do so later. */
export const isTemporary = (code: RefusalCode): boolean =>
  code === "not_found" || code === "dns_failure" || code === "dns_timeout";

/** Returns undefined for an error that no command should cause. */
function sayToOperator({ code, parameters }: AppError): string | undefined {
  if (!Object.hasOwn(OPERATOR_ERRORS, code)) return undefined;
  const sentence = OPERATOR_ERRORS[code as keyof OperatorErrors] as
    | string
    | ((given: typeof parameters) => string);
  return typeof sentence === "string" ? sentence : sentence(parameters);
}

interface Failure {
  exitCode: number;
  words: string;
}

export function describeFailure(error: unknown): Failure {
  if (error instanceof AppError) {
    const words = sayToOperator(error) ?? `The command failed (${error.code}).`;
    return { exitCode: exitCodeOf(error.code), words };
  }
  const words = error instanceof Error ? error.message.replaceAll(/\s+/g, " ") : "unknown failure";
  return { exitCode: REFUSED, words };
}

/** Any other failure belongs in the log of the process that ran the command. */
export const isForOperator = (error: unknown): boolean =>
  error instanceof AppError && error.code !== "unavailable" && sayToOperator(error) !== undefined;

/** The command runs in another process, which may be another version. */
export function describeForCommand(error: unknown): { usage: boolean; message: string } {
  const described = isForOperator(error) ? error : new AppError("holder_failed", {});
  const { exitCode, words } = describeFailure(described);
  return { usage: exitCode === USAGE, message: words };
}
