import { say } from "../../shared/report/words.ts";
import { LANGUAGES, type Language, type Text } from "../../shared/language.ts";
import { hash, randomBytes } from "node:crypto";
import type { Operator, SessionActor } from "../db/accounts/actors.ts";
import { takeOrRefuse, type Bound } from "../db/checks/buckets.ts";
import { insertEvent } from "../db/accounts/events.ts";
import {
  type LinkFor,
  type LinkToShow,
  canSomeoneSignIn,
  findAddressee,
  findLink,
  putLink,
} from "../db/accounts/links.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps, ProcessDeps, StoreDeps } from "../deps.ts";
import { AppError } from "../base/errors.ts";

export interface Letter {
  subject: string;
  text: string;
}

interface LetterWords {
  subject: Text;
  /** What the link does; or, without a link, what happened. */
  purpose: Text;
  /** What somebody does who did not expect it. */
  otherwise: Text;
}

type LetterKind = keyof typeof LETTERS;

const IGNORE: Text = {
  fr: "Si vous n'avez rien demandé, ignorez ce message : rien n'a changé.",
  en: "If you did not ask for this, ignore this message: nothing has changed.",
};
const CALL_THE_OPERATOR: Text = {
  fr: "Si ce n'était pas vous, prévenez tout de suite l'exploitant du serveur.",
  en: "If this was not you, tell the operator of the server at once.",
};

const LETTERS = {
  password: {
    subject: { fr: "Choisir un nouveau mot de passe", en: "Choose a new password" },
    purpose: {
      fr: "Ce lien vous connecte et vous permet de choisir un nouveau mot de passe :",
      en: "This link signs you in and lets you choose a new password:",
    },
    otherwise: IGNORE,
  },
  sign_up: {
    subject: { fr: "Créer votre compte", en: "Create your account" },
    purpose: {
      fr: "Ce lien confirme votre adresse et crée votre compte :",
      en: "This link confirms your address and creates your account:",
    },
    otherwise: IGNORE,
  },
  has_account: {
    subject: { fr: "Vous avez déjà un compte", en: "You already have an account" },
    purpose: {
      fr: "Quelqu'un, sans doute vous, a demandé un compte pour cette adresse, qui en a déjà un. Connectez-vous, ou choisissez un nouveau mot de passe si vous l'avez oublié :",
      en: "Somebody, probably you, asked for an account for this address, which already has one. Sign in, or choose a new password if you have forgotten it:",
    },
    otherwise: IGNORE,
  },
  email: {
    subject: { fr: "Confirmer votre nouvelle adresse", en: "Confirm your new address" },
    purpose: {
      fr: "Ce lien fait de cette adresse celle de votre compte :",
      en: "This link makes this the address of your account:",
    },
    otherwise: IGNORE,
  },
  email_taken: {
    subject: { fr: "Cette adresse a déjà un compte", en: "This address already has an account" },
    purpose: {
      fr: "Quelqu'un a voulu donner cette adresse à un autre compte. Elle en a déjà un, et le garde. Pour la donner à l'autre, connectez-vous d'abord et supprimez celui qu'elle a :",
      en: "Somebody wanted to give this address to another account. It already has one, and keeps it. To give it to the other one, first sign in and delete the one it has:",
    },
    otherwise: IGNORE,
  },
  email_changed: {
    subject: {
      fr: "L'adresse de votre compte a changé",
      en: "The address of your account has changed",
    },
    purpose: {
      fr: "Votre compte a maintenant une autre adresse, et les messages n'arrivent plus à celle-ci. La page de connexion :",
      en: "Your account has another address now, and e-mails no longer go to this one. The sign-in page:",
    },
    otherwise: CALL_THE_OPERATOR,
  },
} satisfies Readonly<Record<string, LetterWords>>;

const ONCE: Text = {
  fr: "Il fonctionne une fois, dans les 30 minutes.",
  en: "It works once, within 30 minutes.",
};

const IS_ONE_TIME: ReadonlySet<LetterKind> = new Set(["password", "sign_up", "email"]);

/** Writes an e-mail of these paragraphs; null: in both languages. */
export function composeLetter(
  subject: Text,
  paragraphs: readonly (Text | string)[],
  language: Language | null,
): Letter {
  const languages = language ? [language] : LANGUAGES;
  const write = (each: Language) =>
    paragraphs.map((text) => (typeof text === "string" ? text : say(text, each)));
  return {
    subject: languages.map((each) => say(subject, each)).join(" / "),
    text: [...languages.flatMap(write), "-- \nshipscore"].join("\n\n"),
  };
}

/** Writes an e-mail about a link of this server: a one-time link, or the page to open; null: in both languages. */
export function writeLetter(kind: LetterKind, link: string, language: Language | null): Letter {
  const { subject, purpose, otherwise } = LETTERS[kind];
  const once = IS_ONE_TIME.has(kind) ? [ONCE] : [];
  return composeLetter(subject, [purpose, link, ...once, otherwise], language);
}

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
