import { beforeEach, describe, expect, test } from "vitest";
import { LEASES } from "../../server/base/bounds.ts";
import { tryDeployments } from "../../server/watching/deployments.ts";
import { createCleanUp } from "../../server/watching/retention.ts";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { claimDueDeployments } from "../../server/db/deployments/deployment-claims.ts";
import { claimDue, probeClaimed } from "../harness/looks.ts";
import { setBadge } from "../../server/projects/badges.ts";
import { recordDeployment } from "../../server/projects/deployments.ts";
import { acceptInvitation, shareProject } from "../../server/projects/invitations.ts";
import { deleteProject } from "../../server/projects/projects.ts";
import { watchUrl } from "../../server/projects/watching.ts";
import { actorOf, addPeople, addProject, type Person } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";
import { shipOf } from "../harness/ships.ts";

const ADDRESS = "https://127.0.0.1:8443/";

let project: string;
let badge: string;

const server = useServer();
const people = use(() => addPeople(server));

/** Alice's project with all that a project can have: Bob is a member, Carol is invited. */
beforeEach(async () => {
  const { deps } = server;
  project = await addProject(server, people.alice, ADDRESS, "Café");
  await shareProject(deps, OPERATOR, project, people.bob.email);
  await acceptInvitation(deps, actorOf(people.bob), project);
  await shareProject(deps, OPERATOR, project, people.carol.email);
  await watchUrl(deps, OPERATOR, project, `${ADDRESS}more`);
  badge = (await setBadge(deps, OPERATOR, project, true)) ?? "";
  await record();
});

const record = () => recordDeployment(server.deps, OPERATOR, shipOf(project, ADDRESS));
const remove = (name = "Café", actor: Person = people.alice) =>
  deleteProject(server.deps, actorOf(actor), project, name);
const cleanUp = () => createCleanUp(server.sql, new AbortController().signal)();
const statusOf = async (path: string, { token }: Person) =>
  (await server.request(`/api/v1/projects/${project}/${path}`, { token })).status;
const namesOf = async ({ token }: Person) => {
  const answer = await server.request("/api/v1/projects", { token });
  return ((await answer.json()) as { projects: { id: string }[] }).projects.map(({ id }) => id);
};

test.each(["", "Cafe", "café", "Café 2"])("typing %j deletes nothing", async (name) => {
  await expect(remove(name)).rejects.toMatchObject({ code: "project_name_wrong" });
  expect(await statusOf("incidents", people.alice)).toBe(200);
  await remove();
});

test("its name may be typed with spaces around it, and in any form of its accents", async () => {
  await remove(" Cafe\u0301 ");
  expect(await statusOf("incidents", people.alice)).toBe(404);
});

test("a deleted project disappears immediately, for everyone who saw it", async () => {
  await remove();
  for (const person of Object.values(people)) {
    expect(await statusOf("incidents", person)).toBe(404);
    expect(await statusOf("last-ship", person)).toBe(404);
    expect(await namesOf(person)).toEqual([]);
  }
  expect((await fetch(`${server.url}${badge}`)).status).toBe(404);
  const listed = await server.perform<unknown[]>("project list", { after: null });
  expect(listed).toEqual([]);
  await expect(remove()).rejects.toMatchObject({ code: "project_not_found" });
  await expect(record()).rejects.toMatchObject({ code: "project_not_found" });
  await expect(acceptInvitation(server.deps, actorOf(people.carol), project)).rejects.toMatchObject(
    { code: "invitation_not_found" },
  );
});

test("nothing of it is probed any more, and no deployment is verified", async () => {
  await remove();
  expect(await claimDue(server)).toEqual([]);
  expect(
    await claimDueDeployments(server.sql, project, { fr: "", en: "" }, LEASES.claimMs),
  ).toBeUndefined();
});

test("a probe that was running changes nothing afterwards", async () => {
  const claimed = await claimDue(server);
  expect(claimed.length).toBe(2);
  await remove();
  for (const url of claimed) await probeClaimed(server, url);
  const [row] = await server.sql<{ incidents: number; urls: number; judged: number }>`
    select (select count(*)::int from incidents where project_id = ${project}) as incidents,
      (select count(*)::int from watched_urls where project_id = ${project}) as urls,
      (select count(*)::int from projects where id = ${project} and state <> 'unknown') as judged`;
  expect(row).toEqual({ incidents: 0, urls: 0, judged: 0 });
});

test("a deployment that was being verified changes nothing afterwards, and no message promises a result", async () => {
  const claimed = await claimDueDeployments(
    server.sql,
    project,
    { fr: "", en: "" },
    LEASES.claimMs,
  );
  if (claimed === undefined) throw new Error("Nothing was due.");
  await remove();
  await cleanUp();
  expect(await tryDeployments(server.deps, claimed)).toMatchObject({ score: null });
  expect(server.log.filter((line) => line.includes(claimed.ids.join()))).toEqual([]);
  const [left] = await server.sql<{ checks: number }>`
    select count(*)::int as checks from checks where project_id = ${project}`;
  expect(left).toEqual({ checks: 0 });
});

describe("the rest of it", () => {
  /** More rows than one statement removes, of which some are deployments' checks. */
  const insertHistory = () => server.sql`
    with checks as (
      insert into checks (id, kind, project_id, host, state, lease_until)
      select ${project}::text || n, 'deployment', ${project}, 'example.net', 'done', now() from generate_series(1, 250) n
      returning id
    ), incidents as (
      insert into incidents (id, watched_url_id, project_id, url, since, reason, last_checked_at, closed_at)
      select ${project}::text || n, n, ${project}, ${ADDRESS}, now(), '{}', now(), now() from generate_series(1, 150) n
    )
    insert into deployments (id, project_id, url, environment, check_id)
    select id, ${project}, ${ADDRESS}, 'production', id from checks`;

  test("is removed completely, and no row of another project", async () => {
    const other = await addProject(server, people.alice, ADDRESS, "Other");
    await insertHistory();
    await remove();
    await cleanUp();
    const left = await server.sql<{ id: string; left: number }>`
      select projects.id, (select count(*)::int from watched_urls where project_id = projects.id) as left
      from projects where id in (${project}, ${other})`;
    expect(left).toEqual([{ id: other, left: 1 }]);
    const [counts] = await server.sql<{ checks: number; deployments: number; incidents: number }>`
      select (select count(*)::int from checks where project_id = ${project}) as checks,
        (select count(*)::int from deployments where project_id = ${project}) as deployments,
        (select count(*)::int from incidents where project_id = ${project}) as incidents`;
    expect(counts).toEqual({ checks: 0, deployments: 0, incidents: 0 });
    await deleteProject(server.deps, OPERATOR, other, "Other");
  });

  test("includes every table that refers to projects", async () => {
    const tables = await server.sql<{ name: string }>`
      select conrelid::regclass::text as name from pg_constraint
      where confrelid = 'projects'::regclass and contype = 'f'`;
    const { TABLES_OF_PROJECTS } = await import("../../server/db/projects/deleted-projects.ts");
    expect(TABLES_OF_PROJECTS.map(({ strings }) => strings.join("")).toSorted()).toEqual(
      ["incidents", ...tables.map(({ name }) => name)]
        .filter((name, index, all) => all.indexOf(name) === index)
        .toSorted(),
    );
  });
});

test("the audit says who deleted it", async () => {
  await remove();
  const [event] = await server.sql<{ actor: string; actorId: string }>`
    select actor, actor_id from events where action = 'project.deleted' and project_id = ${project}`;
  const { accountId } = people.alice;
  expect(event).toEqual({ actor: "session", actorId: accountId });
});
