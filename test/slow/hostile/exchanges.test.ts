import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as der from "../../harness/der.ts";
import { startHostileSite } from "../../hostile/hostile-site.ts";
import { findingsOf, visitSafely } from "../../hostile/promises.ts";
import { startVisitor, type Visitor } from "../../hostile/visitor.ts";
import { answerOf } from "../../hostile/writing.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const MAX_BYTES = 1250;

/** PEM of the parameters of the largest finite field that OpenSSL takes: no prime, which nobody looks at. */
function makeLargestField(): string {
  const modulus = randomBytes(MAX_BYTES);
  modulus[0] = 0xff;
  modulus[MAX_BYTES - 1] = 0xff;
  const parameters = der.sequence(
    der.integer(Buffer.concat([Buffer.alloc(1), modulus])),
    der.integer(Uint8Array.of(2)),
  );
  const lines = parameters.toString("base64").replace(/.{64}/g, "$&\n");
  return `-----BEGIN DH PARAMETERS-----\n${lines}\n-----END DH PARAMETERS-----`;
}

let visitor: Visitor;

beforeAll(async () => {
  visitor = await startVisitor();
});
afterAll(() => visitor.close());

test.each([
  ["TLS 1.2", { maxVersion: "TLSv1.2", ciphers: "DHE-RSA-AES128-GCM-SHA256" }],
  [
    "TLS 1.1",
    { maxVersion: "TLSv1.1", minVersion: "TLSv1", ciphers: "DHE-RSA-AES128-SHA:@SECLEVEL=0" },
  ],
  ["TLS 1.3", { minVersion: "TLSv1.3", ecdhCurve: "ffdhe8192" }],
] as const)("a key exchange over the largest field, by %s, is rejected", async (_name, tls) => {
  const answer = answerOf("<p>Hello.");
  const options = { ...tls, dhparam: makeLargestField() };
  const site = await startHostileSite(
    (socket) => socket.write(answer),
    { key: "rsa2048" },
    options,
  );
  const report = await visitSafely(visitor, site);
  await site.close();
  expect(report.evidence.page).toMatchObject({ hops: [], failure: { phase: "tls" } });
  expect(report.evidence.legacyTls.outcome).toBe("refused");
  expect(findingsOf(report)).toMatchObject({ "reach.connect": "fail" });
});
