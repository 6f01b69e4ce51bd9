import { MAX_NAME_LENGTH } from "../access/name.ts";
import { PLANS } from "../db/accounts.ts";
import { AppError, type ErrorCode, type ErrorParameters, type InputFault } from "../errors.ts";
import { MAX_LABEL_LENGTH } from "../projects/deployments.ts";
import { describeRefusal } from "../words/refusals.ts";

type WordsOf<Code extends ErrorCode> = {
  readonly [Key in Code]: (parameters: ErrorParameters[Key]) => string;
};

type RuleCode =
  | "account_exists"
  | "account_not_found"
  | "too_many_tokens"
  | "token_not_found"
  | "project_not_found"
  | "owner_only"
  | "owner_invited"
  | "invitation_not_found"
  | "member_not_found"
  | "url_watched_already"
  | "url_not_watched"
  | "deployment_not_found"
  | "url_refused";

/** What an operator is told of a rule of accounts and projects that was in the way. */
const RULE_WORDS: WordsOf<RuleCode> = {
  account_exists: ({ email }) => `There is an account ${email} already.`,
  account_not_found: ({ email }) =>
    `There is no account ${email}. Add it with: shipscore-server account add ${email} --plan free`,
  too_many_tokens: ({ email, limit }) =>
    `${email} has ${limit} active tokens, the most an account can have. Revoke one first: shipscore-server token list ${email}`,
  token_not_found: ({ id }) => `There is no token ${id}.`,
  project_not_found: ({ projectId }) =>
    `There is no project ${projectId}. List them with: shipscore-server project list`,
  owner_only: ({ projectId }) => `Only its owner may change ${projectId}.`,
  owner_invited: ({ email, projectId }) => `${email} owns ${projectId}.`,
  invitation_not_found: ({ email, projectId }) => `${email} has no invitation to ${projectId}.`,
  member_not_found: ({ email, projectId }) => `${projectId} is not shared with ${email}.`,
  url_watched_already: ({ projectId }) => `${projectId} watches this URL already.`,
  url_not_watched: ({ projectId }) =>
    `${projectId} does not watch this URL besides its address, which is always watched.`,
  deployment_not_found: ({ id }) => `There is no deployment ${id}.`,
  url_refused: (refusal) => describeRefusal(refusal).en,
};

const INPUT_WORDS: Readonly<Record<InputFault, (value: string) => string>> = {
  email_invalid: (value) => `${value} is not an e-mail address.`,
  plan_unknown: () => `The plan is one of ${PLANS.join(", ")}.`,
  name_empty: () => "The name is empty.",
  name_too_long: () => `The name is over ${MAX_NAME_LENGTH} characters.`,
  name_has_controls: () => "The name has control characters.",
  environment_invalid: () => "The environment is a word such as production or staging.",
  label_invalid: () => `A commit or ref is one line of 1 to ${MAX_LABEL_LENGTH} characters.`,
};

/** True for what a rule of accounts and projects refuses. */
export const isRule = (error: unknown): error is AppError<RuleCode> =>
  error instanceof AppError && error.code in RULE_WORDS;

const describeRule = <Code extends RuleCode>({ code, parameters }: AppError<Code>) =>
  RULE_WORDS[code](parameters);

/** What an operator is told of an expected failure, in English. */
export function describeError(error: AppError): string {
  if (isRule(error)) return describeRule(error);
  const { code, message } = error;
  if (code === "unavailable")
    return "The database does not answer. Check DATABASE_URL and that its server runs, then try again.";
  return message;
}

/** What is wrong with a value that was typed: one of ours, or what zod says of a type. */
export function describeInput(message: string, value: unknown): string {
  const words = (INPUT_WORDS as Readonly<Record<string, (value: string) => string>>)[message];
  return words?.(String(value)) ?? `${message}.`;
}
