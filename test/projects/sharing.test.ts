import { afterAll, beforeAll, expect, test } from "vitest";
import { acceptInvitation } from "../../server/projects/membership.ts";
import { shareProject, unshareProject } from "../../server/projects/sharing.ts";
import { actorOf, addPeople, addProject, type Person } from "../harness/people.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let people: Record<"alice" | "bob" | "carol", Person>;
let project: string;

beforeAll(async () => {
  server = await startTestServer();
  people = await addPeople(server);
  project = await addProject(server, people.alice, "https://127.0.0.1:8443/");
});
afterAll(() => server.close());

const share = (email: string) => shareProject(server.deps, actorOf(people.alice), project, email);
const unshare = (email: string) =>
  unshareProject(server.deps, actorOf(people.alice), project, email);
const accept = (person: Person) => acceptInvitation(server.deps, actorOf(person), project);

const members = () => server.sql<{ email: string; isAccepted: boolean }>`
  select email, accepted_at is not null as is_accepted from memberships join accounts on accounts.id = account_id
  where project_id = ${project}`;

test("an address without an account, and the owner's own, are not invited", async () => {
  await expect(share("eve@example.com")).rejects.toMatchObject({
    code: "account_not_found",
    parameters: { email: "eve@example.com" },
  });
  await expect(share(people.alice.email)).rejects.toMatchObject({
    code: "owner_invited",
    parameters: { email: people.alice.email, projectId: project },
  });
  expect(await members()).toEqual([]);
});

test("Bob is invited, accepts, and stays a member when he is invited or accepts again", async () => {
  const { email } = people.bob;
  await share(email);
  await share(email);
  expect(await members()).toEqual([{ email, isAccepted: false }]);
  await accept(people.bob);
  await share(email);
  await accept(people.bob);
  expect(await members()).toEqual([{ email, isAccepted: true }]);
});

test("nobody accepts an invitation of somebody else's", async () => {
  await expect(accept(people.carol)).rejects.toMatchObject({
    code: "invitation_not_found",
    parameters: { email: people.carol.email, projectId: project },
  });
  await expect(accept(people.alice)).rejects.toMatchObject({ code: "invitation_not_found" });
});

test("who is no member cannot be taken out, with or without an account; Bob can, once", async () => {
  for (const email of ["eve@example.com", people.carol.email])
    await expect(unshare(email)).rejects.toMatchObject({
      code: "member_not_found",
      parameters: { email, projectId: project },
    });
  await unshare(people.bob.email);
  await expect(unshare(people.bob.email)).rejects.toMatchObject({ code: "member_not_found" });
  expect(await members()).toEqual([]);
});
