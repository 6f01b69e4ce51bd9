import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import * as z from "zod";
import { parseJson } from "../base/syntax/nested-json.ts";
import type { StoredPasskey } from "../db/accounts/passkeys.ts";

export interface RelyingParty {
  /** The server's host name. */
  id: string;
  origin: string;
}

export interface NewCredential {
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  transports: string;
}

/** Four times the size of the largest authenticator's answer; the library itself sets no limit. */
const MAX_PART_LENGTH = 16_384;
const Base64Url = z
  .string()
  .max(MAX_PART_LENGTH)
  .regex(/^[\w-]*$/);
const Credential = z.object({
  id: Base64Url.min(1).max(1400),
  rawId: Base64Url,
  type: z.literal("public-key"),
  clientExtensionResults: z.object({}).default({}),
});
const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
const Attestation = Credential.extend({
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: z.array(z.enum(TRANSPORTS)).max(TRANSPORTS.length).catch([]),
  }),
});
const Assertion = Credential.extend({
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Base64Url.optional(),
  }),
});

const encode = (text: string) => Buffer.from(text).toString("base64url");
const decode = (text: string) => Buffer.from(text, "base64url").toString();

const ClientData = z.object({ challenge: Base64Url });

/** The challenge that the browser claims to have answered. It is not verified here. */
export function challengeOf({ response }: { response: { clientDataJSON: string } }): string {
  const { data } = ClientData.safeParse(parseJson(decode(response.clientDataJSON)));
  return decode(data?.challenge ?? "");
}

/** Returns undefined if our script cannot have written the text. */
export const readAttestation = (text: string): RegistrationResponseJSON | undefined =>
  Attestation.safeParse(parseJson(text)).data;

export const readAssertion = (text: string): AuthenticationResponseJSON | undefined =>
  Assertion.safeParse(parseJson(text)).data as AuthenticationResponseJSON | undefined;

/**
 * Answers with certificates are refused, since the library would query the revocation URLs in them. This server requests no certificates.
 * The library is imported late because it takes a quarter of a second to load.
 */
async function hasCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  const attestation = decodeAttestationObject(
    new Uint8Array(Buffer.from(attestationObject, "base64url")),
  );
  const format = attestation.get("fmt");
  const isSelfSigned = format === "packed" && attestation.get("attStmt").get("x5c") === undefined;
  return format !== "none" && !isSelfSigned;
}

async function verifyWithoutCertificates(
  response: RegistrationResponseJSON,
  { id, origin }: RelyingParty,
  challenge: string,
): Promise<NewCredential | undefined> {
  if (await hasCertificates(response.response.attestationObject)) return undefined;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: encode(challenge),
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
  });
  const credential = registrationInfo?.credential;
  return (
    credential && {
      credentialId: Buffer.from(credential.id, "base64url"),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: response.response.transports?.join(" ") ?? "",
    }
  );
}

/** Requires user verification. Returns undefined if the response does not answer the challenge. */
export const verifyAttestation = (
  response: RegistrationResponseJSON,
  party: RelyingParty,
  challenge: string,
): Promise<NewCredential | undefined> =>
  verifyWithoutCertificates(response, party, challenge).catch(() => undefined);

/** Returns the new use counter; undefined if the response does not answer the challenge with user verification. */
export async function verifyAssertion(
  response: AuthenticationResponseJSON,
  { publicKey, counter }: StoredPasskey,
  { id, origin }: RelyingParty,
  challenge: string,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const verification = await verifyAuthenticationResponse({
    response,
    expectedChallenge: encode(challenge),
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    credential: { id: response.id, publicKey: new Uint8Array(publicKey), counter },
  }).catch(() => undefined);
  return verification?.verified ? verification.authenticationInfo.newCounter : undefined;
}
