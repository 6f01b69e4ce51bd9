const STANDARD = "whsec_";

/** Whether a provider's hooks are signed by Standard Webhooks, whose secrets have a form of their own. */
export const signsByStandard = (provider: string): boolean =>
  provider === "plain" || provider === "gitlab";

/**
 * The key that a hook's secret stands for: its text, but after `whsec_` what its base64 encodes. Undefined if that is
 * not base64.
 */
export function readHookKey(provider: string, secret: string): Buffer | undefined {
  if (!signsByStandard(provider) || !secret.startsWith(STANDARD)) return Buffer.from(secret);
  const text = secret.slice(STANDARD.length);
  const key = Buffer.from(text, "base64");
  const padded = key.toString("base64");
  const isWhole = text === padded || text === padded.replaceAll("=", "");
  return isWhole && key.length > 0 ? key : undefined;
}
