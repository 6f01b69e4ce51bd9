export const SECRET_KEY_BYTES = 32;

/** Decodes a base64 key; undefined if the text is not one. */
export function readSecretKey(text: string): Buffer | undefined {
  const key = Buffer.from(text, "base64");
  return key.length === SECRET_KEY_BYTES && key.toString("base64") === text ? key : undefined;
}
