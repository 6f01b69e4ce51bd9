import {
  constants,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from "node:crypto";
import { isIP, isIPv4 } from "node:net";
import { promisify } from "node:util";
import * as der from "./der.ts";

const DAY_MS = 86_400_000;

type Digest = "sha256" | "sha1";

const SIGNATURES: Readonly<Record<string, Readonly<Record<Digest, string>>>> = {
  ec: { sha256: "1.2.840.10045.4.3.2", sha1: "1.2.840.10045.4.1" },
  rsa: { sha256: "1.2.840.113549.1.1.11", sha1: "1.2.840.113549.1.1.5" },
};

const OID = {
  commonName: "2.5.4.3",
  basicConstraints: "2.5.29.19",
  nameConstraints: "2.5.29.30",
  subjectAltName: "2.5.29.17",
  authorityAccess: "1.3.6.1.5.5.7.1.1",
  caIssuers: "1.3.6.1.5.5.7.48.2",
  keyUsage: "2.5.29.15",
  tlsFeature: "1.3.6.1.5.5.7.1.24",
  ed25519: "1.3.101.112",
  pss: "1.2.840.113549.1.1.10",
  mgf1: "1.2.840.113549.1.1.8",
  sha256: "2.16.840.1.101.3.4.2.1",
};

const GENERAL_NAME = { dns: 2, uri: 6, address: 7 };

const KEYS = {
  ec: (generate: Generate) => generate("ec", { namedCurve: "P-256" }),
  p384: (generate: Generate) => generate("ec", { namedCurve: "P-384" }),
  p521: (generate: Generate) => generate("ec", { namedCurve: "P-521" }),
  secp256k1: (generate: Generate) => generate("ec", { namedCurve: "secp256k1" }),
  ed25519: (generate: Generate) => generate("ed25519"),
  rsa1024: (generate: Generate) => generate("rsa", { modulusLength: 1024 }),
  rsa2048: (generate: Generate) => generate("rsa", { modulusLength: 2048 }),
  pss: (generate: Generate) => generate("rsa-pss", { modulusLength: 2048 }),
};

/** The bits of RFC 5280, 4.2.1.3. */
const KEY_USAGES = { digitalSignature: 0x80, keyEncipherment: 0x20, both: 0xa0 };

/** The contents of a certificate. `hosts` become its SANs: names, IP addresses and URIs. */
export interface Order {
  hosts: readonly string[];
  /** If empty, the certificate has no subject, and its SANs are critical (RFC 5280, 4.2.1.6). */
  commonName?: string;
  /** The download URL of the issuer's certificate (AIA, caIssuers). */
  issuerUrl?: string;
  mustStaple?: boolean;
  keyUsage?: keyof typeof KEY_USAGES;
  notBefore?: Date;
  notAfter?: Date;
  key?: keyof typeof KEYS;
  digest?: Digest;
}

/** The contents of an intermediate's certificate; by default it may sign anything. */
export interface Delegation extends Omit<Order, "hosts" | "commonName"> {
  isAuthority?: boolean;
  /** The only domain whose names it may sign. */
  permits?: string;
}

export interface Issued {
  /** PEM: the leaf, followed by its intermediates. */
  cert: string;
  key: string;
}

export interface Authority {
  certificate: string;
  issue(order: Order): Promise<Issued>;
  /** Creates an intermediate of this authority. Each certificate that the intermediate issues includes the intermediate's own. */
  delegate(delegation?: Delegation): Promise<Authority>;
  /** Issues a certificate of this authority for another authority's name and key. */
  endorse(other: Authority, dates?: Pick<Order, "notBefore" | "notAfter">): string;
}

interface Subject {
  name: string;
  key: KeyObject;
}

type Generate = typeof generateKeyPair.__promisify__;

/** A root that only its creator trusts; its key never leaves the process. */
export async function createAuthority(): Promise<Authority> {
  const root = { name: `Shipscore ephemeral root ${serial()}`, key: await generateKey("ec") };
  return authorityOf(root, certifyAuthority(root, root), "");
}

export async function issueSelfSigned(order: Order): Promise<Issued> {
  const subject = await subjectOf(order);
  return { cert: certify(subject, subject, order, [constraints(false)]), key: exportKey(subject) };
}

function authorityOf(issuer: Subject, certificate: string, above: string): Authority {
  return {
    certificate,
    async issue(order) {
      const subject = await subjectOf(order);
      const cert = certify(subject, issuer, order, [constraints(false)]);
      return { cert: cert + above, key: exportKey(subject) };
    },
    async delegate(delegation = {}) {
      const name = `Shipscore ephemeral intermediate ${serial()}`;
      const intermediate = { name, key: await generateKey(delegation.key ?? "ec") };
      const signed = certifyAuthority(intermediate, issuer, delegation);
      return authorityOf(intermediate, signed, signed + above);
    },
    endorse(other, dates = {}) {
      const { subject, publicKey } = new X509Certificate(other.certificate);
      return certifyAuthority({ name: subject.replace("CN=", ""), key: publicKey }, issuer, dates);
    },
  };
}

async function subjectOf({ hosts, commonName, key }: Order): Promise<Subject> {
  return { name: commonName ?? hosts[0] ?? "shipscore", key: await generateKey(key ?? "ec") };
}

function certifyAuthority(subject: Subject, issuer: Subject, delegation: Delegation = {}): string {
  const { isAuthority = true, permits } = delegation;
  const extensions = [constraints(isAuthority), ...(permits ? [permitOnly(permits)] : [])];
  return certify(subject, issuer, { ...delegation, hosts: [] }, extensions);
}

function certify(
  subject: Subject,
  issuer: Subject,
  order: Order,
  extensions: readonly Buffer[],
): string {
  const { digest = "sha256" } = order;
  const notBefore = order.notBefore ?? new Date(Date.now() - DAY_MS);
  const notAfter = order.notAfter ?? new Date(Date.now() + 90 * DAY_MS);
  const algorithm = signatureAlgorithm(issuer.key, digest);
  const { key } = subject;
  const content = der.sequence(
    der.explicit(0, der.integer(Uint8Array.of(2))),
    der.integer(Buffer.from(serial(), "hex")),
    algorithm,
    nameOf(issuer),
    der.sequence(der.time(notBefore), der.time(notAfter)),
    nameOf(subject),
    (key.type === "public" ? key : createPublicKey(key)).export({ type: "spki", format: "der" }),
    der.explicit(
      3,
      der.sequence(
        ...extensions,
        ...alternativeNames(order),
        ...authorityAccess(order),
        ...tlsFeatures(order),
        ...keyUsages(order),
      ),
    ),
  );
  const isEdwards = issuer.key.asymmetricKeyType === "ed25519";
  const saltLength = constants.RSA_PSS_SALTLEN_DIGEST;
  const signature = sign(isEdwards ? null : digest, content, { key: issuer.key, saltLength });
  return pem("CERTIFICATE", der.sequence(content, algorithm, der.bits(signature)));
}

function constraints(isAuthority: boolean): Buffer {
  const value = isAuthority ? der.sequence(der.yes()) : der.sequence();
  return der.sequence(der.objectId(OID.basicConstraints), der.yes(), der.octets(value));
}

function permitOnly(domain: string): Buffer {
  const subtree = der.sequence(der.implicit(GENERAL_NAME.dns, Buffer.from(domain)));
  const value = der.sequence(der.explicit(0, subtree));
  return der.sequence(der.objectId(OID.nameConstraints), der.yes(), der.octets(value));
}

function alternativeNames({ hosts, commonName }: Order): Buffer[] {
  if (hosts.length === 0) return [];
  const critical = commonName === "" ? [der.yes()] : [];
  const value = der.octets(der.sequence(...hosts.map(generalName)));
  return [der.sequence(der.objectId(OID.subjectAltName), ...critical, value)];
}

function authorityAccess({ issuerUrl }: Order): Buffer[] {
  if (issuerUrl === undefined) return [];
  const access = der.sequence(der.objectId(OID.caIssuers), generalName(issuerUrl));
  return [der.sequence(der.objectId(OID.authorityAccess), der.octets(der.sequence(access)))];
}

/** RFC 7633: status_request has the number 5. */
function tlsFeatures({ mustStaple }: Order): Buffer[] {
  if (mustStaple !== true) return [];
  const features = der.octets(der.sequence(der.integer(Uint8Array.of(5))));
  return [der.sequence(der.objectId(OID.tlsFeature), features)];
}

function keyUsages({ keyUsage }: Order): Buffer[] {
  if (keyUsage === undefined) return [];
  const value = der.octets(der.bits(Uint8Array.of(KEY_USAGES[keyUsage])));
  return [der.sequence(der.objectId(OID.keyUsage), der.yes(), value)];
}

function generalName(host: string): Buffer {
  if (isIP(host) > 0) return der.implicit(GENERAL_NAME.address, addressBytes(host));
  const kind = host.includes("://") ? GENERAL_NAME.uri : GENERAL_NAME.dns;
  return der.implicit(kind, Buffer.from(host));
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  const [head = [], tail = []] = address
    .split("::")
    .map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  const groups = [...head, ...zeros, ...tail].map((group) => group.padStart(4, "0"));
  return Buffer.from(groups.join(""), "hex");
}

function nameOf({ name }: Subject): Buffer {
  if (name === "") return der.sequence();
  return der.sequence(der.set(der.sequence(der.objectId(OID.commonName), der.text(name))));
}

function signatureAlgorithm(key: KeyObject, digest: Digest): Buffer {
  const { asymmetricKeyType: kind = "" } = key;
  if (kind === "ed25519") return der.sequence(der.objectId(OID.ed25519));
  if (kind === "rsa-pss") return der.sequence(der.objectId(OID.pss), pssParameters(digest));
  const id = der.objectId(SIGNATURES[kind]?.[digest] ?? "");
  return kind === "rsa" ? der.sequence(id, der.nothing()) : der.sequence(id);
}

/** The parameters of RFC 4055, 3.1. SHA-1 is omitted, because it is the default. */
function pssParameters(digest: Digest): Buffer {
  if (digest === "sha1") return der.sequence();
  const hash = der.sequence(der.objectId(OID.sha256), der.nothing());
  const mask = der.sequence(der.objectId(OID.mgf1), hash);
  const salt = der.integer(Uint8Array.of(32));
  return der.sequence(der.explicit(0, hash), der.explicit(1, mask), der.explicit(2, salt));
}

async function generateKey(kind: keyof typeof KEYS): Promise<KeyObject> {
  const { privateKey } = await KEYS[kind](promisify(generateKeyPair));
  return privateKey;
}

function exportKey({ key }: Subject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

function pem(label: string, content: Buffer): string {
  const lines = content.toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

/** A positive integer in hexadecimal, 64 bits wide. */
function serial(): string {
  return `4${randomBytes(8).toString("hex").slice(1)}`;
}
