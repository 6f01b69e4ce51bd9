export const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX = "psk_";
const RANDOM_LENGTH = 34;
const CHECKSUM_LENGTH = 6;

/** IEEE 802.3, for ASCII only. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** Six base62 digits, as at the end of GitHub's and npm's tokens. */
function checksum(random: string): string {
  let rest = crc32(random);
  let digits = "";
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

/** `psk_`, 34 base62 characters, and 6 for their CRC-32, which finds typos without the database. */
export function tokenFrom(random: string): string {
  return PREFIX + random + checksum(random);
}

const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** The token may still be unknown or revoked. */
export function isToken(text: string): boolean {
  if (!SHAPE.test(text)) return false;
  return tokenFrom(text.slice(PREFIX.length, PREFIX.length + RANDOM_LENGTH)) === text;
}
