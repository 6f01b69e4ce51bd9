import type { X509Certificate } from "node:crypto";
import {
  childrenOf,
  type Element,
  readElements,
  readExtension,
  readExtensionValue,
} from "./der.ts";
import { BoundedList } from "../evidence/bounded-list.ts";
import type { Tls } from "../evidence/exchange.ts";
import { oneLine } from "../../base/syntax/text.ts";

const MAX_SANS = 200;
const MAX_SAN_BYTES = 1024;
const MAX_SAN_LENGTH = 300;
const MAX_NAME_LENGTH = 160;
const TAG = { dnsName: 0x82, uri: 0x86, ipAddress: 0x87, pssHash: 0xa0 };
const SUBJECT_ALT_NAME = "551d11";
const AUTHORITY_ACCESS = "2b06010505070101";
const CA_ISSUERS = "2b06010505073002";
/** RFC 7633, 4.1: the certificate requires a feature of TLS. Must-Staple is the extension status_request. */
const KEY_USAGE = "551d0f";
/** The first bit of the key usage (RFC 5280, 4.2.1.3). */
const DIGITAL_SIGNATURE = 0x80;
const TLS_FEATURE = "2b06010505070118";
const STATUS_REQUEST = 5;

/** OpenSSL's names of signature algorithms, by the DER of the object identifier in hexadecimal. */
const SIGNATURES = new Map([
  ["2a864886f70d010102", "md2WithRSAEncryption"],
  ["2a864886f70d010104", "md5WithRSAEncryption"],
  ["2a864886f70d010105", "sha1WithRSAEncryption"],
  ["2b0e03021d", "sha1WithRSA"],
  ["2a8648ce380403", "dsa-with-SHA1"],
  ["2a864886f70d01010b", "sha256WithRSAEncryption"],
  ["2a864886f70d01010c", "sha384WithRSAEncryption"],
  ["2a864886f70d01010d", "sha512WithRSAEncryption"],
  ["2a8648ce3d0401", "ecdsa-with-SHA1"],
  ["2a8648ce3d040302", "ecdsa-with-SHA256"],
  ["2a8648ce3d040303", "ecdsa-with-SHA384"],
  ["2a8648ce3d040304", "ecdsa-with-SHA512"],
  ["2b6570", "ED25519"],
  ["2b6571", "ED448"],
]);

const PSS = "2a864886f70d01010a";
/** The digests in the parameters of RSASSA-PSS. Without parameters the digest is SHA-1 (RFC 4055, 3.1). */
const DIGESTS = new Map([
  ["608648016503040201", "SHA256"],
  ["608648016503040202", "SHA384"],
  ["608648016503040203", "SHA512"],
]);

/**
 * The names and the signature algorithm come from the DER (RFC 5280, 4.1), because Node gives nothing or an ambiguous
 * string. No library is used: @peculiar/x509 needs a global polyfill at import, and node-forge knows no EC keys.
 * @param host SANs that could match this name or address are kept first
 */
export function readCertificate(certificate: X509Certificate, host: string): Tls["certificate"] {
  const [body, algorithm] = readElements(certificate.raw).flatMap(childrenOf);
  return {
    subject: nameLine(certificate.subject),
    issuer: nameLine(certificate.issuer),
    sans: body ? limitSans(readExtension(body, SUBJECT_ALT_NAME).flatMap(readSan), host) : [],
    notBefore: readDate(certificate.validFrom),
    notAfter: readDate(certificate.validTo),
    ...readKey(certificate),
    signatureAlgorithm: algorithm ? nameSignature(algorithm) : "unknown",
    namesIssuer: body ? readExtension(body, AUTHORITY_ACCESS).some(isIssuerAddress) : null,
    maySign: body ? maySign(body) : true,
    mustStaple: body ? readExtension(body, TLS_FEATURE).some(isStatusRequest) : false,
  };
}

type Key = Pick<Tls["certificate"], "keyType" | "keyBits" | "curve">;

/** Node throws for a key that OpenSSL does not support. */
function readKey(certificate: X509Certificate): Key {
  try {
    const { bits, asn1Curve } = certificate.toLegacyObject();
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
    return {
      keyType: asymmetricKeyType ?? "unknown",
      keyBits: bits ?? asymmetricKeyDetails?.modulusLength ?? null,
      curve: asn1Curve ?? null,
    };
  } catch {
    return { keyType: "unknown", keyBits: null, curve: null };
  }
}

/** Whether the element declares a download URL of the issuer (caIssuers; RFC 5280, 4.2.2.1) that browsers use. */
function isIssuerAddress(access: Element): boolean {
  const [method, location] = childrenOf(access);
  if (method?.content.toString("hex") !== CA_ISSUERS || location?.tag !== TAG.uri) return false;
  return /^https?:/i.test(location.content.toString("latin1"));
}

/** The first byte of a bit string is the number of bits that it does not use. */
function maySign(body: Element): boolean {
  const [usage] = readExtensionValue(body, KEY_USAGE);
  return usage === undefined || ((usage.content[1] ?? 0) & DIGITAL_SIGNATURE) !== 0;
}

function isStatusRequest({ content }: Element): boolean {
  return content.length === 1 && content[0] === STATUS_REQUEST;
}

/** If there are too many SANs, keeps those that could match the host first. */
function limitSans(all: readonly string[], host: string): string[] {
  const wildcard = host.replace(/^[^.]*/, "*");
  const own = [`dns:${host}`, `dns:${host}.`, `dns:${wildcard}`, `dns:${wildcard}.`, `ip:${host}`];
  const isOwn = (san: string): boolean => own.includes(san.toLowerCase());
  const sans = [...new Set(all)];
  const kept = new BoundedList<string>(MAX_SAN_BYTES, MAX_SANS);
  for (const san of [...sans.filter(isOwn), ...sans.filter((each) => !isOwn(each))])
    kept.offer(() => san);
  const chosen = new Set(kept.items);
  return sans.filter((san) => chosen.has(san));
}

/** Writes bytes that a name must not contain as `\x00`, so that such a name cannot pass for another. */
function readName(content: Buffer): string {
  return content
    .toString("latin1")
    .replace(/[^!-~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
}

function readSan({ tag, content }: Element): string[] {
  if (tag === TAG.dnsName) return [`dns:${oneLine(readName(content), MAX_SAN_LENGTH)}`];
  if (tag === TAG.ipAddress && content.length === 4) return [`ip:${content.join(".")}`];
  if (tag === TAG.ipAddress && content.length === 16) return [`ip:${formatIpv6(content)}`];
  return [];
}

function formatIpv6(bytes: Buffer): string {
  const groups = bytes.toString("hex").match(/.{4}/g) ?? [];
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

function nameSignature(algorithm: Element): string {
  const [oid, parameters] = childrenOf(algorithm);
  const id = oid?.content.toString("hex") ?? "";
  if (id === PSS) return `rsassaPss-${namePssDigest(parameters)}`;
  return SIGNATURES.get(id) ?? `oid ${id.slice(0, 64)}`;
}

function namePssDigest(parameters: Element | undefined): string {
  const hash = parameters && childrenOf(parameters).find(({ tag }) => tag === TAG.pssHash);
  if (!hash) return "SHA1";
  const [oid] = childrenOf(hash).flatMap(childrenOf);
  const id = oid?.content.toString("hex") ?? "";
  return DIGESTS.get(id) ?? `oid ${id.slice(0, 64)}`;
}

/** Node omits an empty name, although its types say otherwise. */
export function nameLine(name: string | undefined): string {
  return oneLine(name?.replaceAll("\n", ", ") ?? "", MAX_NAME_LENGTH);
}

/** OpenSSL cannot print a date that is out of range. The chain error reports such a date. */
export function readDate(text: string): string {
  const date = new Date(text);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}
