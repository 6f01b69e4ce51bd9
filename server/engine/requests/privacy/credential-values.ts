const PLACEHOLDER =
  /(?:[Ee]xample|EXAMPLE|[Ss]ample|[Dd]ummy|[Pp]laceholder|[Rr]edacted|[Cc]hangeme|[Yy]our|YOUR)|[xX]{5}|(.)\1{4}|1234567|abcdefg/;
/** Parts of keys that vendors publish as examples and for their local demos. No other key contains them. */
const PUBLISHED =
  /4eC39HqLyjWDarjtT1zdp7dc|BQokikJOvBiI2HlWgH4olfQ2|26PHem9AhJZvU623DfE1x4sd|tR3PYbcVNZZ796tH88S4VQ2u|AbC123dEf@ep-|xoxb-17653672481-|ngeVfQFYQlKU0ufo8x5d1A|N7UND0UgjKTVK|Eby8vdM02xNOcqFl|C2y6yDjf5|C7VJTUt9Us8cKj|DdlatRjRjogo3WojgGHFHYLugd|evZzL1gdAFr88hb2|16C7e42F292c6912E7710c838347Ae178B4a/;
const MIN_DISTINCT = 8;

export function isPlaceholder(value: string): boolean {
  const isVaried = new Set(value.slice(-40)).size >= MIN_DISTINCT;
  return !isVaried || PUBLISHED.test(value) || PLACEHOLDER.test(value);
}

/** A hexadecimal SHA-1 has the same length. */
export function isAwsSecret(found: string): boolean {
  const secret = found.slice(-40);
  return /[a-z]/.test(secret) && /[A-Z]/.test(secret) && !isPlaceholder(secret);
}

/** Requires varied text after the first line. Both keys and placeholders contain long runs of one character. */
export function isPrivateKey(pem: string): boolean {
  const lines = pem.slice(pem.indexOf("-----", 1) + "-----".length).slice(0, 80);
  return (
    new Set(lines).size >= 2 * MIN_DISTINCT &&
    !/x{5}|example/i.test(lines) &&
    !PUBLISHED.test(pem.slice(0, 400))
  );
}

const NOBODY =
  /^(?:localhost|127\.|0\.0\.0\.0)|(?:^|\.)(?:example(?:\.(?:com|net|org))?|local|test|invalid)$/i;
const PASSWORD_WORD = /p[a4@][s5$]{2}|s[e3]cr[e3]t|user|hunter|^[a-z_-]+$|^\d+$/i;

export function hasPassword(url: string): boolean {
  const at = url.lastIndexOf("@");
  const password = url.slice(url.lastIndexOf(":", at) + 1, at);
  const host = url.slice(at + 1).replace(/\.$/, "");
  const isPublic = host.includes(".") && !NOBODY.test(host);
  return (
    isPublic && !PASSWORD_WORD.test(password) && !PLACEHOLDER.test(url) && !PUBLISHED.test(url)
  );
}

/** The key of Supabase's local demo is public. */
export function isServiceRole(token: string): boolean {
  const payload = token.split(".")[1] ?? "";
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
    if (typeof claims !== "object" || claims === null) return false;
    return (
      Reflect.get(claims, "role") === "service_role" &&
      Reflect.get(claims, "iss") !== "supabase-demo"
    );
  } catch {
    return false;
  }
}
