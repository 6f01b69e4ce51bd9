import { beforeEach, describe, expect, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import {
  acceptHandOver,
  declineHandOver,
  offerProject,
  withdrawHandOver,
} from "../../server/projects/hand-over.ts";
import { acceptInvitation, shareProject } from "../../server/projects/invitations.ts";
import { leaveProject, removeMember } from "../../server/projects/members.ts";
import { actorOf, addPeople, addPerson, addProject, type Person } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const URL = "https://127.0.0.1:8443/";

let project: string;

const server = useServer();
const people = use(() => addPeople(server, "dan", "ivy"));
/** Alice's project: Bob and Dan are members, Ivy is invited. */
beforeEach(async () => {
  project = await addProject(server, people.alice, URL);
  for (const { email } of [people.bob, people.dan, people.ivy])
    await shareProject(server.deps, OPERATOR, project, email);
  for (const member of [people.bob, people.dan])
    await acceptInvitation(server.deps, actorOf(member), project);
});

const offer = (person: Person) =>
  offerProject(server.deps, actorOf(people.alice), project, person.email);
const withdraw = () => withdrawHandOver(server.deps, actorOf(people.alice), project);
const accept = (person: Person) => acceptHandOver(server.deps, actorOf(person), project);
const decline = (person: Person) => declineHandOver(server.deps, actorOf(person), project);

const nameOf = (accountId: string) =>
  Object.entries(people).find(([, person]) => person.accountId === accountId)?.[0];

/** Who owns the project, and who its members are. */
async function readRoles(): Promise<[owner: unknown, members: unknown]> {
  const [row] = await server.sql<{ ownerId: string }>`
    select owner_id from projects where id = ${project}`;
  const members = await server.sql<{ accountId: string }>`
    select account_id from memberships where project_id = ${project}`;
  const names = members
    .map(({ accountId }) => nameOf(accountId))
    .toSorted((a = "", b = "") => a.localeCompare(b));
  return [nameOf(row?.ownerId ?? ""), names];
}

const UNCHANGED = ["alice", ["bob", "dan"]];

describe("rejected", () => {
  test.each(["alice", "ivy", "carol"] as const)(
    "to offer it to %s, who is not a member",
    async (who) => {
      const { email } = people[who];
      await expect(offer(people[who])).rejects.toMatchObject({
        code: "member_not_found",
        parameters: { email, projectId: project },
      });
    },
  );

  test("to answer an offer to someone else, or a missing one", async () => {
    const notOffered = { code: "hand_over_not_found", parameters: { projectId: project } };
    await expect(withdraw()).rejects.toMatchObject(notOffered);
    await expect(accept(people.bob)).rejects.toMatchObject(notOffered);
    await offer(people.bob);
    for (const answer of [accept, decline]) {
      await expect(answer(people.dan)).rejects.toMatchObject(notOffered);
      await expect(answer(people.alice)).rejects.toMatchObject(notOffered);
      await expect(answer(people.ivy)).rejects.toMatchObject({ code: "project_not_found" });
    }
    expect(await readRoles()).toEqual(UNCHANGED);
  });

  test.each<[string, () => Promise<void>]>([
    ["declined", () => decline(people.bob)],
    ["taken back", withdraw],
    ["made to somebody else instead", () => offer(people.dan)],
  ])("to accept an offer that was %s", async (_, end) => {
    await offer(people.bob);
    await end();
    await expect(accept(people.bob)).rejects.toMatchObject({ code: "hand_over_not_found" });
    expect(await readRoles()).toEqual(UNCHANGED);
  });

  test.each<[string, () => Promise<void>]>([
    ["left", () => leaveProject(server.deps, actorOf(people.bob), project)],
    ["was removed", () => removeMember(server.deps, OPERATOR, project, people.bob.email)],
  ])("to accept an offer after the member %s, even after rejoining", async (_, end) => {
    await offer(people.bob);
    await end();
    await expect(accept(people.bob)).rejects.toMatchObject({ code: "project_not_found" });
    await shareProject(server.deps, OPERATOR, project, people.bob.email);
    await acceptInvitation(server.deps, actorOf(people.bob), project);
    await expect(accept(people.bob)).rejects.toMatchObject({ code: "hand_over_not_found" });
    expect(await readRoles()).toEqual(UNCHANGED);
  });

  test("to accept a project beyond 100, or more than 5,000 URLs; the offer remains", async () => {
    const rich = await addPerson(server, "rich");
    await shareProject(server.deps, OPERATOR, project, rich.email);
    await acceptInvitation(server.deps, actorOf(rich), project);
    await offer(rich);
    await server.sql`
      insert into projects (id, owner_id, name, url)
      select 'prj_' || lpad(n::text, 20, '0'), ${rich.accountId}, 'One', ${URL} from generate_series(1, 100) n`;
    await expect(accept(rich)).rejects.toMatchObject({
      code: "too_many_projects",
      parameters: { limit: 100 },
    });
    await server.sql`delete from projects where owner_id = ${rich.accountId} and id like '%099'`;
    const [own] = await server.sql<{ id: string }>`
      select id from projects where owner_id = ${rich.accountId} limit 1`;
    await server.sql`
      insert into watched_urls (id, project_id, url)
      select 'url_rich' || n, ${own?.id ?? ""}, ${URL} || n from generate_series(1, 5000) n`;
    await expect(accept(rich)).rejects.toMatchObject({ code: "too_many_account_urls" });
    await server.sql`delete from watched_urls where id = 'url_rich1'`;
    await accept(rich);
    const queues = await server.sql`
      select owner_id, count(*)::int from looks join watched_urls using (number)
      join projects on projects.id = project_id join accounts on accounts.number = looks.account
      where owner_id = accounts.id and owner_id = ${rich.accountId} group by owner_id`;
    expect(queues).toEqual([{ ownerId: rich.accountId, count: 5000 }]);
  });
});

test("until it is accepted nothing changes; then the former owner is a member", async () => {
  await offer(people.dan);
  await offer(people.bob);
  expect(await readRoles()).toEqual(UNCHANGED);
  await accept(people.bob);
  expect(await readRoles()).toEqual(["bob", ["alice", "dan"]]);
  await expect(offer(people.dan)).rejects.toMatchObject({ code: "owner_only" });
  await leaveProject(server.deps, actorOf(people.alice), project);
  await expect(accept(people.bob)).rejects.toMatchObject({ code: "hand_over_not_found" });
  expect(await readRoles()).toEqual(["bob", ["dan"]]);
});

test("an invitation by the former owner can still be accepted", async () => {
  await offer(people.bob);
  await accept(people.bob);
  await acceptInvitation(server.deps, actorOf(people.ivy), project);
  expect(await readRoles()).toEqual(["bob", ["alice", "dan", "ivy"]]);
});

test("each verb is recorded with the affected account", async () => {
  await offer(people.bob);
  await withdraw();
  await offer(people.bob);
  await decline(people.bob);
  await offer(people.dan);
  await accept(people.dan);
  const events = await server.sql<{ action: string; actorId: string; accountId: string }>`
    select action, actor_id, account_id from events
    where project_id = ${project} and action like 'hand_over%' order by id`;
  expect(
    events.map(({ action, actorId, accountId }) => [action, nameOf(actorId), nameOf(accountId)]),
  ).toEqual([
    ["hand_over.offered", "alice", "bob"],
    ["hand_over.withdrawn", "alice", "bob"],
    ["hand_over.offered", "alice", "bob"],
    ["hand_over.declined", "bob", "alice"],
    ["hand_over.offered", "alice", "dan"],
    ["hand_over.accepted", "dan", "alice"],
  ]);
});
