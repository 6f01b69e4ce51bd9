const HASHES = /'(sha(?:256|384|512))-([\w+/-]+)={0,2}'/gi;

export function normalizeHash(algorithm: string, digest: string): string {
  const base64 = digest.replaceAll("-", "+").replaceAll("_", "/").replaceAll("=", "");
  return `${algorithm.toLowerCase()}-${base64}`;
}

/** The digests that browsers compare, the strongest first (Subresource Integrity, 3.2). */
const STRONGEST_FIRST = ["sha512", "sha384", "sha256"];
/**
 * Like Chromium, accepts a hyphen after `sha`, and a digest of any length. A digest of the wrong length matches no
 * file.
 */
const DIGEST = /^(sha)-?(256|384|512)-([\w+/-]+)={0,2}(?:\?.*)?$/;

/** A digest that browsers do not know protects nothing. */
export function findDigests(integrity: string | null): string[] {
  return (integrity ?? "").split(/\s+/).flatMap((token) => {
    const [, sha, bits, digest] = DIGEST.exec(token) ?? [];
    return sha && bits && digest ? [normalizeHash(sha + bits, digest)] : [];
  });
}

export function findStrongest(
  integrity: string | null,
): [algorithm: string, digests: string[]] | undefined {
  const digests = findDigests(integrity);
  return STRONGEST_FIRST.map((algorithm): [string, string[]] => [
    algorithm,
    digests.filter((digest) => digest.startsWith(algorithm)),
  ]).find(([, found]) => found.length > 0);
}

export function findHashes(policy: string): string[] {
  return [...policy.matchAll(HASHES)].map(([, algorithm = "", digest = ""]) =>
    normalizeHash(algorithm, digest),
  );
}
