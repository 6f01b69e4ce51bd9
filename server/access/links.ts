import { say } from "../../shared/report/words.ts";
import { LANGUAGES, type Language, type Text } from "../../shared/language.ts";
import { hash, randomBytes } from "node:crypto";
import type { Operator, SessionActor } from "../db/accounts/actors.ts";
import { takeOrRefuse, type Bound } from "../db/checks/buckets.ts";
import { insertEvent } from "../db/accounts/events.ts";
import {
  type LinkFor,
  type ShownLink,
  canSomeoneSignIn,
  findAddressee,
  findLink,
  upsertLink,
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
  /** States what the link does or, without a link, what happened. */
  purpose: Text;
  /** What to do if the recipient did not expect the message. */
  otherwise: Text;
}

type LetterKind = keyof typeof LETTERS;

const IGNORE: Text = {
  fr: "Si vous n'avez rien demandé, ignorez ce message : rien n'a changé.",
  en: "If you did not request this, ignore this message: nothing has changed.",
};
const CONTACT_ADMINISTRATOR: Text = {
  fr: "Si ce n'était pas vous, prévenez tout de suite l'administrateur du serveur.",
  en: "If this was not you, contact the server's administrator immediately.",
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
      fr: "Quelqu'un, sans doute vous, a voulu créer un compte avec cette adresse, déjà associée à un compte. Connectez-vous, ou choisissez un nouveau mot de passe si vous avez oublié le vôtre :",
      en: "Someone, probably you, tried to create an account with this address, but it already has an account. Sign in, or choose a new password if you have forgotten yours:",
    },
    otherwise: IGNORE,
  },
  email: {
    subject: { fr: "Confirmer votre nouvelle adresse", en: "Confirm your new address" },
    purpose: {
      fr: "Ouvrez ce lien pour que votre compte utilise cette adresse :",
      en: "Open this link to make this the address of your account:",
    },
    otherwise: IGNORE,
  },
  email_taken: {
    subject: {
      fr: "Cette adresse est déjà associée à un compte",
      en: "This address already belongs to an account",
    },
    purpose: {
      fr: "Quelqu'un a voulu associer cette adresse à un autre compte. Elle reste associée au compte qui l'utilise déjà. Pour la libérer, connectez-vous à ce compte et supprimez-le :",
      en: "Someone tried to use this address for another account. It stays with the account that already uses it. To free the address, sign in to that account and delete it:",
    },
    otherwise: IGNORE,
  },
  email_changed: {
    subject: {
      fr: "L'adresse e-mail de votre compte a été modifiée",
      en: "The e-mail address of your account was changed",
    },
    purpose: {
      fr: "Votre compte utilise désormais une autre adresse : plus aucun message ne sera envoyé à l'ancienne. Page de connexion :",
      en: "Your account now uses another address, and e-mails no longer go to this one. Sign-in page:",
    },
    otherwise: CONTACT_ADMINISTRATOR,
  },
} satisfies Readonly<Record<string, LetterWords>>;

const ONCE: Text = {
  fr: "Ce lien est utilisable une seule fois, pendant 30 minutes.",
  en: "It can be used once, within 30 minutes.",
};

const IS_ONE_TIME: ReadonlySet<LetterKind> = new Set(["password", "sign_up", "email"]);

/** A null language means both languages. */
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

/** `link` is a one-time link or the page to open. */
export function writeLetter(kind: LetterKind, link: string, language: Language | null): Letter {
  const { subject, purpose, otherwise } = LETTERS[kind];
  const once = IS_ONE_TIME.has(kind) ? [ONCE] : [];
  return composeLetter(subject, [purpose, link, ...once, otherwise], language);
}

const SECRET_BYTES = 32;
const SHAPE = /^[\w-]{43}$/;
const HOUR = 3600;
/** Each kind has its own limit: requesting one kind with another user's address does not block the other kinds. */
const OF_EMAIL = {
  password: { name: "links by e-mail", capacity: 5, seconds: HOUR },
  sign_up: { name: "sign-ups by e-mail", capacity: 5, seconds: HOUR },
  email: { name: "changes to an e-mail address", capacity: 5, seconds: HOUR },
} satisfies Record<string, Bound>;
const OF_ADDRESS: Bound = { name: "links by address", capacity: 100, seconds: HOUR };

export interface LinkRequest {
  email: string;
  /** The IP address (`findVisitor`). */
  address: string;
  /** The language of the request, for an account that has chosen none. */
  language: Language;
  /** The path on this server to open after the account is created. */
  next?: string | undefined;
}

/** The secret itself is never stored. */
export const fingerprintOfLink = (secret: string): Buffer => hash("sha256", secret, "buffer");

export const linkGone = () => new AppError("link_gone", {});

export const addressOf = ({ site }: ProcessDeps, path: string) => new URL(path, site.origin).href;

/** Voids an older link of the same kind. */
async function makeLink(deps: Deps, sql: Sql, link: LinkFor): Promise<string> {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  await upsertLink(sql, fingerprintOfLink(secret), link);
  return addressOf(deps, `/links/${secret}`);
}

export async function getLink({ database, config }: Deps, secret: string): Promise<ShownLink> {
  const link = SHAPE.test(secret)
    ? await findLink(database.sql, fingerprintOfLink(secret))
    : undefined;
  if (link === undefined || (link.kind === "sign_up" && !config.hasSignUp)) throw linkGone();
  return link;
}

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

/** Does the same work for an address without an account, so that nobody can learn which addresses have one. Throws `too_often`. */
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

/** An address with an account gets an e-mail that says so. Throws `too_often`. */
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

/** If the address is taken, an e-mail says so. Throws `link_needs_mail`, `link_email_own` and `too_often`. */
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

/** Undefined once someone can sign in. */
export async function createFirstLink(deps: Deps): Promise<string | undefined> {
  const { sql } = deps.database;
  return (await canSomeoneSignIn(sql)) ? undefined : makeLink(deps, sql, { kind: "first_account" });
}
