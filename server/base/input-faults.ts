import type { Text } from "../../shared/language.ts";

/** `known` contains the accepted values, if there is a list. */
type Input = Readonly<{ value: string; known?: string }>;

/** Faults of fields that both pages and the operator's commands have. */
export const FORM_FAULTS = {
  preview_hosts_invalid: {
    fr: "Saisissez de 1 à 20 hôtes, séparés par des virgules, par exemple mon-site-*.vercel.app.",
    en: "Enter 1 to 20 hosts, separated by commas, such as my-site-*.vercel.app.",
  },
  preview_hosts_open: {
    fr: "Si des en-têtes sont envoyés, un hôte sous un suffixe public doit contenir un nom qui vous est propre, comme mon-site-*.vercel.app ; sinon, ces en-têtes seraient envoyés aux sites d'autres personnes.",
    en: "If headers are sent, a host under a public suffix must contain your own name, such as my-site-*.vercel.app. Otherwise, the headers would be sent to other people's sites.",
  },
  preview_headers_invalid: {
    fr: "Saisissez un en-tête par ligne, sous la forme « NOM: VALEUR » : x-vercel-protection-bypass, cf-access-client-id ou cf-access-client-secret.",
    en: "Enter one header per line as NAME: VALUE, with one of these names: x-vercel-protection-bypass, cf-access-client-id or cf-access-client-secret.",
  },
  gate_number_invalid: {
    fr: "Saisissez un nombre entier de 0 à 100, ou laissez le champ vide.",
    en: "Enter a whole number from 0 to 100, or leave the field empty.",
  },
  gate_category_invalid: {
    fr: "Saisissez un nombre de points que la catégorie peut atteindre, par exemple headers=12, ou laissez le champ vide.",
    en: "Enter points that the category can earn, such as headers=12, or leave the field empty.",
  },
  gate_rule_unknown: {
    fr: "Saisissez des règles ou des catégories, séparées par des virgules, par exemple hdr.hsts, tls.",
    en: "Enter rules or categories, separated by commas, such as hdr.hsts, tls.",
  },
  accepted_rule_unknown: {
    fr: "Saisissez une règle, par exemple hdr.csp. Les règles de la catégorie reach ne peuvent pas être acceptées.",
    en: "Enter a rule, such as hdr.csp. The rules of the reach category cannot be accepted.",
  },
  accepted_reason_invalid: {
    fr: "Saisissez une raison en une ligne, de 300 caractères au plus.",
    en: "Enter a reason on one line of at most 300 characters.",
  },
  accepted_until_invalid: {
    fr: "Saisissez une date entre aujourd'hui et dans un an, par exemple 2027-03-31.",
    en: "Enter a date between today and a year from now, such as 2027-03-31.",
  },
  accepted_page_invalid: {
    fr: "Saisissez le chemin d'une page, comme /pricing, ou de plusieurs, comme /legacy/*.",
    en: "Enter the path of a page, such as /pricing, or of several, such as /legacy/*.",
  },
} as const satisfies Readonly<Record<string, Text>>;

/** Sentences for the operator. The message of a schema's issue is the code of its sentence. */
export const INPUT_FAULTS = {
  email_invalid: ({ value }: Input) => `${value} is not an e-mail address.`,
  plan_unknown: ({ known }: Input) => `The plan must be one of ${known}.`,
  nothing_to_edit: "There is nothing to edit. Use one of the options that --help lists.",
  quota_invalid: "The quota must be a whole number from 0 to 1000000000, or plan.",
  name_empty: "The name is empty.",
  name_too_long: "The name is over 100 characters.",
  name_has_controls: "The name contains control characters.",
  environment_invalid: "The environment must be one word, such as production or staging.",
  provider_unknown: ({ known }: Input) => `The provider must be one of ${known}.`,
  hook_secret_invalid:
    "A secret must be one line of 1 to 500 characters without spaces, in base64 after whsec_.",
  reporting_credential:
    "Pass a repository with a token (--token-stdin) or with the key of a GitHub app (--app, --installation and --key-stdin), or --off alone.",
  reporting_repository_invalid:
    "The repository must be OWNER/REPO; for GitLab, the path of the project, such as group/project, or its number.",
  reporting_token_invalid: "A token must be one line of 1 to 500 characters without spaces.",
  reporting_key_invalid:
    "The key must be the app's private key as downloaded from GitHub: RSA of 2,048 to 4,096 bits, in PEM.",
  reporting_app_invalid: "--app and --installation must be the IDs that GitHub shows.",
  reporting_api_invalid:
    "The API URL must be an https URL, such as https://HOST/api/v3, or https://HOST/api/v4 for GitLab.",
  reporting_context_invalid: "A context must be one line of at most 100 characters.",
  time_invalid: ({ value }: Input) =>
    `${value} is not a time. Use now, 2026-11-29T02:00Z, 2026-11-29T02:00+01:00 or, with --zone, 2026-11-29T02:00.`,
  time_past: ({ value }: Input) => `${value} is in the past.`,
  zone_missing: ({ value }: Input) =>
    `${value} has no offset. End it with Z or +01:00, or pass --zone.`,
  zone_unknown: "The zone must be a name from the IANA database, such as Europe/Paris.",
  weekday_unknown: "The day must be one of monday, tuesday … sunday.",
  hour_invalid: "With --weekly, a time must be HH:MM, such as 02:30.",
  window_empty: "The window must end after its start, and in the future.",
  note_invalid: "A note must be one line of at most 500 characters.",
  on_or_off: ({ value }: Input) => `${value} is not on or off.`,
  interval_invalid: "The interval must be 1 to 3600 seconds, or none for the server's default.",
  failures_invalid: "The number of failed probes must be 2 to 5.",
  after_invalid: "The minutes must be a whole number from 1 to 1440.",
  remind_invalid: "The hours must be a whole number from 1 to 168.",
  days_invalid: "The days must be a positive number, such as 30.",
  alert_kind_unknown: ({ known }: Input) => `The kind must be one of ${known}.`,
  alert_label_invalid: "A label must be one line of at most 60 characters.",
  target_not_on_stdin:
    "Pass the target URL on standard input, with --target-stdin. It is a secret, and other programs can read the command line. Only an e-mail address may be an argument.",
  occasion_unknown: "An alert is sent for one or more of incident, ship, drop.",
  language_unknown: "The language must be fr or en.",
  file_name_twice: "Names must be unique, and one of these appears twice.",
  file_target_invalid:
    "A target must be an e-mail address, or { env: NAME } with the name of a variable that contains a URL.",
  format_unknown: "The format must be yaml or json.",
  project_needs_url: ({ value }: Input) => `There is no project ${value} yet. Add its url.`,
  hook_provider_stays: ({ value }: Input) =>
    `The incoming webhook ${value} already exists, for another provider. Give the new one another name.`,
  alert_kind_stays: ({ value }: Input) =>
    `The alert ${value} already exists, with another kind. Give the new one another name.`,
  alert_needs_target: ({ value }: Input) => `There is no alert ${value} yet. Add its target.`,
  target_variable_missing: ({ value }: Input) =>
    `The variable ${value}, which contains the target of a new alert, is not set.`,
  status_name_invalid:
    "The name of a status page must be 3 to 40 characters: a to z, digits and hyphens.",
  status_title_invalid: "A title must be one line of at most 100 characters.",
  status_url_invalid:
    "Use a watched URL, = and a label of 1 to 60 characters: https://www.example.com/=Website.",
  label_invalid: "A commit or ref must be one line of 1 to 200 characters.",
};

export type InputFault = keyof typeof INPUT_FAULTS | keyof typeof FORM_FAULTS;

export const fault = (error: InputFault): { error: InputFault } => ({ error });

interface Issue {
  readonly message: string;
  readonly input?: unknown;
  readonly values?: readonly unknown[];
}

export const readIssue = ([issue]: readonly Issue[]) => ({
  fault: issue?.message ?? "Bad value",
  value: String(issue?.input),
  ...(issue?.values && { known: issue.values.join(", ") }),
});

/** `fault` is an `InputFault`, or zod's own message about the type. */
export function describeInput({
  fault: code,
  ...input
}: Input & { readonly fault: string }): string {
  if (Object.hasOwn(FORM_FAULTS, code)) return FORM_FAULTS[code as keyof typeof FORM_FAULTS].en;
  if (!Object.hasOwn(INPUT_FAULTS, code)) return `${code}.`;
  const sentence = INPUT_FAULTS[code as keyof typeof INPUT_FAULTS];
  return typeof sentence === "string" ? sentence : sentence(input);
}
