import { X509Certificate } from "node:crypto";
import type { Tls } from "../evidence/exchange.ts";
import { nameLine, readDate } from "./certificate.ts";
import { readNames } from "./der.ts";

export type ChainFacts = Pick<Tls, "isPublic" | "firstEnd">;

export interface Root {
  readonly der: Buffer;
  readonly isPublic: boolean;
}

/** By subject. Only the few that are needed are parsed, because parsing all of them takes longer than a visit. */
export type Roots = ReadonlyMap<string, readonly Root[]>;

const PEM_LINES = /-----[^-]+-----|\s/g;

export function indexRoots(trusted: readonly string[], publicRoots: ReadonlySet<string>): Roots {
  const roots = new Map<string, Root[]>();
  for (const pem of trusted) {
    const der = Buffer.from(pem.replace(PEM_LINES, ""), "base64");
    const { subject } = readNames(der);
    const known = roots.get(subject) ?? [];
    roots.set(subject, [...known, { der, isPublic: publicRoots.has(pem) }]);
  }
  return roots;
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
  } catch {
    return false;
  }
}

function findRoot(certificate: X509Certificate, roots: Roots): Root | undefined {
  return roots
    .get(readNames(certificate.raw).issuer)
    ?.find(({ der }) => isIssuedBy(certificate, new X509Certificate(der)));
}

/** The certificates from the server's own one to the last one before a root. */
interface Path {
  readonly certificates: readonly X509Certificate[];
  readonly end: number;
}

const endOf = (certificate: X509Certificate): number => Date.parse(certificate.validTo);
const isSelfIssued = (certificate: X509Certificate): boolean =>
  isIssuedBy(certificate, certificate);

/**
 * Finds the path to a root that stays valid longest. Any other certificate that the server sends may expire without an
 * effect. Each certificate is compared with each other one at most once.
 */
function findLongestPath(
  [leaf, ...others]: readonly X509Certificate[],
  isLast: (certificate: X509Certificate) => boolean,
): Path | undefined {
  let open: Path[] = leaf ? [{ certificates: [leaf], end: endOf(leaf) }] : [];
  const left = new Set(others);
  for (;;) {
    const [path, ...rest] = open.toSorted((one, other) => other.end - one.end);
    const last = path?.certificates.at(-1);
    if (!path || !last || isLast(last)) return path;
    left.delete(last);
    const longer = [...left]
      .filter((issuer) => issuer.ca && isIssuedBy(last, issuer))
      .map((issuer) => ({
        certificates: [...path.certificates, issuer],
        end: Math.min(path.end, endOf(issuer)),
      }));
    open = [...rest.filter(({ certificates }) => certificates.at(-1) !== last), ...longer];
  }
}

/** `sent` begins with the server's own certificate. Its chain must be trusted. */
export function readChain(sent: readonly X509Certificate[], roots: Roots): ChainFacts {
  let root: Root | undefined;
  const path =
    findLongestPath(sent, (certificate) => (root = findRoot(certificate, roots)) !== undefined) ??
    findLongestPath(sent, (certificate) => {
      const issuers = sent.filter((other) => isIssuedBy(certificate, other));
      return issuers.length === 0 || issuers.some(isSelfIssued);
    });
  const first = path?.certificates.find((certificate) => endOf(certificate) === path.end);
  const isOwn = first === undefined || first === sent[0];
  return {
    isPublic: root?.isPublic === true,
    firstEnd: isOwn
      ? null
      : {
          subject: nameLine(first.subject),
          notBefore: readDate(first.validFrom),
          notAfter: readDate(first.validTo),
        },
  };
}
