import { describe, expect, it, test } from "vitest";
import known from "../../cases/tls.json" with { type: "json" };
import { chooseCases } from "../../harness/thorough.ts";
import { CHAIN_CASES } from "./cases/certificates.ts";
import { HANDSHAKE_CASES } from "./cases/handshakes.ts";
import { NAME_CASES } from "./cases/names.ts";
import { expectOutcomes } from "./expect-outcomes.ts";
import { visitSite } from "./good-site.ts";

const CASES = [...CHAIN_CASES, ...HANDSHAKE_CASES, ...NAME_CASES];

/** The cases with findings, an error or a kind of key that none before them has. */
const CHOSEN = chooseCases(CASES, ([, , facts, differs]) => [
  JSON.stringify(differs),
  ...(JSON.stringify(facts).match(/"(?:code|keyType)":"[^"]+"/g) ?? []),
]);

/** What Node 20 cannot serve, and what no handshake shows. */
const NOT_SERVED = ["rc4, rc4-md5, 3des", "revoked", "no-sct, pinning-test"];

describe("a certificate or a handshake", () => {
  test.each(CHOSEN)("%s", async (_name, edit, facts, differs) => {
    const evidence = await visitSite(edit);
    expect(evidence.page).toMatchObject(facts);
    expectOutcomes(evidence, differs);
  });
});

describe("test/cases/tls.json", () => {
  it("has a case above for each of its own", () => {
    const left = known
      .map((one) => one.badssl_case)
      .filter((name) => !CASES.some(([own]) => own.startsWith(name.split(" (")[0] ?? name)));
    expect(left).toEqual(NOT_SERVED);
  });
});
