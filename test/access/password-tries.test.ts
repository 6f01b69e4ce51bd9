import { beforeAll, expect, test } from "vitest";
import { networkOf, tryPassword } from "../../server/access/password-tries.ts";
import { createSemaphore } from "../../server/checks/semaphore.ts";
import { addPerson, givePassword, type Person } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";

const PATIENT_MS = 60_000;

const server = useServer();
let alice: Person;
let password: string;

beforeAll(async () => {
  alice = await addPerson(server, "alice");
  password = await givePassword(server, alice);
});

test.each([
  ["192.0.2.7", "192.0.2"],
  ["2001:db8:1:2::/64", "2001:db8:1"],
  ["2001:db8:1:ffff::/64", "2001:db8:1"],
  ["2001:db8:1::/64", "2001:db8:1"],
  ["2001:db8:0:1::/64", "2001:db8"],
  ["2001:db8::/64", "2001:db8"],
  ["0:0:0:1::/64", "0"],
  ["::/64", ""],
  ["", ""],
])("the network of %s is %j", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test("whoever has a large network delays neither another address nor somebody signed in", async () => {
  const passwordTries = createSemaphore({ total: 4, perKey: 1, waiting: 200 });
  const hashes = createSemaphore({ total: 1, perKey: 1, waiting: 200 });
  const deps = { ...server.deps, passwordTries, hashes };
  const ended: string[] = [];
  const attempt = async (name: string, from: { address: string; accountId?: string }) => {
    await tryPassword(deps, { email: alice.email, password, ...from });
    ended.push(name);
  };

  const release = await hashes.acquire("nobody's", PATIENT_MS);
  const crowd = Array.from({ length: 30 }, (_, index) =>
    attempt("crowd", { address: `2001:db8:1:${(index + 1).toString(16)}::/64` }),
  );
  const others = [
    attempt("alice", { address: "198.51.100.1" }),
    attempt("alice, signed in", { address: "2001:db8:1:1::/64", accountId: alice.accountId }),
  ];
  release();
  await Promise.all([...crowd, ...others]);
  expect(ended.slice(0, 4).toSorted()).toEqual(["alice", "alice, signed in", "crowd", "crowd"]);
});
