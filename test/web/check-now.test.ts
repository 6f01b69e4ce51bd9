import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { AppError } from "../../server/base/errors.ts";
import { giveExpiredSlotsBack } from "../../server/db/checks/checks.ts";
import { signIn, signedOutClient, type Client, type PageAnswer } from "../harness/application.ts";
import { readEvents } from "../harness/events.ts";
import { expectSoundPage } from "../harness/html.ts";
import { addPeople, countUsedChecks, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { startSlowSite } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";

const site = use(startSlowSite);
const server = use(() => startTestServer({ roots: [site.authority.certificate] }));
let people: Record<"alice" | "bob" | "carol", Person>;
let alice: Client;
let carol: Client;

beforeAll(async () => {
  people = await addPeople(server);
  alice = await signIn(server, people.alice);
  carol = await signIn(server, people.carol);
});
beforeEach(() => site.release());
afterAll(() => site.release());

const used = async () => (await countUsedChecks(server, people.alice)) ?? 0;
const form = () => alice.get("/checks");
const start = async (url: string, typed = {}) =>
  alice.press(await form(), "Check now", { url, ...typed });
const idOf = ({ location = "" }: PageAnswer) => location.replace("/checks/", "");

const listen = (path: string, client = alice) =>
  fetch(new URL(path, server.url), {
    headers: { cookie: `shipscore=${client.cookies.get("shipscore")}`, "accept-language": "en" },
  });

describe("a URL that cannot be checked is rejected at its field, which keeps the input", () => {
  test.each([
    ["  ", 422, "Enter the URL of a page."],
    ["10.0.0.7", 422, "The host “10.0.0.7” is private"],
    ["http://user@example.com/", 422, "user name or a password"],
    ["ftp://example.com/", 422, "does not use https"],
    ["a b", 422, "a space"],
  ])("%j", async (url, status, why) => {
    const answer = await start(url, { preview: "on" });
    expect([answer.status, answer.page.problems["url"]]).toEqual([
      status,
      expect.stringContaining(why),
    ]);
    const { fields } = answer.page.form("/checks");
    expect(fields["url"]?.value.trim()).toBe(url.trim());
    expectSoundPage(answer.html, "en");
    expect(await used()).toBe(0);
  });

  test("if the quota is used up, with the day of its reset", async () => {
    await server.sql`insert into usage (account_id, month, used)
      values (${people.carol.accountId}, date_trunc('month', now() at time zone 'utc')::date, 1000)`;
    const page = await carol.get("/checks");
    expect(page.page.text).toContain("0 checks left this month.");
    const answer = await carol.press(page, "Check now", { url: site.url });
    expect(answer.status).toBe(429);
    expect(answer.page.problems["url"]).toMatch(
      /^You have used up this month's quota \(1,000\)\. It resets on 1 \w+ \d{4}\.$/,
    );
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("if too many checks run", async () => {
    vi.spyOn(server.deps.semaphores.checks, "acquire").mockRejectedValueOnce(
      new AppError("busy", {}),
    );
    const answer = await start(site.url);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(answer.page.problems["url"]).toContain("Too many checks are running");
    expect(await used()).toBe(0);
  });

  test("visitors sign in first", async () => {
    const answer = await signedOutClient(server).post("/checks", { url: site.url });
    expect(answer.page.h1).toBe("Sign in");
    expect(answer.page.form("/sign-in").fields["next"]?.value).toBe("/checks?done=input-lost");
  });
});

test("a check is followed from its first step to its report, and listed for its account", async () => {
  site.hold();
  const started = await start(`${site.url}shop?session=hunter2`, { preview: "on" });
  expect([started.status, started.location]).toEqual([
    303,
    expect.stringMatching(/^\/checks\/chk_\w{20}$/),
  ]);
  const path = `/checks/${idOf(started)}`;
  const running = await alice.get(path);
  expect([running.page.h1, running.page.text]).toEqual([
    `${site.url}shop?session=***`,
    expect.stringContaining("Loading the page"),
  ]);
  expect(running.html).toContain(`<noscript><meta http-equiv="refresh" content="3; url=${path}"`);
  expect(running.html).not.toContain("hunter2");
  expectSoundPage(running.html, "en");
  for (const end of ["", "/events", "/evidence"])
    expect([end, (await carol.get(`${path}${end}`)).status]).toEqual([end, 404]);
  expect((await alice.get(`${path}/evidence`)).status).toBe(404);

  const events = readEvents(await listen(`${path}/events`));
  const seen = [(await events.next()).value];
  expect(seen).toEqual([{ event: "state", data: { text: "Loading the page" } }]);
  site.release();
  for await (const event of events) seen.push(event);
  expect(seen.at(-1)).toEqual({ event: "end", data: {} });

  const report = await alice.get(path);
  expect(report.page.title).toMatch(/^Ship Score \d+, /);
  expect(report.page.links[`Check again ${site.url}shop?session=***`]).toBe("/checks");
  expect((await form()).page.links[`${site.url}shop?session=***`]).toBe(path);
  expect(await used()).toBe(1);
  expect((await form()).page.text).toContain("999 checks left this month.");
});

test("a form that is sent twice makes one check, even while it runs; another URL makes another", async () => {
  const before = await used();
  const page = await form();
  site.hold();
  const answers = await Promise.all([
    alice.press(page, "Check now", { url: site.url }),
    alice.press(page, "Check now", { url: site.url }),
  ]);
  site.release();
  const [first, second] = answers.map(idOf);
  expect(first).toMatch(/^chk_/);
  expect(second).toBe(first);
  expect(idOf(await alice.press(page, "Check now", { url: site.url }))).toBe(first);
  expect(await used()).toBe(before + 1);
  const other = await alice.press(page, "Check now", { url: `${site.url}other` });
  expect(idOf(other)).not.toBe(first);
  for await (const event of readEvents(await listen(`/checks/${first}/events`)))
    if (event.event === "end") break;
  const report = await alice.get(`/checks/${first}`);
  const again = await alice.press(report, `Check again ${site.url}`);
  expect(idOf(again)).not.toBe(first);
  expect(await used()).toBe(before + 3);
});

test("a check whose server died says so, does not count, and can be repeated", async () => {
  const before = await used();
  site.hold();
  const id = idOf(await start(site.url));
  await server.sql`update checks set lease_until = now() - interval '1 second' where id = ${id}`;
  const expectInterrupted = async () => {
    const { page, html, status } = await alice.get(`/checks/${id}`);
    expect([status, page.title.split(" – ")[0]]).toEqual([200, "Check interrupted"]);
    expect(page.buttons).toContain(`Check again ${site.url}`);
    expect(html).not.toContain("http-equiv");
    expectSoundPage(html, "en");
  };
  await expectInterrupted();
  await giveExpiredSlotsBack(server.deps.database.sql);
  await expectInterrupted();
  expect(await used()).toBe(before);
  site.release();
});

test("the fifth stream of a session closes its oldest, whose page then polls", async () => {
  site.hold();
  const path = `/checks/${idOf(await start(`${site.url}five`))}/events`;
  const events = readEvents(await listen(path));
  const others = await Promise.all([listen(path), listen(path), listen(path)]);
  expect((await events.next()).value).toMatchObject({ event: "state" });
  const fifth = await listen(path);
  expect(fifth.status).toBe(200);
  let last: object = {};
  for await (const event of events) last = event;
  expect(last).toEqual({ event: "stop", data: {} });
  expect((await alice.get(path.replace("/events", ""))).page.text).toContain("Loading the page");
  site.release();
  for (const answer of [...others, fifth]) await answer.text();
});
