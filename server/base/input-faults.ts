import type { Text } from "../../shared/language.ts";

/** What was typed, and for one of a list the list. */
type Input = Readonly<{ value: string; known?: string }>;

/** What is wrong with the parts of a form that pages and the operator's commands have in common. */
export const FORM_FAULTS = {
  preview_hosts_invalid: {
    fr: "Donnez de 1 à 20 hôtes, séparés par des virgules, comme mon-site-*.vercel.app.",
    en: "Give 1 to 20 hosts, separated by commas, such as my-site-*.vercel.app.",
  },
  preview_hosts_open: {
    fr: "Avec des en-têtes, un hôte sous un suffixe public a un nom à lui à côté de l'astérisque, comme mon-site-*.vercel.app : sinon, ils iraient à n'importe qui.",
    en: "With headers, a host under a public suffix has text of its own beside *, such as my-site-*.vercel.app: they would go to anybody's otherwise.",
  },
  preview_headers_invalid: {
    fr: "Donnez une ligne « NOM: VALEUR » par en-tête : x-vercel-protection-bypass, cf-access-client-id ou cf-access-client-secret.",
    en: "Give a line NAME: VALUE for each header: x-vercel-protection-bypass, cf-access-client-id or cf-access-client-secret.",
  },
  gate_number_invalid: {
    fr: "Donnez un nombre entier de 0 à 100.",
    en: "Give a whole number from 0 to 100, or none.",
  },
  gate_category_invalid: {
    fr: "Donnez des points que la catégorie peut obtenir, comme headers=12, tls=16.",
    en: "Give points that the category can earn, such as headers=12, or none.",
  },
  gate_rule_unknown: {
    fr: "Donnez des règles ou des catégories, séparées par des virgules, comme hdr.hsts, tls.",
    en: "Give rules or categories, separated by commas, such as hdr.hsts,tls.",
  },
  accepted_rule_unknown: {
    fr: "Donnez une règle, comme hdr.csp. Celles de reach ne peuvent pas être acceptées.",
    en: "Give a rule, such as hdr.csp. Those of reach cannot be accepted.",
  },
  accepted_reason_invalid: {
    fr: "Donnez une raison d'une ligne, de 300 caractères au plus.",
    en: "Give a reason on one line, of at most 300 characters.",
  },
  accepted_until_invalid: {
    fr: "Donnez une date d'ici un an au plus, comme 2027-03-31.",
    en: "Give a date from today to a year from now, such as 2027-03-31.",
  },
  accepted_page_invalid: {
    fr: "Donnez le chemin d'une page, comme /pricing, ou de plusieurs, comme /legacy/*.",
    en: "Give the path of a page, such as /pricing, or of several, such as /legacy/*.",
  },
} as const satisfies Readonly<Record<string, Text>>;

/** What can be wrong with a value that a person typed, as the operator reads it. Its code is the message of the schema's issue. */
export const INPUT_FAULTS = {
  email_invalid: ({ value }: Input) => `${value} is not an e-mail address.`,
  plan_unknown: ({ known }: Input) => `The plan is one of ${known}.`,
  nothing_to_edit: "There is nothing to edit: give one of the options that --help lists.",
  quota_invalid: "The quota is a whole number from 0 to 1000000000, or plan.",
  name_empty: "The name is empty.",
  name_too_long: "The name is over 100 characters.",
  name_has_controls: "The name has control characters.",
  environment_invalid: "The environment is a word such as production or staging.",
  provider_unknown: ({ known }: Input) => `The provider is one of ${known}.`,
  hook_secret_invalid:
    "A secret is one line of 1 to 500 characters without spaces; after whsec_ it is base64.",
  reporting_credential:
    "Give a repository with a token (--token-stdin) or the key of a GitHub app (--app, --installation and --key-stdin), or only --off.",
  reporting_repository_invalid:
    "The repository is OWNER/REPO; for GitLab it is the project's path, such as group/project, or its number.",
  reporting_token_invalid: "A token is one line of 1 to 500 characters without spaces.",
  reporting_key_invalid:
    "The key is the app's private key as GitHub gives it: RSA of 2,048 to 4,096 bits, in PEM.",
  reporting_app_invalid: "--app and --installation are the ids that GitHub shows.",
  reporting_api_invalid:
    "The API's address is an https URL such as https://HOST/api/v3, for GitLab https://HOST/api/v4.",
  reporting_context_invalid: "A context is one line of at most 100 characters.",
  time_invalid: ({ value }: Input) =>
    `${value} is not a time. Give now, or one such as 2026-11-29T02:00Z, 2026-11-29T02:00+01:00 or, with --zone, 2026-11-29T02:00.`,
  time_past: ({ value }: Input) => `${value} is past.`,
  zone_missing: ({ value }: Input) =>
    `${value} names no offset: end it with Z or +01:00, or give --zone.`,
  zone_unknown: "The zone is a name of the IANA database, such as Europe/Paris.",
  weekday_unknown: "The day is one of monday, tuesday, ... sunday.",
  hour_invalid: "With --weekly a time is HH:MM, such as 02:30.",
  window_empty: "The window has to end after it begins, and after the present time.",
  note_invalid: "A note is one line of at most 500 characters.",
  on_or_off: ({ value }: Input) => `${value} is neither on nor off.`,
  interval_invalid: "The interval is 1 to 3600 seconds, or none for the server's own.",
  failures_invalid: "The number of failed looks is 2 to 5.",
  after_invalid: "The minutes are a whole number from 1 to 1440.",
  remind_invalid: "The hours are a whole number from 1 to 168.",
  days_invalid: "The number of days is a positive number, such as 30.",
  alert_kind_unknown: ({ known }: Input) => `The kind is one of ${known}.`,
  alert_label_invalid: "A label is one line of at most 60 characters.",
  target_not_on_stdin:
    "Give the target's URL on standard input, with --target-stdin: it is a secret, and other programs see what stands on the command line. Only an e-mail address may stand there.",
  occasion_unknown: "An alert is told of one or more of incident, ship, drop.",
  language_unknown: "The language is fr or en.",
  file_name_twice: "Names identify, and one of these is there twice.",
  file_target_invalid:
    "A target is an e-mail address, or { env: NAME } with the name of a variable that holds a URL.",
  format_unknown: "The format is yaml or json.",
  project_needs_url: ({ value }: Input) => `There is no project ${value} yet: give its url.`,
  hook_provider_stays: ({ value }: Input) =>
    `The hook ${value} is there, for another provider. Give the new one another name.`,
  alert_kind_stays: ({ value }: Input) =>
    `The alert ${value} is there, of another kind. Give the new one another name.`,
  alert_needs_target: ({ value }: Input) => `There is no alert ${value} yet: give its target.`,
  target_variable_missing: ({ value }: Input) =>
    `The variable ${value}, which a new alert has its target from, is not set.`,
  status_name_invalid:
    "The name of a status page is 3 to 40 of the letters a to z, digits and hyphens.",
  status_title_invalid: "A title is one line of at most 100 characters.",
  status_url_invalid:
    "Give a watched URL, = and its label of 1 to 60 characters: https://www.example.com/=Website.",
  label_invalid: "A commit or ref is one line of 1 to 200 characters.",
};

export type InputFault = keyof typeof INPUT_FAULTS | keyof typeof FORM_FAULTS;

/** A fault as the parameter of a schema's check. */
export const fault = (error: InputFault): { error: InputFault } => ({ error });

/** An issue of zod; `values` are those of a list. */
interface Issue {
  readonly message: string;
  readonly input?: unknown;
  readonly values?: readonly unknown[];
}

/** The parameters of `input_invalid` for the first issue of a schema. */
export const readIssue = ([issue]: readonly Issue[]) => ({
  fault: issue?.message ?? "Bad value",
  value: String(issue?.input),
  ...(issue?.values && { known: issue.values.join(", ") }),
});

/** What the operator reads. `fault`: an `InputFault`, or zod's own message about the type. */
export function describeInput({
  fault: code,
  ...input
}: Input & { readonly fault: string }): string {
  if (Object.hasOwn(FORM_FAULTS, code)) return FORM_FAULTS[code as keyof typeof FORM_FAULTS].en;
  if (!Object.hasOwn(INPUT_FAULTS, code)) return `${code}.`;
  const sentence = INPUT_FAULTS[code as keyof typeof INPUT_FAULTS];
  return typeof sentence === "string" ? sentence : sentence(input);
}
