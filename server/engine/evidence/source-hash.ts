const HASHES = /'(sha(?:256|384|512))-([\w+/-]+)={0,2}'/gi;

/** A hash of an inline script or style sheet, in one spelling: its algorithm in lower case, base64 without padding. */
export function spellHash(algorithm: string, digest: string): string {
  const base64 = digest.replaceAll("-", "+").replaceAll("_", "/").replaceAll("=", "");
  return `${algorithm.toLowerCase()}-${base64}`;
}

/** The hashes that a policy names, as `spellHash` spells them. */
export function findHashes(policy: string): string[] {
  return [...policy.matchAll(HASHES)].map(([, algorithm = "", digest = ""]) =>
    spellHash(algorithm, digest),
  );
}
