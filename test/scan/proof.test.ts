import { beforeEach, describe, expect, test } from "vitest";
import { toSql } from "../../server/db/driver/sql.ts";
import { makeChallenge, PROOF_BITS, redeemProof, type Proof } from "../../server/scan/proof.ts";
import { createSalts } from "../../server/scan/salt.ts";
import { useDatabase } from "../harness/opened-database.ts";
import { countBits, solve } from "../harness/proof.ts";

/** Few, so that a proof is found at once. */
const BITS = 10;
const TWO_MINUTES_MS = 120_000;
const TEN_MINUTES_MS = 600_000;

let elapsedMs = 0;
let statements = 0;

const database = useDatabase();
beforeEach(async () => {
  await database.sql`delete from used_challenges`;
  statements = 0;
});

const counting = toSql((strings, ...values) => {
  statements++;
  return database.sql(strings, ...values);
});

/** One server of several; they share the database and the passing of time. */
const startServer = () => ({
  salts: createSalts(database.sql, () => elapsedMs),
  database: { ...database, sql: counting },
  proofBits: BITS,
});

async function solveNew(server = startServer()): Promise<Proof> {
  const { challenge, bits } = await makeChallenge(server);
  return solve(challenge, bits);
}

test("a challenge says what is to be found, and for how long it may be", async () => {
  const { challenge, bits, expiresAt } = await makeChallenge({
    ...startServer(),
    proofBits: PROOF_BITS,
  });
  expect(challenge).toMatch(/^\d{10}\.[\w-]{22}\.[\w-]{43}$/);
  expect(bits).toBe(18);
  const lifetimeMs = Date.parse(expiresAt) - Date.now();
  expect(Math.abs(lifetimeMs - TWO_MINUTES_MS)).toBeLessThan(30_000);
});

describe("nothing is redeemed, and the database is not asked, for", () => {
  let solved: Promise<Proof> | undefined;
  const edit = (change: (proof: Proof) => Proof) => async () =>
    change(await (solved ??= solveNew()));
  const solveChanged = (change: (challenge: string) => string) => async () =>
    solve(change((await makeChallenge(startServer())).challenge), BITS);
  const swap = (text: string, index: number) =>
    text.slice(0, index) + (text[index] === "1" ? "2" : "1") + text.slice(index + 1);
  test.each<[string, () => Promise<Proof>]>([
    ["nothing", async () => ({ challenge: "", nonce: "" })],
    ["a challenge of one's own", async () => solve("1999999999.AAAAAAAAAAAAAAAAAAAAAA.x", BITS)],
    [
      "one with a signature of one's own",
      async () => solve(`1999999999.${"A".repeat(22)}.${"A".repeat(43)}`, BITS),
    ],
    ["a later end", solveChanged((challenge) => challenge.replace(/^\d/, "9"))],
    ["another challenge by the same signature", solveChanged((challenge) => swap(challenge, 12))],
    ["no nonce", edit((proof) => ({ ...proof, nonce: "" }))],
    ["a nonce that does not do", edit((proof) => ({ ...proof, nonce: `${proof.nonce} ` }))],
    ["the nonce of another challenge", edit(({ nonce }) => ({ challenge: "x", nonce }))],
    ["a nonce of a megabyte", edit((proof) => ({ ...proof, nonce: "1".repeat(1_000_000) }))],
    [
      "a challenge of a megabyte",
      edit((proof) => ({ ...proof, challenge: "1".repeat(1_000_000) })),
    ],
    ["white space around it", edit((proof) => ({ ...proof, challenge: ` ${proof.challenge}` }))],
    ["a line after it", edit((proof) => ({ ...proof, challenge: `${proof.challenge}\n` }))],
    [
      "one bit too few",
      async () => {
        const { challenge } = await makeChallenge(startServer());
        const almost = (from: number): Proof => {
          const proof = solve(challenge, BITS - 1, from);
          return countBits(proof) >= BITS ? almost(Number(proof.nonce) + 1) : proof;
        };
        return almost(0);
      },
    ],
  ])("%s", async (_, makeProof) => {
    const proof = await makeProof();
    statements = 0;
    expect(await redeemProof(startServer(), proof)).toBe(false);
    expect(statements).toBe(0);
  });

  test("a challenge that has expired", async () => {
    const server = startServer();
    const proof = await solveNew(server);
    elapsedMs += TWO_MINUTES_MS + 1000;
    expect(await redeemProof(server, proof)).toBe(false);
    expect(statements).toBe(0);
  });
});

test("a proof is redeemed once, whichever of the servers made the challenge", async () => {
  const [one, other] = [startServer(), startServer()];
  const proof = await solveNew(one);
  const redeemed = await Promise.all(
    [one, other, one, other].map((server) => redeemProof(server, proof)),
  );
  expect(redeemed.filter(Boolean)).toHaveLength(1);
  const again = solve(proof.challenge, BITS, Number(proof.nonce) + 1);
  expect(await redeemProof(other, again)).toBe(false);
});

test("a challenge of before midnight is good after it", async () => {
  const server = startServer();
  const proof = await solveNew(server);
  await database.sql`update salts set day = day - 1`;
  const next = startServer();
  expect((await next.salts.find()).yesterday).toEqual((await server.salts.find()).today);
  expect(await redeemProof(next, proof)).toBe(true);
  await database.sql`update salts set day = day - 1`;
  elapsedMs += TEN_MINUTES_MS;
});

test("a nonce may be any text", async () => {
  const { challenge, bits } = await makeChallenge(startServer());
  const { nonce } = solve(`${challenge}é~`, bits);
  expect(await redeemProof(startServer(), { challenge, nonce: `é~${nonce}` })).toBe(true);
});
