const PLACEHOLDER =
  /(?:[Ee]xample|EXAMPLE|[Ss]ample|[Dd]ummy|[Pp]laceholder|[Rr]edacted|[Cc]hangeme|[Yy]our|YOUR)|[xX]{5}|(.)\1{4}|1234567|abcdefg/;
/** Keys that their makers publish as examples. */
const PUBLISHED = new Set(["sk_test_4eC39HqLyjWDarjtT1zdp7dc", "sk_test_BQokikJOvBiI2HlWgH4olfQ2"]);
const MIN_DISTINCT = 8;

/** Whether it stands for a credential, as documentation and templates have it, rather than being one. */
export function isPlaceholder(value: string): boolean {
  const isVaried = new Set(value.slice(-40)).size >= MIN_DISTINCT;
  return !isVaried || PUBLISHED.has(value) || PLACEHOLDER.test(value);
}

/** Whether the last 40 characters were drawn: a SHA-1 in hexadecimal digits is as long. */
export function isAwsSecret(found: string): boolean {
  const secret = found.slice(-40);
  return /[a-z]/.test(secret) && /[A-Z]/.test(secret) && !isPlaceholder(secret);
}

/** Whether the lines of a key follow its first: keys hold long runs of one character, which placeholders hold as well. */
export function isPrivateKey(pem: string): boolean {
  const lines = pem.slice(pem.indexOf("KEY-----") + "KEY-----".length).slice(0, 80);
  return new Set(lines).size >= 2 * MIN_DISTINCT && !/x{5}|example/i.test(lines);
}

const NOBODY =
  /^(?:localhost|127\.|0\.0\.0\.0)|(?:^|\.)(?:example(?:\.(?:com|net|org))?|local|test|invalid)$/i;
const PASSWORD_WORD = /pass|secret|user|hunter|^[a-z]+$|^\d+$/i;

/** Whether a database's URL has a password that somebody drew, on a host that strangers may reach. */
export function hasPassword(url: string): boolean {
  const at = url.lastIndexOf("@");
  const password = url.slice(url.lastIndexOf(":", at) + 1, at);
  const host = url.slice(at + 1).replace(/\.$/, "");
  const isPublic = host.includes(".") && !NOBODY.test(host);
  return isPublic && !PASSWORD_WORD.test(password) && !PLACEHOLDER.test(url);
}

/** Whether a JSON web token is Supabase's key to every row; the one of its local demo is published. */
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
