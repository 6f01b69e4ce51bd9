import { hash } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkBreachedPasswords, isBreached } from "../../server/access/breached-passwords.ts";
import { findPasswordFault } from "../../server/access/passwords.ts";
import { useServer } from "../harness/server.ts";
import { useFolder } from "../harness/use.ts";

const server = useServer();
const folder = useFolder();
let files = 0;

async function write(content: string | Buffer): Promise<string> {
  const path = join(folder, `${++files}.txt`);
  await writeFile(path, content);
  return path;
}

const hashOf = (password: string) => hash("sha1", password).toUpperCase();
const passwordsOf = (count: number) => Array.from({ length: count }, (_, n) => `a password ${n}`);
const hashesOf = (count: number) => passwordsOf(count).map(hashOf).toSorted();
const unusable = (reason: string) => ({
  code: "breached_passwords_unusable",
  parameters: { reason },
});

test.each([
  ["that is not there", () => join(folder, "nowhere.txt"), "ENOENT"],
  ["that is a folder", () => folder, "no_hashes"],
  ["that is empty", () => write(""), "no_hashes"],
  ["that has no lines", () => write(Buffer.alloc(100_000)), "no_hashes"],
  ["of something else", () => write("password\nqwerty\n".repeat(100)), "no_hashes"],
  ["with a word after the hash", () => write(`${hashOf("")}:many\n`), "no_hashes"],
  ["in the order of counts", () => write(passwordsOf(100).map(hashOf).join("\n")), "not_sorted"],
  ["backwards", () => write(hashesOf(2).toReversed().join("\n")), "not_sorted"],
])("a file %s is told", async (_what, make, reason) => {
  await expect(checkBreachedPasswords(await make())).rejects.toMatchObject(unusable(reason));
});

test.each<[string, (hashes: readonly string[]) => string]>([
  ["HASH, LF", (hashes) => hashes.map((each) => `${each}\n`).join("")],
  ["HASH, without a last line end", (hashes) => hashes.join("\n")],
  ["hash, CRLF", (hashes) => hashes.map((each) => `${each.toLowerCase()}\r\n`).join("")],
  [
    "HASH:count, CRLF, without a last line end",
    (hashes) => hashes.map((each, n) => `${each}:${"9".repeat(1 + (n % 20))}`).join("\r\n"),
  ],
])("each password of a sorted file is found, and no other: %s", async (_form, spell) => {
  for (const count of [1, 2, 3, 7, 500]) {
    const path = await write(spell(hashesOf(count)));
    await checkBreachedPasswords(path);
    const found = await Promise.all(
      passwordsOf(count + 50).map((password) => isBreached(path, password)),
    );
    expect(found.slice(0, count)).not.toContain(false);
    expect(found.slice(count)).not.toContain(true);
  }
});

test("a hash out of its order is told when it is seen", async () => {
  const hashes = hashesOf(1000);
  hashes[250] = "F".repeat(40);
  const path = await write(hashes.join("\n"));
  const answers = await Promise.allSettled(passwordsOf(1000).map((each) => isBreached(path, each)));
  const reasons = answers.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  expect(reasons.length).toBeGreaterThan(0);
  for (const reason of reasons) expect(reason).toMatchObject(unusable("not_sorted"));
});

test("a password of the file is refused; without the file it is taken, which the log tells", async () => {
  const path = await write(hashesOf(100).join("\n"));
  const lines: unknown[] = [];
  const log = { ...server.deps.log, error: (line: unknown) => lines.push(line) };
  const config = { ...server.deps.config, breachedPasswords: path };
  const deps = { ...server.deps, config, log: log as unknown as typeof server.deps.log };
  expect(await findPasswordFault(deps, "a password 42")).toBe("password_breached");
  expect(await findPasswordFault(deps, "password of nobody")).toBeUndefined();
  await rm(path);
  expect(await findPasswordFault(deps, "a password 42")).toBeUndefined();
  expect(lines).toEqual([{ reason: "ENOENT" }]);
});
