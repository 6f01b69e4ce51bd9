import { createPublicKey, generateKeyPair, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP, isIPv4 } from "node:net";
import { promisify } from "node:util";
import * as der from "./der.ts";

const DAY_MS = 86_400_000;

const SIGNATURES = {
  ec: { sha256: "1.2.840.10045.4.3.2", sha1: "1.2.840.10045.4.1" },
  rsa: { sha256: "1.2.840.113549.1.1.11", sha1: "1.2.840.113549.1.1.5" },
};

const OID = {
  commonName: "2.5.4.3",
  basicConstraints: "2.5.29.19",
  subjectAltName: "2.5.29.17",
};

/** What a certificate is to say. `hosts` become its SANs, names and addresses alike. */
export interface Order {
  hosts: readonly string[];
  commonName?: string;
  notBefore?: Date;
  notAfter?: Date;
  key?: "ec" | "rsa1024" | "rsa2048";
  digest?: "sha256" | "sha1";
}

/** PEM texts; `cert` is the leaf, followed by its intermediates. */
export interface Issued {
  cert: string;
  key: string;
}

export interface Authority {
  /** The authority's own certificate, PEM. */
  certificate: string;
  issue(order: Order): Promise<Issued>;
  /** An intermediate of this authority; what it issues carries its certificate along. */
  delegate(): Promise<Authority>;
}

interface Subject {
  name: string;
  key: KeyObject;
}

/** A root that nobody trusts but its creator; its key never leaves the process. */
export async function createAuthority(): Promise<Authority> {
  const root = { name: `Shipscore ephemeral root ${serial()}`, key: await generateKey("ec") };
  return authorityOf(root, certify(root, root, { hosts: [] }, true), "");
}

/** A certificate signed with its own key. */
export async function issueSelfSigned(order: Order): Promise<Issued> {
  const subject = await subjectOf(order);
  return { cert: certify(subject, subject, order), key: exportKey(subject) };
}

function authorityOf(issuer: Subject, certificate: string, above: string): Authority {
  return {
    certificate,
    async issue(order) {
      const subject = await subjectOf(order);
      return { cert: certify(subject, issuer, order) + above, key: exportKey(subject) };
    },
    async delegate() {
      const name = `Shipscore ephemeral intermediate ${serial()}`;
      const intermediate = { name, key: await generateKey("ec") };
      const signed = certify(intermediate, issuer, { hosts: [] }, true);
      return authorityOf(intermediate, signed, signed + above);
    },
  };
}

async function subjectOf({ hosts, commonName, key }: Order): Promise<Subject> {
  return { name: commonName ?? hosts[0] ?? "shipscore", key: await generateKey(key ?? "ec") };
}

function certify(subject: Subject, issuer: Subject, order: Order, isAuthority = false): string {
  const { digest = "sha256" } = order;
  const notBefore = order.notBefore ?? new Date(Date.now() - DAY_MS);
  const notAfter = order.notAfter ?? new Date(Date.now() + 90 * DAY_MS);
  const algorithm = signatureAlgorithm(issuer.key, digest);
  const constraints = isAuthority ? der.sequence(der.yes()) : der.sequence();
  const content = der.sequence(
    der.explicit(0, der.integer(Uint8Array.of(2))),
    der.integer(Buffer.from(serial(), "hex")),
    algorithm,
    nameOf(issuer),
    der.sequence(der.time(notBefore), der.time(notAfter)),
    nameOf(subject),
    createPublicKey(subject.key).export({ type: "spki", format: "der" }),
    der.explicit(
      3,
      der.sequence(
        der.sequence(der.objectId(OID.basicConstraints), der.yes(), der.octets(constraints)),
        ...alternativeNames(order.hosts),
      ),
    ),
  );
  const signature = sign(digest, content, issuer.key);
  return pem("CERTIFICATE", der.sequence(content, algorithm, der.bits(signature)));
}

function alternativeNames(hosts: readonly string[]): Buffer[] {
  if (hosts.length === 0) return [];
  const names = hosts.map((host) =>
    isIP(host) === 0 ? der.implicit(2, Buffer.from(host)) : der.implicit(7, addressBytes(host)),
  );
  const value = der.octets(der.sequence(...names));
  return [der.sequence(der.objectId(OID.subjectAltName), value)];
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
  return der.sequence(der.set(der.sequence(der.objectId(OID.commonName), der.text(name))));
}

function signatureAlgorithm(key: KeyObject, digest: "sha256" | "sha1"): Buffer {
  return key.asymmetricKeyType === "ec"
    ? der.sequence(der.objectId(SIGNATURES.ec[digest]))
    : der.sequence(der.objectId(SIGNATURES.rsa[digest]), der.nothing());
}

async function generateKey(kind: "ec" | "rsa1024" | "rsa2048"): Promise<KeyObject> {
  const generate = promisify(generateKeyPair);
  const { privateKey } =
    kind === "ec"
      ? await generate("ec", { namedCurve: "P-256" })
      : await generate("rsa", { modulusLength: kind === "rsa1024" ? 1024 : 2048 });
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
