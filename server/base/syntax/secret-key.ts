export const SECRET_KEY_BYTES = 32;

/** The key that a text is the base64 of; undefined if it is none. */
export function readSecretKey(text: string): Buffer | undefined {
  const key = Buffer.from(text, "base64");
  return key.length === SECRET_KEY_BYTES && key.toString("base64") === text ? key : undefined;
}
