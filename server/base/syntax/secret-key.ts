export const SECRET_KEY_BYTES = 32;

export function readSecretKey(text: string): Buffer | undefined {
  const key = Buffer.from(text, "base64");
  return key.length === SECRET_KEY_BYTES && key.toString("base64") === text ? key : undefined;
}
