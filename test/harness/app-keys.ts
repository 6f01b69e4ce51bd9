import { generateKeyPairSync, randomBytes } from "node:crypto";
import { integer, sequence } from "./der.ts";

const EXPONENT = Uint8Array.of(1, 0, 1);

/** Returns a random odd number of this many bytes, encoded as positive. */
function odd(bytes: number): Buffer {
  const number = randomBytes(bytes);
  number[0]! |= 0x80;
  number[bytes - 1]! |= 1;
  return Buffer.concat([Uint8Array.of(0), number]);
}

const toPem = (der: Buffer) =>
  `-----BEGIN RSA PRIVATE KEY-----\n${der.toString("base64")}\n-----END RSA PRIVATE KEY-----`;

interface Sizes {
  n: number;
  d: number;
  p?: number;
}

/** Returns an RSA key of numbers that do not belong together. The parameters are their sizes in bytes. */
export function inconsistentKey({ n, d, p }: Sizes): string {
  const primes = p === undefined ? [Uint8Array.of(3), Uint8Array.of(5)] : [odd(p), odd(p)];
  const exponents = p === undefined ? [Uint8Array.of(1), Uint8Array.of(1)] : [odd(p), odd(p)];
  const numbers = [odd(n), EXPONENT, odd(d), ...primes, ...exponents, Uint8Array.of(2)];
  return toPem(sequence(integer(Uint8Array.of(0)), ...numbers.map(integer)));
}

export const rsaKey = (modulusLength: number, publicExponent = 0x1_00_01) =>
  generateKeyPairSync("rsa", { modulusLength, publicExponent }).privateKey;

/** Returns the key in one of the two PEM forms of RSA keys. */
export const pemOf = (
  key: ReturnType<typeof rsaKey>,
  type: "pkcs1" | "pkcs8" = "pkcs1",
  passphrase?: string,
) =>
  key
    .export({ type, format: "pem", ...(passphrase && { cipher: "aes-256-cbc", passphrase }) })
    .toString();
