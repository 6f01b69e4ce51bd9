import { expect } from "vitest";
import {
  createAuthority,
  type Delegation,
  type Issued,
  issueSelfSigned,
  type Order,
} from "../../../harness/certificates.ts";
import { getAuthority } from "../../../harness/site.ts";
import { HOSTS } from "../good-site.ts";
import {
  type CertificateCase,
  daysFromNow,
  type Outcomes,
  WEAK_TLS,
  NOTHING,
  handshaken,
} from "../served-case.ts";

const OVER = { notBefore: daysFromNow(-9), notAfter: daysFromNow(-1) };
const NOT_YET = { notBefore: daysFromNow(1) };

const via = (delegation: Delegation) => async (): Promise<Issued> => {
  const intermediate = await (await getAuthority()).delegate(delegation);
  return intermediate.issue({ hosts: HOSTS });
};

/** A certificate and its intermediate, with the chain sent as `order` has it. */
const chained =
  (order: (leaf: string, intermediate: string, root: string) => string, extra: ExtraOrder = {}) =>
  async (): Promise<Issued> => {
    const root = await getAuthority();
    const intermediate = await root.delegate();
    const { cert, key } = await intermediate.issue({ hosts: HOSTS, ...extra });
    const leaf = cert.replace(intermediate.certificate, "");
    return { cert: order(leaf, intermediate.certificate, root.certificate), key };
  };

type ExtraOrder = Omit<Order, "hosts">;
const AIA = { issuerUrl: "http://ca.example/intermediate.der" };

const refused = (code: string, chainLength: number, message: string | RegExp = /./) => ({
  tls: { chainLength, chainError: { code, message: expect.stringMatching(message) } },
});

const named = (host: string): string => `dns:${host}`;
const UNTRUSTED: Outcomes = { "tls.chain": "fail", "tls.intermediate": "blocked" };
const INCOMPLETE: Outcomes = { "tls.chain": "blocked", "tls.intermediate": "fail" };

const SOON = { notBefore: daysFromNow(-88), notAfter: daysFromNow(2) };

export const CHAIN_CASES: readonly CertificateCase[] = [
  ...handshaken(
    { "tls.expiry": "fail" },
    {
      "an intermediate that ends in two days": [
        { certificate: via(SOON) },
        {
          tls: {
            chainError: null,
            firstEnd: { subject: expect.stringContaining("intermediate") },
          },
        },
      ],
      "a root that only a cross-signed certificate of two days links to a known one": [
        {
          async certificate() {
            const unknown = await createAuthority();
            const issued = await (await unknown.delegate()).issue({ hosts: HOSTS });
            return { ...issued, cert: issued.cert + (await getAuthority()).endorse(unknown, SOON) };
          },
        },
        { tls: { chainError: null, firstEnd: { subject: expect.stringContaining("root") } } },
      ],
    },
  ),
  [
    "an intermediate that ends in ten days",
    { certificate: via({ notBefore: daysFromNow(-80), notAfter: daysFromNow(10) }) },
    { tls: { chainError: null } },
    { "tls.expiry": "partial soon" },
  ],
  ...handshaken(NOTHING, {
    "an empty subject and critical names (RFC 5280, 4.1.2.6)": [
      { order: { commonName: "" } },
      {
        tls: {
          chainError: null,
          certificate: { subject: "", sans: expect.arrayContaining(HOSTS.map(named)) },
        },
      },
    ],
    "an issuer's address, and the whole chain": [
      { certificate: chained((leaf, intermediate) => leaf + intermediate, AIA) },
      { tls: { chainError: null, certificate: { namesIssuer: true } } },
    ],
    "reversed-chain": [
      { certificate: chained((leaf, intermediate, root) => leaf + root + intermediate) },
      { tls: { chainError: null, chainLength: 3 } },
    ],
    "the root sent along": [
      { certificate: chained((leaf, intermediate, root) => leaf + intermediate + root) },
      { tls: { chainError: null, chainLength: 3 } },
    ],
    "a trusted root that a stranger has cross-signed": [
      {
        async certificate() {
          const { cert, key: own } = await via({})();
          const endorsed = (await createAuthority()).endorse(await getAuthority());
          return { cert: cert + endorsed, key: own };
        },
      },
      { tls: { chainError: null, chainLength: 3 } },
    ],
    "an intermediate that ends in two days, and another one of the same name and key": [
      {
        async certificate() {
          const root = await getAuthority();
          const intermediate = await root.delegate(SOON);
          const issued = await intermediate.issue({ hosts: HOSTS });
          return { ...issued, cert: issued.cert + root.endorse(intermediate) };
        },
      },
      { tls: { chainError: null, chainLength: 3, firstEnd: null } },
    ],
    "a cross-signed root that ends in two days, which the chain does not need": [
      {
        async certificate() {
          const issued = await via({})();
          const endorsed = (await createAuthority()).endorse(await getAuthority(), SOON);
          return { ...issued, cert: issued.cert + endorsed };
        },
      },
      { tls: { chainError: null, chainLength: 3, firstEnd: null } },
    ],
    "a cross-signed root that has ended": [
      {
        async certificate() {
          const issued = await via({})();
          const endorsed = (await createAuthority()).endorse(await getAuthority(), OVER);
          return { ...issued, cert: issued.cert + endorsed };
        },
      },
      { tls: { chainError: null, chainLength: 3, firstEnd: null } },
    ],
    "an intermediate of another chain that ends in two days": [
      {
        async certificate() {
          const issued = await via({})();
          const other = await (await getAuthority()).delegate(SOON);
          return { ...issued, cert: issued.cert + other.certificate };
        },
      },
      { tls: { chainError: null, chainLength: 3, firstEnd: null } },
    ],
    "an intermediate for this domain": [
      { certificate: via({ permits: "example.com" }) },
      { tls: { chainError: null, chainLength: 2 } },
    ],
  }),
  ...handshaken(
    { ...UNTRUSTED, "tls.expiry": "blocked" },
    {
      "neither subject nor issuer, and an end that is over": [
        { certificate: () => issueSelfSigned({ hosts: HOSTS, commonName: "", ...OVER }) },
        { tls: { certificate: { subject: "", issuer: "" } } },
      ],
      expired: [{ order: OVER }, refused("CERT_HAS_EXPIRED", 1)],
      "not-yet-valid": [{ order: NOT_YET }, refused("CERT_NOT_YET_VALID", 1)],
      "self-signed, and expired: Node names the dates alone": [
        { certificate: () => issueSelfSigned({ hosts: HOSTS, ...OVER }) },
        refused("CERT_HAS_EXPIRED", 1),
      ],
      "expired, and its intermediate missing": [
        { certificate: chained((leaf) => leaf, { ...AIA, ...OVER }) },
        refused("CERT_HAS_EXPIRED", 1),
      ],
    },
  ),
  ...handshaken(UNTRUSTED, {
    "self-signed": [
      { certificate: () => issueSelfSigned({ hosts: HOSTS }) },
      refused("DEPTH_ZERO_SELF_SIGNED_CERT", 1),
    ],
    "untrusted-root": [
      {
        async certificate() {
          const stranger = await createAuthority();
          const { cert, key: own } = await stranger.issue({ hosts: HOSTS });
          return { cert: cert + stranger.certificate, key: own };
        },
      },
      refused("SELF_SIGNED_CERT_IN_CHAIN", 2),
    ],
    "untrusted-root, not sent along": [
      {
        certificate: async () =>
          (await (await createAuthority()).delegate()).issue({ hosts: HOSTS }),
      },
      refused("UNABLE_TO_GET_ISSUER_CERT_LOCALLY", 2),
    ],
    "incomplete-chain": [
      { certificate: chained((leaf) => leaf) },
      refused("UNABLE_TO_VERIFY_LEAF_SIGNATURE", 1),
    ],
    "an issuer's address over something that browsers do not follow": [
      { certificate: chained((leaf) => leaf, { issuerUrl: "ldap://ca.example/intermediate" }) },
      { tls: { certificate: { namesIssuer: false } } },
    ],
    "self-signed, with an issuer's address": [
      { certificate: () => issueSelfSigned({ hosts: HOSTS, ...AIA }) },
      { tls: { certificate: { namesIssuer: true } } },
    ],
    "a SHA-1 intermediate": [
      { certificate: via({ digest: "sha1" }), tls: WEAK_TLS },
      refused("UNSPECIFIED", 2, /digest algorithm too weak/),
    ],
    "an expired intermediate, and the leaf far from its end": [
      { certificate: via(OVER) },
      refused("CERT_HAS_EXPIRED", 2),
    ],
    "an intermediate not valid yet": [
      { certificate: via(NOT_YET) },
      refused("CERT_NOT_YET_VALID", 2),
    ],
    "an intermediate that may not sign": [
      { certificate: via({ isAuthority: false }) },
      refused("INVALID_PURPOSE", 2),
    ],
    "an intermediate for another domain": [
      { certificate: via({ permits: "example.org" }) },
      refused("UNSPECIFIED", 2, /permitted subtree violation/),
    ],
  }),
  [
    "an incomplete chain whose certificate says where its issuer is",
    { certificate: chained((leaf) => leaf, AIA) },
    {
      tls: {
        chainLength: 1,
        chainError: { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" },
        certificate: { namesIssuer: true },
      },
    },
    INCOMPLETE,
  ],
  [
    "sha1 leaf",
    { order: { digest: "sha1" }, tls: WEAK_TLS },
    refused("UNSPECIFIED", 1, /digest algorithm too weak/),
    { ...UNTRUSTED, "tls.strength": "blocked" },
  ],
];
