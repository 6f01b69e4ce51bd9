import { fragment } from "../driver/fragment.ts";
import { parseId } from "../id.ts";
import type { Sql } from "../driver/sql.ts";
import { countRows, firstRow, isFound } from "../driver/rows.ts";

export interface PasskeySummary {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export interface StoredPasskey {
  id: string;
  accountId: string;
  publicKey: Buffer;
  /** The use counter that the passkey reports; 0 if it has none. */
  counter: number;
}

interface NewPasskey extends StoredPasskey {
  credentialId: Buffer;
  name: string;
  /** The ways in which a browser reaches it, separated by spaces. */
  transports: string;
}

const SUMMARY = fragment`id, name, created_at, last_used_at`;

export const listPasskeys = (sql: Sql, accountId: string) =>
  sql.read<PasskeySummary>`
    select ${SUMMARY} from passkeys where account_id = ${accountId} order by created_at, id`;

export const findPasskey = (sql: Sql, accountId: string, id: string) =>
  firstRow(sql.read<PasskeySummary>`
    select ${SUMMARY} from passkeys where id = ${parseId("key", id)} and account_id = ${accountId}`);

export async function listCredentials(
  sql: Sql,
  accountId: string,
): Promise<{ credentialId: Buffer; transports: string }[]> {
  return sql.read`select credential_id, transports from passkeys where account_id = ${accountId}`;
}

export const findByCredential = (sql: Sql, credentialId: Buffer) =>
  firstRow(sql.read<StoredPasskey>`
    select id, account_id, public_key, counter::float8 from passkeys where credential_id = ${credentialId}`);

/** The account's row must be locked. */
export function insertPasskey(sql: Sql, passkey: NewPasskey, limit: number) {
  const { id, accountId, credentialId, publicKey, counter, transports, name } = passkey;
  return isFound(sql`
    insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name)
    select ${id}, ${accountId}, ${credentialId}, ${publicKey}, ${counter}, ${transports}, ${name}
    where (select count(*) from passkeys where account_id = ${accountId}) < ${limit}
    on conflict (credential_id) do nothing returning id`);
}

/** A counter that did not grow is a sign of a copied passkey. */
export const markPasskeyUsed = (sql: Sql, id: string, counter: number) =>
  isFound(sql`
    update passkeys set counter = ${counter}, last_used_at = now()
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0)) returning id`);

export const updatePasskeyName = (
  sql: Sql,
  accountId: string,
  { id, name }: { id: string; name: string },
) =>
  isFound(sql`
    update passkeys set name = ${name} where id = ${parseId("key", id)} and account_id = ${accountId} returning id`);

export const deletePasskey = (sql: Sql, accountId: string, id: string) =>
  isFound(sql`
    delete from passkeys where id = ${parseId("key", id)} and account_id = ${accountId} returning id`);

export const deletePasskeys = (sql: Sql, accountId: string) =>
  countRows(sql`delete from passkeys where account_id = ${accountId} returning id`);
