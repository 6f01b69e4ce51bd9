import type { SessionActor } from "../db/accounts/actors.ts";
import { useChallenge } from "../db/accounts/challenges.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { newId } from "../db/id.ts";
import {
  deletePasskey,
  findByCredential,
  insertPasskey,
  listCredentials,
  listPasskeys,
  markPasskeyUsed,
  updatePasskeyName,
  type StoredPasskey,
} from "../db/accounts/passkeys.ts";
import type { ClientInfo } from "../db/accounts/sessions.ts";
import type { Sql } from "../db/driver/sql.ts";
import { lockAccount } from "../db/accounts/tokens.ts";
import type { Deps, StoreDeps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { issueChallenge, readChallenge } from "./challenges.ts";
import { recordConfirmation } from "./confirm.ts";
import { openSession } from "./sessions.ts";
import type { NewSession } from "./sign-in.ts";
import {
  challengeOf,
  readAssertion,
  readAttestation,
  verifyAssertion,
  verifyAttestation,
  type RelyingParty,
} from "./webauthn.ts";

const MAX_PASSKEYS = 20;
const LIFETIME_SECONDS = 300;

/** A challenge is valid only for its purpose, and for the session in that purpose. */
const TO_SIGN_IN = "passkey to sign in";
const toConfirm = ({ sessionId }: SessionActor) => `passkey to confirm ${sessionId}`;
const toAdd = ({ sessionId }: SessionActor) => `passkey to add ${sessionId}`;

const refused = () => new AppError("passkey_refused", {});

export async function issuePasskeyChallenge(deps: Deps, actor?: SessionActor): Promise<string> {
  const purpose = actor === undefined ? TO_SIGN_IN : toConfirm(actor);
  return issueChallenge(deps, purpose, LIFETIME_SECONDS);
}

export async function prepareNewPasskey(deps: Deps, actor: SessionActor) {
  const challenge = await issueChallenge(deps, toAdd(actor), LIFETIME_SECONDS);
  return { challenge, existing: await listCredentials(deps.database.sql, actor.accountId) };
}

type Challenge = NonNullable<Awaited<ReturnType<typeof readChallenge>>>;

async function redeem(sql: Sql, { id, expiresAt }: Challenge): Promise<void> {
  if (!(await useChallenge(sql, id, expiresAt))) throw refused();
}

/** Throws `passkey_refused` and `passkey_limit`. */
export async function addPasskey(
  deps: Deps,
  actor: SessionActor,
  party: RelyingParty,
  { name, answer }: { name: string; answer: string },
): Promise<void> {
  const { accountId } = actor;
  const response = readAttestation(answer);
  const text = response && challengeOf(response);
  const challenge = text && (await readChallenge(deps, toAdd(actor), text));
  const credential = challenge && (await verifyAttestation(response, party, text));
  if (!credential) throw refused();
  const passkey = { id: newId("key"), accountId, name, ...credential };
  await deps.database.begin(async (sql) => {
    await lockAccount(sql, accountId);
    await redeem(sql, challenge);
    if (!(await insertPasskey(sql, passkey, MAX_PASSKEYS)))
      await throwPasskeyRefusal(sql, accountId);
    const details = { passkeyId: passkey.id };
    await insertEvent(sql, actor, { action: "passkey.added", accountId, details });
  });
}

async function throwPasskeyRefusal(sql: Sql, accountId: string): Promise<never> {
  const { length } = await listPasskeys(sql, accountId);
  throw length < MAX_PASSKEYS ? refused() : new AppError("passkey_limit", { limit: MAX_PASSKEYS });
}

export function renamePasskey(
  { database }: StoreDeps,
  actor: SessionActor,
  { id, name }: { id: string; name: string },
): Promise<void> {
  const { accountId } = actor;
  return database.begin(async (sql) => {
    if (!(await updatePasskeyName(sql, accountId, { id, name })))
      throw new AppError("passkey_not_found", { id });
    const details = { passkeyId: id };
    await insertEvent(sql, actor, { action: "passkey.renamed", accountId, details });
  });
}

export function removePasskey(
  { database }: StoreDeps,
  actor: SessionActor,
  id: string,
): Promise<void> {
  const { accountId } = actor;
  return database.begin(async (sql) => {
    if (!(await deletePasskey(sql, accountId, id))) throw new AppError("passkey_not_found", { id });
    const details = { passkeyId: id };
    await insertEvent(sql, actor, { action: "passkey.removed", accountId, details });
  });
}

interface Answer {
  passkey: StoredPasskey;
  counter: number;
  challenge: Challenge;
}

async function readAnswer(
  deps: Deps,
  purpose: string,
  party: RelyingParty,
  text: string,
): Promise<Answer> {
  const response = readAssertion(text);
  const said = response && challengeOf(response);
  const challenge = said && (await readChallenge(deps, purpose, said));
  if (!challenge) throw refused();
  const credentialId = Buffer.from(response.id, "base64url");
  const passkey = await findByCredential(deps.database.sql, credentialId);
  if (passkey === undefined) throw refused();
  const counter = await verifyAssertion(response, passkey, party, said);
  if (counter === undefined) throw refused();
  return { passkey, counter, challenge };
}

async function use(sql: Sql, { passkey, counter, challenge }: Answer): Promise<void> {
  await redeem(sql, challenge);
  if (!(await markPasskeyUsed(sql, passkey.id, counter))) throw refused();
}

/** Throws `passkey_refused`. */
export async function signInByPasskey(
  deps: Deps,
  party: RelyingParty,
  text: string,
  client: ClientInfo,
): Promise<NewSession> {
  const answer = await readAnswer(deps, TO_SIGN_IN, party, text);
  const { accountId } = answer.passkey;
  return deps.database.begin(async (sql) => {
    await use(sql, answer);
    const { secret } = await openSession(sql, accountId, client);
    return { accountId, secret };
  });
}

/** Throws `passkey_refused`. */
export async function confirmByPasskey(
  deps: Deps,
  actor: SessionActor,
  party: RelyingParty,
  text: string,
): Promise<string> {
  const answer = await readAnswer(deps, toConfirm(actor), party, text);
  if (answer.passkey.accountId !== actor.accountId) throw refused();
  return deps.database.begin(async (sql) => {
    await use(sql, answer);
    return recordConfirmation(sql, actor);
  });
}
