import { beforeEach, describe, expect, test } from "vitest";
import { OPERATOR, operatorFor } from "../../server/db/accounts/actors.ts";
import {
  acceptInvitation,
  declineInvitation,
  resendInvitation,
  shareProject,
  withdrawInvitation,
} from "../../server/projects/invitations.ts";
import { leaveProject, removeMember, unshareProject } from "../../server/projects/members.ts";
import { actorOf, addPeople, addPerson, addProject, type Person } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";
import { columnOf } from "../harness/rows.ts";

const URL = "https://127.0.0.1:8443/";
const NEW = "eve@example.com";

let project: string;

const server = useServer();
const people = use(() => addPeople(server));
beforeEach(async () => {
  project = await addProject(server, people.alice, URL);
});

const share = (email: string) => shareProject(server.deps, OPERATOR, project, email);
const unshare = (email: string) =>
  unshareProject(server.deps, actorOf(people.alice), project, email);
const resend = (email: string) => resendInvitation(server.deps, OPERATOR, project, email);
const withdraw = (email: string) => withdrawInvitation(server.deps, OPERATOR, project, email);
const remove = (email: string) => removeMember(server.deps, OPERATOR, project, email);
const accept = (person: Person) => acceptInvitation(server.deps, actorOf(person), project);
const decline = (person: Person) => declineInvitation(server.deps, actorOf(person), project);
const leave = (person: Person) => leaveProject(server.deps, actorOf(person), project);

const readMembers = () =>
  columnOf<string>(server.sql`
  select 'member ' || email as line from memberships join accounts on accounts.id = account_id
  where project_id = ${project}
  union all select 'invited ' || email from invitations where project_id = ${project} order by line`);
const age = (days: number) => server.sql`
  update invitations set invited_at = now() - make_interval(days => ${days}) where project_id = ${project}`;
const readEvents = () => server.sql<{ action: string; accountId: string | null }>`
  select action, account_id from events
  where project_id = ${project} and action <> 'project.created' order by id`;

describe("rejected", () => {
  test("the owner's own address", async () => {
    await expect(share(people.alice.email)).rejects.toMatchObject({
      code: "owner_invited",
      parameters: { email: people.alice.email, projectId: project },
    });
    expect(await readMembers()).toEqual([]);
  });

  test("to answer an invitation of someone else, or a missing one", async () => {
    await share(people.bob.email);
    for (const person of [people.carol, people.alice])
      for (const answer of [accept, decline])
        await expect(answer(person)).rejects.toMatchObject({
          code: "invitation_not_found",
          parameters: { email: person.email, projectId: project },
        });
    expect(await readMembers()).toEqual([`invited ${people.bob.email}`]);
  });

  test.each<[string, (email: string) => Promise<unknown>, code: string]>([
    ["unshare", unshare, "member_not_found"],
    ["remove", remove, "member_not_found"],
    ["withdraw", withdraw, "invitation_not_found"],
    ["resend", resend, "invitation_not_found"],
  ])("%s: an account or address that is neither invited nor a member", async (_, verb, code) => {
    for (const email of [NEW, people.carol.email])
      await expect(verb(email)).rejects.toMatchObject({
        code,
        parameters: { email, projectId: project },
      });
    expect(await readEvents()).toEqual([]);
  });

  test("to remove someone who is only invited, and to withdraw an accepted invitation", async () => {
    const { email } = people.bob;
    await share(email);
    await expect(remove(email)).rejects.toMatchObject({ code: "member_not_found" });
    await accept(people.bob);
    for (const verb of [withdraw, resend])
      await expect(verb(email)).rejects.toMatchObject({ code: "invitation_not_found" });
    await expect(decline(people.bob)).rejects.toMatchObject({ code: "invitation_not_found" });
    expect(await readMembers()).toEqual([`member ${email}`]);
  });

  test("an invitation from 14 days ago, as if it did not exist", async () => {
    const { email } = people.bob;
    await share(email);
    await age(14);
    for (const answer of [accept, decline])
      await expect(answer(people.bob)).rejects.toMatchObject({ code: "invitation_not_found" });
    for (const verb of [withdraw, resend])
      await expect(verb(email)).rejects.toMatchObject({ code: "invitation_not_found" });
  });

  test("an invitation to an account's previous address", async () => {
    const dan = await addPerson(server, "dan");
    await share(dan.email);
    await server.sql`update accounts set email = 'dan@example.net' where id = ${dan.accountId}`;
    await expect(accept(dan)).rejects.toMatchObject({ code: "invitation_not_found" });
    expect(await readMembers()).toEqual(["invited dan@example.com"]);
  });

  test("the 101st of a project, but not a repeat of one of the hundred", async () => {
    await server.sql`
      insert into invitations (project_id, email)
      select ${project}, n || '@example.com' from generate_series(1, 98) n`;
    await share(people.bob.email);
    await accept(people.bob);
    await share(people.carol.email);
    await expect(share(NEW)).rejects.toMatchObject({
      code: "too_many_people",
      parameters: { projectId: project, limit: 100 },
    });
    expect(await share("7@example.com")).toBe(true);
    expect(await share(people.bob.email)).toBe(false);
    await unshare("7@example.com");
    expect(await share(NEW)).toBe(true);
  });

  test("the 11th invitation to an address in a day, from any sender", async () => {
    const invite = async (name: string) => {
      const person = await addPerson(server, name);
      const own = await addProject(server, person, URL);
      return shareProject(server.deps, actorOf(person), own, "wanted@example.com");
    };
    for (let count = 0; count < 10; count++) await invite(`inviter${count}`);
    await expect(invite("inviter10")).rejects.toMatchObject({ code: "too_often" });
  });

  test("the 21st invitation by an account in a day, repeats included; the operator has no limit", async () => {
    const dan = await addPerson(server, "busy");
    const own = await addProject(server, dan, URL);
    const invite = (email: string) => shareProject(server.deps, actorOf(dan), own, email);
    await expect(invite(dan.email)).rejects.toMatchObject({ code: "owner_invited" });
    for (let count = 0; count < 19; count++) await invite(`${count}@example.com`);
    await resendInvitation(server.deps, actorOf(dan), own, "0@example.com");
    const again = () => resendInvitation(server.deps, actorOf(dan), own, "1@example.com");
    for (const one of [() => invite("20@example.com"), () => invite("0@example.com"), again])
      await expect(one()).rejects.toMatchObject({
        code: "too_often",
        parameters: { retryAfterSeconds: expect.any(Number) },
      });
    const other = await addProject(server, dan, URL);
    await expect(
      shareProject(server.deps, actorOf(dan), other, "20@example.com"),
    ).rejects.toMatchObject({ code: "too_often" });
    await shareProject(server.deps, OPERATOR, own, "20@example.com");
    await withdrawInvitation(server.deps, actorOf(dan), own, "20@example.com");
  });
});

test("two invitations to Bob are one; he accepts twice, and stays a member when he is invited again", async () => {
  const { email } = people.bob;
  expect([await share(email), await share(email)]).toEqual([true, true]);
  expect(await readMembers()).toEqual([`invited ${email}`]);
  await accept(people.bob);
  await accept(people.bob);
  expect(await share(email)).toBe(false);
  expect(await readMembers()).toEqual([`member ${email}`]);
});

test.each<[string, () => Promise<unknown>]>([
  ["declined", () => decline(people.bob)],
  ["left", () => accept(people.bob).then(() => leave(people.bob))],
  ["was removed", () => accept(people.bob).then(() => remove(people.bob.email))],
  ["was no longer invited", () => withdraw(people.bob.email)],
  ["did not answer in 14 days", () => age(14)],
])("invited again after he %s, Bob may accept", async (_, end) => {
  const { email } = people.bob;
  await share(email);
  await end();
  await expect(accept(people.bob)).rejects.toMatchObject({ code: "invitation_not_found" });
  await share(email);
  expect(await readMembers()).toEqual([`invited ${email}`]);
  await accept(people.bob);
  expect(await readMembers()).toEqual([`member ${email}`]);
});

test("a repeated invitation is valid for another 14 days", async () => {
  await share(people.bob.email);
  await age(13);
  await resend(people.bob.email);
  await server.sql`
    update invitations set invited_at = invited_at - interval '13 days' where project_id = ${project}`;
  await accept(people.bob);
  expect(await readMembers()).toEqual([`member ${people.bob.email}`]);
});

test("an invitation to an address without an account waits for the account", async () => {
  await share(NEW);
  const eve = await addPerson(server, "eve");
  await accept(eve);
  expect(await readMembers()).toEqual([`member ${NEW}`]);
});

test("the operator accepts for an account, and removes invited addresses and members", async () => {
  const { email, accountId } = people.bob;
  await share(email);
  await unshare(email);
  await share(email);
  await acceptInvitation(server.deps, operatorFor(accountId), project);
  await unshare(email);
  expect(await readMembers()).toEqual([]);
});

test("each verb is recorded with the affected account, and no address", async () => {
  const { accountId, email } = people.bob;
  await share(NEW.replace("eve", "new"));
  await share(email);
  await resend(email);
  await decline(people.bob);
  await share(email);
  await withdraw(email);
  await share(email);
  await accept(people.bob);
  await leave(people.bob);
  await share(email);
  await accept(people.bob);
  await remove(email);
  const [first, ...others] = await readEvents();
  expect(first).toEqual({ action: "invitation.sent", accountId: null });
  expect(others.map((event) => event.accountId)).toEqual(others.map(() => accountId));
  expect(others.map(({ action }) => action)).toEqual([
    "invitation.sent",
    "invitation.resent",
    "invitation.declined",
    "invitation.sent",
    "invitation.withdrawn",
    "invitation.sent",
    "invitation.accepted",
    "member.left",
    "invitation.sent",
    "invitation.accepted",
    "member.removed",
  ]);
  const rows = await server.sql`select from events where details::text like '%@%'`;
  expect(rows).toEqual([]);
});
