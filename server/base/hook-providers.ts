import type { Text } from "../../shared/language.ts";

interface HookProviderFacts {
  readonly label: Text;
  /** True if the provider's secret may have the form `whsec_` plus base64. */
  readonly signsByStandard?: true;
  /** The provider generates the secret, once it has the URL of the incoming webhook. */
  readonly choosesSecret?: true;
}

const asWritten = (name: string): Text => ({ fr: name, en: name });

/** `plain` means any program that signs by Standard Webhooks. */
const FACTS = {
  github: { label: asWritten("GitHub") },
  vercel: { label: asWritten("Vercel"), choosesSecret: true },
  netlify: { label: asWritten("Netlify") },
  gitlab: { label: asWritten("GitLab"), signsByStandard: true },
  plain: {
    label: { fr: "Autre (Standard Webhooks)", en: "Other (Standard Webhooks)" },
    signsByStandard: true,
  },
} satisfies Record<string, HookProviderFacts>;

export type HookProvider = keyof typeof FACTS;

export const HOOK_PROVIDERS = Object.keys(FACTS) as [HookProvider, ...HookProvider[]];

export const factsOf = (provider: HookProvider): HookProviderFacts => FACTS[provider];

export const SERVICE_NAMES = HOOK_PROVIDERS.filter((provider) => provider !== "plain")
  .map((provider) => FACTS[provider].label.en)
  .join(", ");

const STANDARD = "whsec_";

/** Undefined for invalid base64. */
export function readHookKey(provider: HookProvider, secret: string): Buffer | undefined {
  if (!factsOf(provider).signsByStandard || !secret.startsWith(STANDARD))
    return Buffer.from(secret);
  const text = secret.slice(STANDARD.length);
  const key = Buffer.from(text, "base64");
  const padded = key.toString("base64");
  const isWhole = text === padded || text === padded.replaceAll("=", "");
  return isWhole && key.length > 0 ? key : undefined;
}
