import { addAccount } from "../../server/access/accounts.ts";
import { createToken } from "../../server/access/tokens.ts";
import { hashPassword } from "../../server/access/passwords.ts";
import type { Plan } from "../../server/base/plans.ts";
import { OPERATOR, operatorFor, type SessionActor } from "../../server/db/accounts/actors.ts";
import { createProject } from "../../server/projects/projects.ts";
import type { TestServer } from "./server.ts";

export interface Person {
  accountId: string;
  email: string;
  token: string;
  tokenId: string;
}

/** Adds an account with one token. The e-mail about the token counts as sent. */
export async function addPerson(
  server: TestServer,
  name: string,
  plan: Plan = "team",
): Promise<Person> {
  const email = `${name}@example.com`;
  const { id: accountId } = await addAccount(server.deps, OPERATOR, { email, plan });
  return server.deps.database.begin(async (sql, runScript) => {
    const begin: typeof server.deps.database.begin = (work) => work(sql, runScript);
    const database = { ...server.deps.database, begin };
    const deps = { ...server.deps, database };
    const { token, id: tokenId } = await createToken(deps, operatorFor(accountId), "test");
    await sql`update events set is_untold = false where account_id = ${accountId}`;
    await sql`update accounts set notices_seen = (select max(id) from events) where id = ${accountId}`;
    return { accountId, email, token, tokenId };
  });
}

export const actorOf = ({ accountId }: Person): SessionActor => ({
  by: "session",
  accountId,
  sessionId: "ses_00000000000000000000",
  address: "127.0.0.1",
});

/**
 * Adds people with fixed roles: Alice owns projects, Bob is invited to them, Carol is a stranger. The test decides the roles of the others.
 */
export async function addPeople<Other extends string = never>(
  server: TestServer,
  ...others: Other[]
): Promise<Record<"alice" | "bob" | "carol" | Other, Person>> {
  const people: Record<string, Person> = {};
  for (const name of ["alice", "bob", "carol", ...others])
    people[name] = await addPerson(server, name);
  return people;
}

export async function addProject(
  server: TestServer,
  owner: Person,
  url: string,
  name = "Site",
): Promise<string> {
  const { id } = await createProject(server.deps, actorOf(owner), { name, url });
  return id;
}

export async function givePassword(
  { sql }: TestServer,
  { accountId }: Person,
  password = "le cheval de Troie",
): Promise<string> {
  const hash = await hashPassword(password);
  await sql`update accounts set password_hash = ${hash} where id = ${accountId}`;
  return password;
}

/** The number of checks that the person has used this month. */
export async function countUsedChecks(
  server: TestServer,
  { email }: Person,
): Promise<number | undefined> {
  const accounts = await server.perform<{ email: string; used: number }[]>("account list", {});
  return accounts.find((account) => account.email === email)?.used;
}
