/**
 * `URL.canParse`, which in Node 20 refuses every host with a letter of Latin-1, such as ü, once V8 has compiled what calls
 * it.
 */
export function isUrl(text: string, base?: string): boolean {
  const isAscii = Buffer.byteLength(text) === text.length;
  if (isAscii) return URL.canParse(text, base);
  try {
    return new URL(text, base).href !== "";
  } catch {
    return false;
  }
}

/** The origin of a site, such as `https://example.com`; undefined for an address that is not https, or names more. */
export function findOrigin(text: string): string | undefined {
  if (!isUrl(text)) return undefined;
  const { protocol, origin, href } = new URL(text);
  return protocol === "https:" && href === `${origin}/` ? origin : undefined;
}
