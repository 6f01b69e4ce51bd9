import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

const PEM = readFileSync(new URL("./certificates.pem", import.meta.url), "utf8");

/** An EC leaf with names and addresses, an RSA one with a common name alone, and a self-signed one under SHA-1. */
export const CERTIFICATES: readonly X509Certificate[] = PEM.split(
  /(?<=-----END CERTIFICATE-----\n)/,
)
  .filter((text) => text !== "")
  .map((text) => new X509Certificate(text));
