import { beforeEach, expect, test, vi } from "vitest";
import { refuseUnverifiable } from "../../server/projects/urls.ts";
import { watchUrls } from "../../server/projects/watching.ts";
import type { Resolver } from "../../server/engine/net/resolve.ts";
import { countWatchedUrls } from "../../server/db/watching/watched-urls.ts";
import { actorOf, addPeople, addProject, type Person } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { waitUntil } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";
import { valueOf } from "../harness/rows.ts";

const ADDRESS = "https://127.0.0.1:8443/";

let project: string;
let asked: string[];
/** Releases whoever asks for a name that begins with `slow`. */
let release: () => void;

const server = useServer();
const people = use(() => addPeople(server));
beforeEach(async () => {
  await server.sql`delete from watched_urls`;
  project = await addProject(server, people.alice, ADDRESS);
  asked = [];
  const held = new Promise<void>((resolve) => (release = resolve));
  const resolver: Resolver = {
    async resolve(name) {
      asked.push(name);
      if (name.startsWith("slow")) await held;
      return { outcome: "found", addresses: ["93.184.215.14"] };
    },
  };
  Object.assign(server.deps.networks.checks, { resolver });
});

const watch = (urls: string[]) => watchUrls(server.deps, actorOf(people.alice), project, urls);
const paths = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => `${ADDRESS}${from + index}`);
const countWatched = () =>
  valueOf<number>(server.sql`
  select count(*)::int as count from watched_urls where project_id = ${project}`);
const countOwned = ({ accountId }: Person) => countWatchedUrls(server.sql, accountId);
const codesOf = ({ refused }: Awaited<ReturnType<typeof watch>>) =>
  refused.map(({ url, error }) => [url, error.code]);

test("rejected URLs are listed with their reasons, the others are added", async () => {
  const result = await watch([
    "http://example.com/",
    "https://example.com/",
    "https://10.0.0.1/",
    `https://example.com/${"é".repeat(400)}`,
    `https://example.com/${"x".repeat(2048)}`,
  ]);
  expect(result.refused.map(({ error }) => error.parameters)).toEqual([
    { code: "not_https", host: null },
    { code: "private", host: "10.0.0.1" },
    { code: "too_long", host: null },
    { code: "too_long", host: null },
  ]);
  expect(result.added.map(({ url }) => url)).toEqual(["https://example.com/"]);
});

test("blank lines, extra spaces, repeated lines and watched URLs are not rejected", async () => {
  const lines = ["", ` ${ADDRESS}tea `, "\t", `${ADDRESS}tea`, ADDRESS];
  const result = await watch(lines);
  expect(result).toMatchObject({ added: [{ url: `${ADDRESS}tea` }], refused: [] });
  expect(await watch(lines)).toEqual({ added: [], refused: [] });
  expect(await countWatched()).toBe(2);
});

test("1,000 in total are watched; the end of a longer list is rejected without vetting", async () => {
  const result = await watch([...paths(999), "https://not-asked.example/", "http://not-vetted/"]);
  expect(result.added).toHaveLength(999);
  expect(codesOf(result)).toEqual([
    ["https://not-asked.example/", "too_many_urls"],
    ["http://not-vetted/", "too_many_urls"],
  ]);
  expect(asked).toEqual([]);
  await expect(
    server.perform("project watch", { id: project, url: `${ADDRESS}more` }),
  ).rejects.toThrow(/watches 1000 URLs/);
  expect(await countWatched()).toBe(1000);
});

test("1,000 in total, even with parallel additions", async () => {
  const results = await Promise.all([1, 400, 800, 1200].map((from) => watch(paths(500, from))));
  expect(await countWatched()).toBe(1000);
  const refused = new Set(results.flatMap((result) => result.refused.map(({ url }) => url)));
  const added = results.flatMap((result) => result.added.map(({ url }) => url));
  expect(added).toHaveLength(999);
  expect(added.filter((url) => refused.has(url))).toEqual([]);
});

test("5,000 over all projects of an account, even with parallel additions", async () => {
  const others = await Promise.all(
    [1, 2, 3, 4, 5].map(() => addProject(server, people.alice, ADDRESS)),
  );
  await server.sql`
    insert into watched_urls (id, project_id, url)
    select 'url_' || projects.id || n, projects.id, 'https://example.com/' || n
    from unnest(string_to_array(${others.join(" ")}, ' ')) projects (id), generate_series(1, 850) n`;
  const left = 5000 - (await countOwned(people.alice));
  const watchIn = (id: string, urls: string[]) =>
    watchUrls(server.deps, actorOf(people.alice), id, urls);
  await watch(paths(left - 99));
  const results = await Promise.all(others.map((id) => watchIn(id, paths(99))));
  expect(await countOwned(people.alice)).toBe(5000);
  expect(results.flatMap(({ added }) => added)).toHaveLength(99);
  const codes = new Set(results.flatMap((result) => codesOf(result).map(([, code]) => code)));
  expect([...codes]).toEqual(["too_many_account_urls"]);
  await expect(
    server.perform("project watch", { id: project, url: `${ADDRESS}more` }),
  ).rejects.toThrow(/at most 5000 URLs across all its projects/);
  await expect(addProject(server, people.alice, ADDRESS)).rejects.toMatchObject({
    code: "too_many_account_urls",
  });
  await expect(watch([`${ADDRESS}more`])).resolves.toMatchObject({
    refused: [{ error: { code: "too_many_account_urls" } }],
  });
});

test("each name is resolved once", async () => {
  await watch(Array.from({ length: 30 }, (_, n) => `https://www.example.com/${n}`));
  expect(asked).toEqual(["www.example.com"]);
});

test("a URL without time for its lookup is rejected, and may be sent again", async () => {
  const urls = Array.from({ length: 20 }, (_, n) => `https://slow${n}.example.com/`);
  const refusing = refuseUnverifiable(server.deps, actorOf(people.alice), urls);
  await waitUntil("the first are asked for", () => asked.length === 4);
  const later = performance.now() + 10_000;
  const clock = vi.spyOn(performance, "now").mockReturnValue(later);
  release();
  const refused = await refusing.finally(() => clock.mockRestore());
  expect([...refused].map(([, { code }]) => code)).toEqual(Array(16).fill("url_not_vetted"));
  expect((await refuseUnverifiable(server.deps, actorOf(people.alice), urls)).size).toBe(0);
});

test("during 1,000 slow lookups the account keeps permits for its checks, and others keep all of theirs", async () => {
  const urls = Array.from({ length: 1000 }, (_, n) => `https://slow${n}.example.com/`);
  const refusing = refuseUnverifiable(server.deps, actorOf(people.alice), urls, 60_000);
  await waitUntil("the first are asked for", () => asked.length === 4);
  for (const { accountId } of [people.alice, people.bob])
    (await server.deps.semaphores.checks.acquire(accountId, 0))();
  expect(server.deps.semaphores.checks.held).toBe(4);
  release();
  expect((await refusing).size).toBe(0);
});

test("an account that becomes the owner during the lookups has its limit applied", async () => {
  const full = await addProject(server, people.bob, ADDRESS);
  await server.sql`
    insert into watched_urls (id, project_id, url)
    select 'url_bob' || n, ${full}, ${ADDRESS}::text || n from generate_series(1, 4999) n`;
  expect(await countOwned(people.bob)).toBe(5000);
  const watching = watchUrls(server.deps, OPERATOR, project, ["https://slow.example.com/"]);
  await waitUntil("the name is looked up", () => asked.includes("slow.example.com"));
  await server.sql`update projects set owner_id = ${people.bob.accountId} where id = ${project}`;
  release();
  expect(codesOf(await watching)).toEqual([["https://slow.example.com/", "too_many_account_urls"]]);
});
