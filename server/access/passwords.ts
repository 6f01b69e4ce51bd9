import { hash, parseOptions, verify, type Options } from "@node-rs/argon2";
import { networkOf } from "../base/syntax/private-hosts.ts";
import type { ProcessDeps } from "../deps.ts";
import { AppError, type PasswordFault } from "../base/errors.ts";

/** Counted in characters (code points). */
export const PASSWORD_LENGTH = { min: 12, max: 256 };

const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } satisfies Options;
/** No password has this hash. It makes a comparison take equally long where no hash is stored. */
const NO_HASH = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=1$bm9ib2R5J3Mgc2FsdCE$oaFSR45YsKrvBl4I9l1LSTQotESpTDOUdWyh4wXtEs0`;
const MAX_WAIT_MS = 25_000;
const CONTEXT = "shipscore";
const MIN_BESIDE_CONTEXT = 8;
/** Longer than any valid password in any normal form. */
const MAX_TYPED_LENGTH = 8 * PASSWORD_LENGTH.max;

/** Keyboards compose the same character differently, so passwords are hashed in NFC (RFC 8265). */
const normalize = (text: string) => text.slice(0, MAX_TYPED_LENGTH).normalize("NFC");

/** True if the password is little more than the product's name, which attackers try first here. */
const isMostlyProductName = (lower: string) =>
  lower.replaceAll(CONTEXT, "").length < MIN_BESIDE_CONTEXT;

export async function findPasswordFault(text: string): Promise<PasswordFault | undefined> {
  const password = normalize(text);
  const { length } = Array.from(password);
  if (length < PASSWORD_LENGTH.min) return "password_too_short";
  if (length > PASSWORD_LENGTH.max || text.length > MAX_TYPED_LENGTH) return "password_too_long";
  const { COMMON_PASSWORDS } = await import("./common-passwords.ts");
  const lower = password.toLowerCase();
  return isMostlyProductName(lower) || COMMON_PASSWORDS.has(lower) ? "password_common" : undefined;
}

/** Visitors who are not signed in share the permits of their network. Throws `busy`. */
export async function withPasswordPermit<Result>(
  { semaphores }: ProcessDeps,
  whose: { accountId: string } | { address: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const isStranger = !("accountId" in whose);
  const key = "accountId" in whose ? whose.accountId : networkOf(whose.address);
  const release = await semaphores.passwords.acquire(key, MAX_WAIT_MS, { isStranger });
  return work().finally(release);
}

/** Needs a permit. Throws `password_refused`. */
export async function hashPassword(text: string): Promise<string> {
  const fault = await findPasswordFault(text);
  if (fault !== undefined) throw new AppError("password_refused", { fault });
  return renewHash(text);
}

/** Needs a permit. */
export const renewHash = (text: string): Promise<string> => hash(normalize(text), COST);

/** Takes the same time without a stored hash. Needs a permit. */
export async function verifyPassword(stored: string | null, text: string): Promise<boolean> {
  const isRight = await verify(stored ?? NO_HASH, normalize(text));
  return isRight && stored !== null;
}

export function isHashOutdated(stored: string): boolean {
  const { memoryCost, timeCost } = parseOptions(stored);
  return memoryCost < COST.memoryCost || timeCost < COST.timeCost;
}
