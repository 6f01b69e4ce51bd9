import { beforeEach, expect, test } from "vitest";
import { claimDue, probeClaimed } from "../harness/looks.ts";
import { createProject, editProject, type ProjectEdit } from "../../server/projects/projects.ts";
import { unwatchUrl, watchUrl } from "../../server/projects/watching.ts";
import { actorOf, addPerson, addProject } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";
import { columnOf } from "../harness/rows.ts";

const ADDRESS = "https://127.0.0.1:8443/";
const MOVED = `${ADDRESS}moved`;

let project: string;

const server = useServer();
const alice = use(() => addPerson(server, "alice"));
beforeEach(async () => {
  await server.sql`delete from watched_urls`;
  project = await addProject(server, alice, ADDRESS);
});

const edit = (said: ProjectEdit) => editProject(server.deps, actorOf(alice), project, said);
async function read() {
  const [row] = await server.sql<{ name: string; url: string; state: string; watched: string }>`
    select name, url, state,
      (select string_agg(url || case when is_address then ' *' else '' end, ', ' order by url)
        from watched_urls where project_id = projects.id) as watched
    from projects where id = ${project}`;
  return row;
}
const actions = () =>
  columnOf<string>(server.sql`
  select action from events where project_id = ${project} order by id`);
/** Makes the URL fail, with an incident if it is to have one. */
async function fail(url: string): Promise<void> {
  await server.sql`
    with failing as (
      update looks set last_outcome = 'failed', streak = 2 from watched_urls
      where watched_urls.number = looks.number and project_id = ${project} and url = ${url} returning id
    )
    insert into incidents (id, watched_url_id, project_id, url, since, reason, last_checked_at)
    select 'inc_' || id, id, ${project}, ${url}, now(), '{"fr": "x", "en": "x"}', now() from failing`;
  await server.sql`update projects set state = 'down', state_since = now() where id = ${project}`;
}
const openIncidents = () =>
  columnOf<string>(server.sql`
  select url from incidents where project_id = ${project} and closed_at is null`);

test.each([["http://example.com/"], ["https://10.0.0.1/"], [""]])(
  "the URL %j is rejected, and the new name with it is not saved",
  async (url) => {
    await expect(edit({ name: "New", url })).rejects.toMatchObject({ code: "url_refused" });
    expect(await read()).toMatchObject({ name: "Site", url: ADDRESS });
  },
);

test("unchanged values are neither vetted nor recorded", async () => {
  await server.sql`update projects set url = 'http://no-longer.example/' where id = ${project}`;
  await edit({ name: "Shop", url: "http://no-longer.example/" });
  expect(await read()).toMatchObject({ name: "Shop" });
  expect(await actions()).toEqual(["project.created", "project.renamed"]);
});

test("a new URL is watched in place of the old one, whose incident is closed", async () => {
  await fail(ADDRESS);
  await edit({ url: MOVED });
  expect(await read()).toEqual({
    name: "Site",
    url: MOVED,
    state: "unknown",
    watched: `${MOVED} *`,
  });
  expect(await openIncidents()).toEqual([]);
  expect(await actions()).toEqual(["project.created", "project.address_changed"]);
});

test("a probe of the old URL that was running changes nothing afterwards", async () => {
  const [claimed] = await claimDue(server, 1);
  if (claimed === undefined) throw new Error("Nothing was due.");
  await edit({ url: MOVED });
  await probeClaimed(server, claimed);
  const [row] = await server.sql<{ lastOutcome: string | null; url: string }>`
    select looks.last_outcome, url from watched_urls join looks using (number) where project_id = ${project}`;
  expect(row).toEqual({ lastOutcome: null, url: MOVED });
});

test("a new URL that was already watched keeps its data", async () => {
  await watchUrl(server.deps, actorOf(alice), project, MOVED);
  await fail(MOVED);
  await edit({ url: MOVED });
  expect(await read()).toMatchObject({ state: "down", watched: `${MOVED} *` });
  expect(await openIncidents()).toEqual([MOVED]);
  await expect(
    unwatchUrl(server.deps, actorOf(alice), project, { url: MOVED }),
  ).rejects.toMatchObject({
    code: "url_not_watched",
  });
});

test("a project whose other URL fails becomes degraded when its main URL changes", async () => {
  await watchUrl(server.deps, actorOf(alice), project, `${ADDRESS}tea`);
  await fail(`${ADDRESS}tea`);
  await edit({ url: MOVED });
  expect(await read()).toMatchObject({ state: "degraded" });
});

test("a form that is sent twice creates one project; a changed form creates another", async () => {
  const create = (name: string, form?: string, who = alice) =>
    createProject(server.deps, actorOf(who), { name, url: ADDRESS }, form);
  const twice = await Promise.all([create("Twin", "a"), create("Twin", "a")]);
  expect(twice[0]?.id).toBe(twice[1]?.id);
  const bob = await addPerson(server, "bob");
  const ids = [await create("Twin"), await create("Other", "a"), await create("Twin", "a", bob)];
  expect(new Set([...twice, ...ids].map(({ id }) => id)).size).toBe(4);
});

test("an account owns at most 100 projects, even with parallel creations", async () => {
  const carol = await addPerson(server, "carol");
  await server.sql`
    insert into projects (id, owner_id, name, url)
    select 'prj_' || n, ${carol.accountId}, n, ${ADDRESS} from generate_series(1, 97) n`;
  const made = await Promise.allSettled(
    Array.from({ length: 6 }, () =>
      createProject(server.deps, actorOf(carol), { name: "More", url: ADDRESS }),
    ),
  );
  const refusals = made.flatMap((one) =>
    one.status === "rejected" ? [one.reason as unknown] : [],
  );
  expect(refusals).toHaveLength(3);
  expect(refusals[0]).toMatchObject({
    code: "too_many_projects",
    parameters: { limit: 100 },
  });
  await expect(
    server.perform("project add", { email: carol.email, name: "One more", url: ADDRESS }),
  ).rejects.toThrow(/100 projects/);
});
