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
