import { beforeAll, expect, test } from "vitest";
import { hashOfVisitor, tryPassword } from "../../server/access/password-tries.ts";
import { createSemaphore, LIMITS } from "../../server/semaphores.ts";
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

test("a visitor with a large network delays neither other addresses nor signed-in users", async () => {
  const passwords = createSemaphore({ total: 2, perKey: 1, strangers: 1, waiting: 200 });
  const deps = { ...server.deps, semaphores: { ...server.deps.semaphores, passwords } };
  const ended: string[] = [];
  const attempt = async (name: string, from: { address: string; accountId?: string }) => {
    await tryPassword(deps, { email: alice.email, password, ...from });
    ended.push(name);
  };

  const releases = [
    await passwords.acquire("a stranger's", PATIENT_MS, { isStranger: true }),
    await passwords.acquire("an account's", PATIENT_MS),
  ];
  const crowd = Array.from({ length: 30 }, (_, index) =>
    attempt("crowd", { address: `2001:db8:1:${(index + 1).toString(16)}::/64` }),
  );
  const others = [
    attempt("alice", { address: "198.51.100.1" }),
    attempt("alice, signed in", { address: "2001:db8:1:1::/64", accountId: alice.accountId }),
  ];
  for (const release of releases) release();
  await Promise.all([...crowd, ...others]);
  expect(ended.slice(0, 4)).toContain("alice");
  expect(ended.slice(0, 4)).toContain("alice, signed in");
});

test("when the maximum of networks waits, visitors get a busy error, and signed-in users continue", async () => {
  const passwords = createSemaphore(LIMITS.passwords);
  const deps = { ...server.deps, semaphores: { ...server.deps.semaphores, passwords } };
  const { strangers, waiting } = LIMITS.passwords;
  const crowd = Array.from({ length: strangers + waiting }, (_, index) =>
    passwords.acquire(`10.0.${index}`, PATIENT_MS, { isStranger: true }),
  );
  const attempt = (address: string, accountId?: string) =>
    tryPassword(deps, { email: alice.email, password, address, ...(accountId && { accountId }) });
  await expect(attempt("198.51.100.1")).rejects.toMatchObject({ code: "busy" });
  await expect(hashOfVisitor(deps, "a sentence of a link", "198.51.100.1")).rejects.toMatchObject({
    code: "busy",
  });
  const { accountId } = alice;
  expect(await attempt("198.51.100.1", accountId)).toMatchObject({ accountId });
  for (const entered of crowd) (await entered)();
  expect(await attempt("198.51.100.1")).toMatchObject({ accountId });
});
