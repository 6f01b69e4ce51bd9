import type { WireErrorCode } from "../../shared/errors.ts";
import { MAX_NAME_LENGTH } from "../access/name.ts";
import { PLANS } from "../access/plans.ts";
import { OCCASIONS } from "../db/alerts/alerts.ts";
import { HOOK_PROVIDERS } from "../db/deployments/hooks.ts";
import { ALERT_KINDS } from "../alerts/kinds.ts";
import { AppError, describeRefusal, type ErrorCode, type ErrorParameters } from "../base/errors.ts";
import type { InputFault } from "../base/input-fault.ts";
import type { Text } from "../base/language.ts";
import { MAX_LABEL_LENGTH } from "../projects/deployment-labels.ts";
import { INPUT_FAULTS } from "../words/input-faults.ts";
import { exitCodeOf, PROGRAM_WORDS, REFUSED, USAGE, type WordsOf } from "./program-words.ts";

/** Codes that only people in front of a page can receive. */
type OfPages =
  | `${"session" | "sign_in" | "link" | "password" | "passkey" | "form"}_${string}`
  | "too_often";

/** Codes that only clients can receive. */
type OfClients =
  | Exclude<WireErrorCode, "project_not_found" | "unavailable">
  | OfPages
  | "check_not_found"
  | "subscription_not_found"
  | "project_ambiguous"
  | "rule_not_found";
type OperatorCode = Exclude<ErrorCode, OfClients>;

const inEnglish = <Name extends string>(texts: Readonly<Record<Name, Text>>) =>
  Object.fromEntries(
    Object.entries<Text>(texts).map(([name, { en }]) => [name, () => en]),
  ) as Record<Name, () => string>;

const INPUT_WORDS: Readonly<Record<InputFault, (value: string) => string>> = {
  email_invalid: (value) => `${value} is not an e-mail address.`,
  plan_unknown: () => `The plan is one of ${PLANS.join(", ")}.`,
  nothing_to_edit: () => "There is nothing to edit: give one of the options that --help lists.",
  quota_invalid: () => "The quota is a whole number from 0 to 1000000000, or plan.",
  name_empty: () => "The name is empty.",
  name_too_long: () => `The name is over ${MAX_NAME_LENGTH} characters.`,
  name_has_controls: () => "The name has control characters.",
  environment_invalid: () => "The environment is a word such as production or staging.",
  provider_unknown: () => `The provider is one of ${HOOK_PROVIDERS.join(", ")}.`,
  hook_secret_invalid: () =>
    "A secret is one line of 1 to 500 characters without spaces; after whsec_ it is base64.",
  answer_credential: () =>
    "Give a repository with a token (--token-stdin) or the key of a GitHub app (--app, --installation and --key-stdin), or only --off.",
  answer_repository_invalid: () =>
    "The repository is OWNER/REPO; for GitLab it is the project's path, such as group/project, or its number.",
  answer_token_invalid: () => "A token is one line of 1 to 500 characters without spaces.",
  answer_key_invalid: () =>
    "The key is the app's private key as GitHub gives it: RSA of 2,048 to 4,096 bits, in PEM.",
  answer_app_invalid: () => "--app and --installation are the ids that GitHub shows.",
  answer_api_invalid: () =>
    "The API's address is an https URL such as https://HOST/api/v3, for GitLab https://HOST/api/v4.",
  answer_context_invalid: () => "A context is one line of at most 100 characters.",
  time_invalid: (value) =>
    `${value} is not a time. Give now, or one such as 2026-11-29T02:00Z, 2026-11-29T02:00+01:00 or, with --zone, 2026-11-29T02:00.`,
  time_past: (value) => `${value} is past.`,
  zone_missing: (value) => `${value} names no offset: end it with Z or +01:00, or give --zone.`,
  zone_unknown: () => "The zone is a name of the IANA database, such as Europe/Paris.",
  weekday_unknown: () => "The day is one of monday, tuesday, ... sunday.",
  hour_invalid: () => "With --weekly a time is HH:MM, such as 02:30.",
  window_empty: () => "The window has to end after it begins, and after the present time.",
  note_invalid: () => "A note is one line of at most 500 characters.",
  on_or_off: (value) => `${value} is neither on nor off.`,
  interval_invalid: () => "The interval is 1 to 3600 seconds, or none for the server's own.",
  failures_invalid: () => "The number of failed looks is 2 to 5.",
  after_invalid: () => "The minutes are a whole number from 1 to 1440.",
  remind_invalid: () => "The hours are a whole number from 1 to 168.",
  days_invalid: () => "The number of days is a positive number, such as 30.",
  alert_kind_unknown: () => `The kind is one of ${ALERT_KINDS.join(", ")}.`,
  alert_label_invalid: () => "A label is one line of at most 60 characters.",
  target_not_on_stdin: () =>
    "Give the target's URL on standard input, with --target-stdin: it is a secret, and other programs see what stands on the command line. Only an e-mail address may stand there.",
  occasion_unknown: () => `An alert is told of one or more of ${OCCASIONS.join(", ")}.`,
  language_unknown: () => "The language is fr or en.",
  file_name_twice: () => "Names identify, and one of these is there twice.",
  file_target_invalid: () =>
    "A target is an e-mail address, or { env: NAME } with the name of a variable that holds a URL.",
  format_unknown: () => "The format is yaml or json.",
  project_needs_url: (name) => `There is no project ${name} yet: give its url.`,
  hook_provider_stays: (name) =>
    `The hook ${name} is there, for another provider. Give the new one another name.`,
  alert_kind_stays: (name) =>
    `The alert ${name} is there, of another kind. Give the new one another name.`,
  alert_needs_target: (name) => `There is no alert ${name} yet: give its target.`,
  target_variable_missing: (name) =>
    `The variable ${name}, which a new alert has its target from, is not set.`,
  ...inEnglish(INPUT_FAULTS),
  status_name_invalid: () =>
    "The name of a status page is 3 to 40 of the letters a to z, digits and hyphens.",
  status_title_invalid: () => `A title is one line of at most ${MAX_NAME_LENGTH} characters.`,
  status_url_invalid: () =>
    "Give a watched URL, = and its label of 1 to 60 characters: https://www.example.com/=Website.",
  label_invalid: () => `A commit or ref is one line of 1 to ${MAX_LABEL_LENGTH} characters.`,
};

export function describeInput({ fault, value }: ErrorParameters["input_invalid"]): string {
  const words = (INPUT_WORDS as Readonly<Record<string, (value: string) => string>>)[fault];
  return words?.(value) ?? `${fault}.`;
}

/** Names the setting that allows a private network. */
function describeUrl(refusal: ErrorParameters["url_refused"]): string {
  const sentences = describeRefusal(refusal).en;
  if (refusal.code !== "private") return sentences;
  const setting = refusal.isTarget ? "SHIPSCORE_ALERT_NETWORKS" : "SHIPSCORE_ALLOW_NETWORKS";
  return `${sentences} The setting is ${setting}.`;
}

const describeTry = ({ tries, failure }: { tries: number; failure: Text | null }) =>
  failure === null ? "" : ` Try ${tries}: ${failure.en}`;

const WORDS: WordsOf<Pick<ErrorParameters, OperatorCode>> = {
  ...PROGRAM_WORDS,
  unavailable:
    "The database does not answer. Check DATABASE_URL and that its server is running, then try again.",
  round_cut_short: "The round was cut short because its process is ending. Run it again.",
  deployment_unverified: (parameters) =>
    `${parameters.id} could not be verified.${describeTry(parameters)}`,
  deployment_still_queued: (parameters) =>
    `The verification of ${parameters.id} has not ended; it stays queued.${describeTry(parameters)}`,
  url_refused: describeUrl,
  input_invalid: describeInput,
  account_exists: ({ email }) => `There is an account ${email} already.`,
  account_has_projects: ({ names }) =>
    `The account owns projects: ${names.join(", ")}. They have to be deleted, or handed over to a member, before it.`,
  account_not_found: ({ email }) =>
    `There is no account ${email}. Add it with: shipscore-server account add ${email} --plan free`,
  too_many_tokens: ({ email, limit }) =>
    `${email} has ${limit} active tokens, the most an account can have. Revoke one first: shipscore-server token list ${email}`,
  token_not_found: ({ id }) => `There is no token ${id}.`,
  project_not_found: ({ projectId }) =>
    `There is no project ${projectId}. List them with: shipscore-server project list`,
  owner_only: ({ projectId }) => `Only its owner may change ${projectId}.`,
  too_many_projects: ({ limit }) =>
    `The account owns ${limit} projects, the most it can own. Delete one first, or hand it over.`,
  owner_stays: ({ projectId }) => `The owner of ${projectId} hands it over before leaving.`,
  owner_invited: ({ email, projectId }) => `${email} owns ${projectId}.`,
  invitation_not_found: ({ email, projectId }) =>
    `${email ?? "The account"} has no invitation to ${projectId}.`,
  too_many_people: ({ projectId, limit }) =>
    `${projectId} has ${limit} members and invitations, the most a project can have. Remove one first: shipscore-server project unshare ${projectId} <email>`,
  hand_over_not_found: ({ projectId }) => `${projectId} is not offered to the account.`,
  member_not_found: ({ email, projectId }) => `${projectId} is not shared with ${email}.`,
  project_name_wrong: ({ projectId }) =>
    `This is not the name of ${projectId}, which was not deleted. List the projects with: shipscore-server project list`,
  incident_not_found: ({ id }) =>
    `There is no incident ${id}. List those of a project with: shipscore-server incident list <project>`,
  incident_closed: ({ id }) => `${id} is closed already.`,
  maintenance_not_found: ({ id }) =>
    `There is no maintenance window ${id}. List those of a project with: shipscore-server maintenance list <project>`,
  maintenance_over: ({ id }) => `${id} is over already.`,
  too_many_windows: ({ projectId, limit }) =>
    `${projectId} has ${limit} maintenance windows that run or are planned, the most a project can have. End one first: shipscore-server maintenance end <id>`,
  interval_too_short: ({ least }) =>
    `The interval is at least ${least} s on this server (SHIPSCORE_LEAST_SECONDS).`,
  alert_not_found: ({ id }) =>
    `There is no alert ${id}. List those of a project with: shipscore-server alert list <project>`,
  too_many_alerts: ({ projectId, limit }) =>
    `${projectId} has ${limit} alerts, the most a project can have. Remove one first: shipscore-server alert remove <id>`,
  alert_needs_mail:
    "This server sends no e-mail. Set SHIPSCORE_SMTP_URL and SHIPSCORE_MAIL_FROM, restart it and add the alert again.",
  alert_without_secret: ({ id, kind }) =>
    `${id} has no secret to rotate: it is of kind ${kind}, and only what a webhook gets is signed.`,
  alert_waiting: ({ id }) =>
    `The recipient of ${id} has not accepted yet. Nothing is sent before: they accept by the link in the e-mail that asks them.`,
  alert_ended: ({ id }) =>
    `The reader of ${id} has unsubscribed, and is not written to again. Only the reader can begin anew, by the link in any of the e-mails.`,
  delivery_not_found: ({ id }) =>
    `There is no delivery ${id}. List those of an alert with: shipscore-server alert deliveries <alert>`,
  delivery_sent: ({ id }) => `${id} was sent already, and is not sent twice.`,
  too_many_urls: ({ projectId, limit }) =>
    `${projectId} watches ${limit} URLs, the most a project can watch. Stop watching one first: shipscore-server project unwatch ${projectId} <url>`,
  too_many_account_urls: ({ limit }) =>
    `An account watches at most ${limit} URLs over all its projects, and this would be more. Stop watching some first: shipscore-server project unwatch <project> <url>`,
  url_not_vetted: "The name of the URL could not be resolved in time. Try again.",
  status_url_not_watched: ({ projectId, url }) =>
    `${projectId} does not watch ${url}. List what it watches with: shipscore-server project urls ${projectId}`,
  status_name_taken: ({ name }) => `Another project's status page is named ${name}.`,
  too_many_shown_urls: ({ limit }) =>
    `A status page shows at most ${limit} URLs. Hide one with --hide first.`,
  status_page_off: ({ projectId }) =>
    `The status page of ${projectId} is off. Switch it on with: shipscore-server status-page edit ${projectId} --name <name>`,
  url_watched_already: ({ projectId }) => `${projectId} watches this URL already.`,
  url_not_watched: ({ projectId }) =>
    `${projectId} does not watch this URL besides its address, which is always watched.`,
  too_many_accepted: ({ projectId, limit }) =>
    `${projectId} accepts ${limit} findings, the most a project can. Remove one first: shipscore-server gate unaccept ${projectId} <rule>`,
  accepted_not_found: ({ projectId, rule }) => `${projectId} accepts no finding of ${rule}.`,
  deployment_not_found: ({ id }) => `There is no deployment ${id}.`,
  hook_not_found: ({ id }) =>
    `There is no hook ${id}. List a project's with: shipscore-server hook list <project>`,
  answers_of_others: ({ id }) => `${id} answers nothing: only hooks of github and gitlab do.`,
  status_host_refused: ({ host }) =>
    `Statuses may not go to ${host}. Add it to SHIPSCORE_STATUS_HOSTS, and restart the servers.`,
  answer_refused: ({ repository, why }) =>
    `The credential may not write statuses to ${repository}: ${why.en}`,
  too_many_hooks: ({ projectId, limit }) =>
    `${projectId} has ${limit} hooks, the most a project can have. Remove one first: shipscore-server hook remove <id>`,
};

interface Failure {
  exitCode: number;
  /** The message, on one line. */
  words: string;
}

const isInWords = (error: unknown): error is AppError<OperatorCode> =>
  error instanceof AppError && error.code in WORDS;

function writeFailure<Code extends OperatorCode>({ code, parameters }: AppError<Code>): Failure {
  const words = WORDS[code];
  return {
    exitCode: exitCodeOf(code),
    words: typeof words === "string" ? words : words(parameters),
  };
}

/** The exit code and message with which a command ends after a failure. */
export function describeFailure(error: unknown): Failure {
  if (isInWords(error)) return writeFailure(error);
  if (error instanceof AppError)
    return { exitCode: REFUSED, words: `The command failed (${error.code}).` };
  const words = error instanceof Error ? error.message.replaceAll(/\s+/g, " ") : "unknown failure";
  return { exitCode: REFUSED, words };
}

/**
 * True if a failure concerns the operator who gave the command; any other belongs in the log of the process that ran
 * it.
 */
export const isForOperator = (error: unknown): boolean =>
  isInWords(error) && error.code !== "unavailable";

/** A failure as it is sent to a command in another process, which may be another version. */
export function describeForCommand(error: unknown): { usage: boolean; message: string } {
  const described = isForOperator(error) ? error : new AppError("holder_failed", {});
  const { exitCode, words } = describeFailure(described);
  return { usage: exitCode === USAGE, message: words };
}
