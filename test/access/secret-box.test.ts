import { randomBytes } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSecretBox, type SecretKeys } from "../../server/access/secret-box.ts";
import { readConfig } from "../../server/config.ts";
import { useFolder } from "../harness/use.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const key = randomBytes(32);
const oldKey = randomBytes(32);
const boxOf = (keys: Partial<SecretKeys>) =>
  createSecretBox({ key: undefined, oldKey: undefined, dataDir: undefined, ...keys });
const sealed = boxOf({ key }).seal(SECRET, "hook_a");

const dataDir = useFolder();

test("without a key nothing is encrypted or decrypted", () => {
  expect(() => boxOf({}).seal(SECRET, "hook_a")).toThrow("secret_key_missing");
  expect(() => boxOf({}).open(sealed, "hook_a")).toThrow("secret_key_missing");
  expect(boxOf({}).hash("a@example.com", "prj_a")).toEqual([]);
});

test("decryption needs the key, the row and the whole text", () => {
  const refused = (box: SecretKeys["key"], bytes: Uint8Array, owner: string) =>
    expect(() => boxOf({ key: box }).open(bytes, owner)).toThrow("secret_key_wrong");
  refused(oldKey, sealed, "hook_a");
  refused(key, sealed, "hook_b");
  for (let place = 0; place < sealed.length; place++) {
    const changed = Buffer.from(sealed);
    changed[place] = (changed[place] ?? 0) ^ 1;
    refused(key, changed, "hook_a");
    refused(key, sealed.subarray(0, place), "hook_a");
  }
});

test("the sealed text does not contain the secret, and differs each time", () => {
  expect(sealed.toString("latin1")).not.toContain(SECRET.slice(0, 6));
  expect(boxOf({ key }).seal(SECRET, "hook_a")).not.toEqual(sealed);
});

test("the old key still decrypts its secrets, and encrypts nothing", () => {
  const box = boxOf({ key: oldKey, oldKey: key });
  expect(box.open(sealed, "hook_a")).toBe(SECRET);
  expect(boxOf({ key: oldKey }).open(box.seal(SECRET, "hook_a"), "hook_a")).toBe(SECRET);
  expect(() => boxOf({ oldKey: key }).seal(SECRET, "hook_a")).toThrow("secret_key_missing");
});

test("an embedded database creates a key file in its data directory on first use, which others can't read", async () => {
  const file = join(dataDir, "secret-key");
  expect(() => boxOf({ dataDir: dataDir }).open(sealed, "hook_a")).toThrow("secret_key_missing");
  await expect(stat(file)).rejects.toThrow("ENOENT");
  const hashes = boxOf({ dataDir: dataDir }).hash("a@example.com", "prj_a");
  const kept = boxOf({ dataDir: dataDir }).seal(SECRET, "hook_a");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(boxOf({ dataDir: dataDir }).open(kept, "hook_a")).toBe(SECRET);
  const text = await readFile(file, "utf8");
  const moved = boxOf({ key: Buffer.from(text, "base64") });
  expect(moved.hash("a@example.com", "prj_a")).toEqual(hashes);
  expect(moved.open(kept, "hook_a")).toBe(SECRET);
});

test("a file without a key is not overwritten", async () => {
  const file = join(dataDir, "secret-key");
  await writeFile(file, "");
  expect(() => boxOf({ dataDir: dataDir }).seal(SECRET, "hook_a")).toThrow(
    "secret_key_file_unusable",
  );
  expect(await readFile(file, "utf8")).toBe("");
});

test.each(["SHIPSCORE_SECRET_KEY", "SHIPSCORE_SECRET_KEY_OLD"])(
  "%s is 32 bytes in base64",
  (name) => {
    for (const text of [
      "secret",
      "a".repeat(32),
      randomBytes(31).toString("base64"),
      "é".repeat(44),
    ])
      expect(() => readConfig({ [name]: text }), text).toThrow("setting_invalid");
    expect(readConfig({ [name]: ` ${key.toString("base64")}\n` })).toMatchObject(
      name.endsWith("OLD") ? { secretKeyOld: key } : { secretKey: key },
    );
  },
);
