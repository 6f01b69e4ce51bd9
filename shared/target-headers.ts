/** The request headers that open a protected preview; no others may be sent. */
export const TARGET_HEADERS = [
  "x-vercel-protection-bypass",
  "cf-access-client-id",
  "cf-access-client-secret",
] as const;

export const TARGET_HEADER_MAX_LENGTH = 1024;
export const TARGET_HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
