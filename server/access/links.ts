import { hash, randomBytes } from "node:crypto";
import type { Operator, SessionActor } from "../db/accounts/actors.ts";
import { takeOrRefuse, type Bound } from "../db/checks/buckets.ts";
import { insertEvent } from "../db/accounts/events.ts";
import type { LinkFor, LinkToShow } from "../db/accounts/links.ts";
import { canSomeoneSignIn, findAddressee, findLink, putLink } from "../db/accounts/links.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps, ProcessDeps, StoreDeps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import type { Language } from "../base/language.ts";
import { writeLetter } from "./link-letters.ts";

const SECRET_BYTES = 32;
const SHAPE = /^[\w-]{43}$/;
const HOUR = 3600;
/** Each kind apart, so that whoever asks for one kind with somebody's address keeps nobody from another. */
const OF_EMAIL = {
  password: { name: "links by e-mail", capacity: 5, seconds: HOUR },
  sign_up: { name: "sign-ups by e-mail", capacity: 5, seconds: HOUR },
  email: { name: "changes to an e-mail address", capacity: 5, seconds: HOUR },
} satisfies Record<string, Bound>;
const OF_ADDRESS: Bound = { name: "links by address", capacity: 100, seconds: HOUR };

/** Somebody who asks for a link to be sent by e-mail. */
export interface LinkRequest {
  email: string;
  /** The address that the request came from (`findVisitor`). */
  address: string;
  /** For an account that has chosen none. */
  language: Language;
  /** The path of this server that a new account is led to. */
  next?: string | undefined;
}

/** The SHA-256 of a link's secret, 32 bytes; nothing else of it is ever stored. */
export const fingerprintOfLink = (secret: string): Buffer => hash("sha256", secret, "buffer");

export const linkGone = () => new AppError("link_gone", {});

export const addressOf = ({ site }: ProcessDeps, path: string) => new URL(path, site.origin).href;

/** Makes a link, which voids an older one of its kind, and returns its address: 256 random bits, base64url. */
async function makeLink(deps: Deps, sql: Sql, link: LinkFor): Promise<string> {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  await putLink(sql, fingerprintOfLink(secret), link);
  return addressOf(deps, `/links/${secret}`);
}

/** What a link does. Throws `link_gone` if the link was used, is void or too old, or never existed. */
export async function getLink({ database, config }: Deps, secret: string): Promise<LinkToShow> {
  const link = SHAPE.test(secret)
    ? await findLink(database.sql, fingerprintOfLink(secret))
    : undefined;
  if (link === undefined || (link.kind === "sign_up" && !config.hasSignUp)) throw linkGone();
  return link;
}

/** Throws `too_often`. */
async function count(
  { database }: StoreDeps,
  kind: keyof typeof OF_EMAIL,
  { email, address }: Omit<LinkRequest, "language">,
): Promise<void> {
  for (const [bound, subject] of [
    [OF_ADDRESS, address],
    [OF_EMAIL[kind], email],
  ] as const) {
    await takeOrRefuse(database.sql, { bound, subject });
  }
}

/**
 * Sends a link that sets a password to the address, if it has an account; for any other it does the same work, so that
 * nobody learns which have one. Throws `too_often`.
 */
export async function sendPasswordLink(deps: Deps, request: LinkRequest): Promise<void> {
  await count(deps, "password", request);
  const { mailer, database } = deps;
  if (mailer === undefined) return;
  const { email } = request;
  const addressee = await findAddressee(database.sql, email);
  const { accountId = null, language } = addressee ?? {};
  const link = await makeLink(deps, database.sql, { kind: "password", accountId, email });
  if (addressee === undefined) return;
  mailer.send({ to: email, ...writeLetter("password", link, language ?? request.language) });
}

/**
 * Sends a link that makes an account to the address; or, if it has one, an e-mail that says so. Throws `too_often`.
 */
export async function sendSignUpLink(deps: Deps, request: LinkRequest): Promise<void> {
  await count(deps, "sign_up", request);
  const { email, next } = request;
  const query = next === undefined ? "" : `?next=${encodeURIComponent(next)}`;
  const addressee = await findAddressee(deps.database.sql, email);
  const link = (await makeLink(deps, deps.database.sql, { kind: "sign_up", email })) + query;
  const letter =
    addressee === undefined
      ? writeLetter("sign_up", link, request.language)
      : writeLetter(
          "has_account",
          addressOf(deps, `/sign-in${query}`),
          addressee.language ?? request.language,
        );
  deps.mailer?.send({ to: email, ...letter });
}

/**
 * Sends a link that makes an address the account's to that address; or, if it has an account, an e-mail that says so.
 * Throws `link_needs_mail`, `link_email_own` and `too_often`.
 */
export async function offerEmail(
  deps: Deps,
  actor: SessionActor,
  { email, language }: Pick<LinkRequest, "email" | "language">,
): Promise<void> {
  const { mailer, database } = deps;
  if (mailer === undefined) throw new AppError("link_needs_mail", {});
  const { accountId, sessionId, address } = actor;
  const addressee = await findAddressee(database.sql, email);
  if (addressee?.accountId === accountId) throw new AppError("link_email_own", {});
  await count(deps, "email", { email, address });
  const link = await database.begin(async (sql) => {
    await insertEvent(sql, actor, {
      action: "link.created",
      accountId,
      details: { kind: "email" },
    });
    return makeLink(deps, sql, { kind: "email", accountId, email, sessionId });
  });
  const letter =
    addressee === undefined
      ? writeLetter("email", link, language)
      : writeLetter("email_taken", addressOf(deps, "/sign-in"), addressee.language ?? language);
  mailer.send({ to: email, ...letter });
}

/** Makes a link for the account of an address and returns its address. Throws `account_not_found`. */
export const createLink = (
  deps: Deps,
  actor: Operator,
  { email, kind }: { email: string; kind: "password" | "sign_in" },
) =>
  deps.database.begin(async (sql) => {
    const addressee = await findAddressee(sql, email);
    if (addressee === undefined) throw new AppError("account_not_found", { email });
    const { accountId } = addressee;
    await insertEvent(sql, actor, { action: "link.created", accountId, details: { kind } });
    return makeLink(deps, sql, { kind, accountId, email });
  });

/** Makes the link to the first account and returns its address; undefined once somebody can sign in. */
export async function createFirstLink(deps: Deps): Promise<string | undefined> {
  const { sql } = deps.database;
  return (await canSomeoneSignIn(sql)) ? undefined : makeLink(deps, sql, { kind: "first_account" });
}
