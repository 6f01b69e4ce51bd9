import type { Plan } from "../../server/db/accounts.ts";
import type { TestServer } from "./server.ts";

export interface Person {
  email: string;
  token: string;
  tokenId: string;
}

/** An account with one token. */
export async function addPerson(
  server: TestServer,
  name: string,
  plan: Plan = "team",
): Promise<Person> {
  const email = `${name}@example.com`;
  await server.perform("account add", { email, plan });
  const { token, id } = await server.perform<{ token: string; id: string }>("token create", {
    email,
    name: "test",
  });
  return { email, token, tokenId: id };
}

/** Alice owns things, Bob is invited to them, Carol is a stranger. */
export async function addPeople(
  server: TestServer,
): Promise<Record<"alice" | "bob" | "carol", Person>> {
  return {
    alice: await addPerson(server, "alice"),
    bob: await addPerson(server, "bob"),
    carol: await addPerson(server, "carol"),
  };
}

export async function addProject(
  server: TestServer,
  owner: Person,
  url: string,
  name = "Site",
): Promise<string> {
  const { id } = await server.perform<{ id: string }>("project add", {
    email: owner.email,
    name,
    url,
  });
  return id;
}
