const TOKEN_SHAPE = /psk_[0-9A-Za-z]+/g;
const MIN_SECRET_LENGTH = 8;

/** The text with everything that has the shape of a token masked, whoever wrote it. */
export function maskTokens(text: string): string {
  return text.replace(TOKEN_SHAPE, "***");
}

/** JSON text with these secrets masked, which a site or a server might repeat. */
export function maskSecrets(json: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .reduce((text, secret) => text.replaceAll(JSON.stringify(secret).slice(1, -1), "***"), json);
}
