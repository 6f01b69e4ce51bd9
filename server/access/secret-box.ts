import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../base/errors.ts";
import { readSecretKey, SECRET_KEY_BYTES } from "../base/syntax/secret-key.ts";

/** Encrypts secrets that the server must read again. The key is not in the database. */
export interface SecretBox {
  /** `owner` is a row's id. A secret that is moved to another row cannot be opened. Throws `secret_key_missing`. */
  seal(secret: string, owner: string): Buffer;
  /** Throws `secret_key_missing`, and `secret_key_wrong` if neither key opens the secret. */
  open(sealed: Uint8Array, owner: string): string;
  /** Returns one hash per key, the current key first. Returns an empty list if an external database has no key. */
  hash(text: string, owner: string): Buffer[];
}

export interface SecretKeys {
  readonly key: Buffer | undefined;
  /** This key only opens older secrets. */
  readonly oldKey: Buffer | undefined;
  /** If no key is configured, an embedded database has a key file here. The server creates the file when first needed. */
  readonly dataDir: string | undefined;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_FILE = "secret-key";

function findKeyInFile(file: string): Buffer | undefined {
  let text;
  try {
    text = readFileSync(file, "latin1");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new AppError("secret_key_file_unusable", { file, reason: code });
  }
  const key = readSecretKey(text.trim());
  if (key === undefined) throw new AppError("secret_key_file_unusable", { file, reason: "no key" });
  return key;
}

/** Renames the finished file into place, so that the key file is never incomplete. Only the holder of the data directory writes it. */
function makeKeyInFile(file: string): Buffer {
  const key = randomBytes(SECRET_KEY_BYTES);
  try {
    const unfinished = openSync(`${file}.new`, "w", 0o600);
    writeSync(unfinished, `${key.toString("base64")}\n`);
    fsyncSync(unfinished);
    closeSync(unfinished);
    renameSync(`${file}.new`, file);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new AppError("secret_key_file_unusable", { file, reason: code });
  }
  return key;
}

function openWith(key: Buffer, sealed: Uint8Array, owner: string): string | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const secret = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([secret, decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

export function createSecretBox({ key, oldKey, dataDir }: SecretKeys): SecretBox {
  const file = dataDir && join(dataDir, KEY_FILE);
  let current = key;
  const findKey = () => (current ??= file === undefined ? undefined : findKeyInFile(file));
  const findOrMakeKey = () =>
    findKey() ?? (current = file === undefined ? undefined : makeKeyInFile(file));
  const isKey = (one: Buffer | undefined) => one !== undefined;
  return {
    seal(secret, owner) {
      const sealing = findOrMakeKey();
      if (sealing === undefined) throw new AppError("secret_key_missing", {});
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, sealing, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(secret), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]);
    },
    hash: (text, owner) =>
      [findOrMakeKey(), oldKey]
        .filter(isKey)
        .map((each) => createHmac("sha256", each).update(`hash ${owner} ${text}`).digest()),
    open(sealed, owner) {
      const keys = [findKey(), oldKey].filter(isKey);
      if (keys.length === 0) throw new AppError("secret_key_missing", {});
      for (const each of keys) {
        const secret = openWith(each, sealed, owner);
        if (secret !== undefined) return secret;
      }
      throw new AppError("secret_key_wrong", {});
    },
  };
}
