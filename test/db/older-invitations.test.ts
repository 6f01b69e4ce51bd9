import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { OPERATOR } from "../../server/db/actors.ts";
import { acceptInvitation, declineInvitation } from "../../server/projects/membership.ts";
import { shareProject, unshareProject } from "../../server/projects/sharing.ts";
import { actorOf, addPeople, addProject, type Person } from "../harness/people.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let people: Record<"alice" | "bob" | "carol", Person>;
let project: string;

beforeAll(async () => {
  server = await startTestServer();
  people = await addPeople(server);
});
beforeEach(async () => {
  project = await addProject(server, people.alice, "https://127.0.0.1:8443/");
});
afterAll(() => server.close());

/** What programs of schema 20 and earlier say to the database. */
const older = {
  share: () => server.sql`
    insert into memberships (project_id, account_id) values (${project}, ${people.bob.accountId})
    on conflict (account_id, project_id) do nothing`,
  accept: async () => {
    const [row] = await server.sql<{ isAccepted: boolean }>`
      with accepted as (
        update memberships set accepted_at = coalesce(accepted_at, now())
        where project_id = ${project} and account_id = ${people.bob.accountId} returning account_id
      )
      select exists (select from accepted) as is_accepted`;
    return row?.isAccepted;
  },
  unshare: () => server.sql`
    delete from memberships
    where project_id = ${project} and account_id = (select id from accounts where email = ${people.bob.email})`,
};
const newer = {
  share: () => shareProject(server.deps, OPERATOR, project, people.bob.email),
  accept: () => acceptInvitation(server.deps, actorOf(people.bob), project),
  decline: () => declineInvitation(server.deps, actorOf(people.bob), project),
  unshare: () => unshareProject(server.deps, OPERATOR, project, people.bob.email),
};

/** What Bob is, as the operator's list has it. */
async function read(): Promise<string> {
  const [row] = await server.sql<{ members: number; invited: number }>`
    select (select count(*)::int from memberships where project_id = ${project} and accepted_at is not null) as members,
      (select count(*)::int from invitations where project_id = ${project}) as invited`;
  return `${row?.members} member, ${row?.invited} invited`;
}

test.each<["older" | "newer", "older" | "newer", "older" | "newer"]>([
  ["older", "older", "older"],
  ["older", "older", "newer"],
  ["older", "newer", "older"],
  ["older", "newer", "newer"],
  ["newer", "newer", "older"],
])("invited by the %s, accepted by the %s, taken out by the %s program", async (...programs) => {
  const [share, accept, unshare] = programs.map((name) => ({ older, newer })[name]);
  await share?.share();
  expect(await read()).toBe("0 member, 1 invited");
  await accept?.accept();
  await share?.share();
  expect(await read()).toBe("1 member, 0 invited");
  await unshare?.unshare();
  expect(await read()).toBe("0 member, 0 invited");
});

test.each(["decline", "unshare"] as const)(
  "what the older program sent, and the newer one ended (%s), it cannot accept",
  async (end) => {
    await older.share();
    await newer[end]();
    expect(await older.accept()).toBe(false);
    expect(await read()).toBe("0 member, 0 invited");
  },
);

test("what the older program takes back the newer one cannot accept", async () => {
  await older.share();
  await older.unshare();
  await expect(newer.accept()).rejects.toMatchObject({ code: "invitation_not_found" });
});
