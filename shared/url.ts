/** `URL.canParse` without a bug of Node 20: once V8 has compiled the caller, it refuses hosts with Latin-1 letters such as ü. */
export function isUrl(text: string, base?: string): boolean {
  const isAscii = Buffer.byteLength(text) === text.length;
  if (isAscii) return URL.canParse(text, base);
  try {
    return new URL(text, base).href !== "";
  } catch {
    return false;
  }
}

/** `https://example.com`. Undefined for a URL that is not https or has more than an origin. */
export function findOrigin(text: string): string | undefined {
  if (!isUrl(text)) return undefined;
  const { protocol, origin, href } = new URL(text);
  return protocol === "https:" && href === `${origin}/` ? origin : undefined;
}
