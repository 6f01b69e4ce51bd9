import type { Tls } from "../../../../server/engine/evidence/exchange.ts";
import { goodTls, pageHop } from "../evidence-fixtures.ts";
import type { Edit } from "./rule-case.ts";

/** Edits the page's one handshake. */
export function editTls(edit: (tls: Tls) => void): Edit {
  return (evidence) => {
    const tls = goodTls();
    edit(tls);
    pageHop(evidence).tls = tls;
    evidence.page.tls = tls;
  };
}

export function failChain(code: string, message = code): Edit {
  return editTls((tls) => (tls.chainError = { code, message }));
}

/** The leaf is all that the server sends. */
export function leaveAlone(tls: Tls): void {
  tls.chainLength = 1;
  tls.chainError = {
    code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    message: "unable to verify the first certificate",
  };
}

/** The certificate's own dates are over. */
export const expired = editTls((tls) => {
  tls.certificate.notAfter = "2026-11-19T00:00:00.000Z";
  tls.chainError = { code: "CERT_HAS_EXPIRED", message: "certificate has expired" };
});

export function setSans(...sans: string[]): Edit {
  return editTls((tls) => (tls.certificate.sans = sans));
}

export function setHost(host: string, ...sans: string[]): Edit {
  return editTls((tls) => {
    tls.host = host;
    tls.certificate.sans = sans;
  });
}

export function endAt(notBefore: string, notAfter: string): Edit {
  return editTls((tls) => Object.assign(tls.certificate, { notBefore, notAfter }));
}

export const weakDigest = editTls((tls) => {
  tls.chainError = { code: "UNSPECIFIED", message: "CA signature digest algorithm too weak" };
  tls.certificate.signatureAlgorithm = "sha1WithRSAEncryption";
});

export const weakKey = editTls((tls) => {
  tls.chainError = { code: "UNSPECIFIED", message: "EE certificate key too weak" };
  Object.assign(tls.certificate, { keyType: "rsa", keyBits: 512, curve: null });
});

export function rsa(bits: number): Edit {
  return editTls((tls) =>
    Object.assign(tls.certificate, { keyType: "rsa", keyBits: bits, curve: null }),
  );
}

export function setKey(keyType: string, keyBits: number | null, curve: string | null): Edit {
  return editTls((tls) => Object.assign(tls.certificate, { keyType, keyBits, curve }));
}

/** An intermediate certificate of 365 days that the chain needs. */
export function endIntermediate(notAfter: string): Edit {
  const notBefore = new Date(Date.parse(notAfter) - 365 * 86_400_000).toISOString();
  return editTls((tls) => (tls.firstEnd = { subject: "CN=Tea CA", notBefore, notAfter }));
}
