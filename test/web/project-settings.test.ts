import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { acceptInvitation, shareProject } from "../../server/projects/invitations.ts";
import { signedOutClient, signIn, type Client } from "../harness/application.ts";
import { actorOf, addPeople, addProject, type Person } from "../harness/people.ts";
import { sendRaw } from "../harness/raw-http.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const ADDRESS = "https://127.0.0.1:8443/";

const server = use(startTestServer);
let people: Record<"alice" | "bob" | "carol", Person>;
let alice: Client;
let project: string;
const path = (rest = "") => `/projects/${project}${rest}`;

beforeAll(async () => {
  people = await addPeople(server);
});
beforeEach(async () => {
  await server.sql`update projects set owner_id = null`;
  project = await addProject(server, people.alice, ADDRESS, "Café");
  alice = await signIn(server, people.alice);
});

const read = (page = "") => alice.get(path(`/settings${page}`));
/** Where a form leads once it is done: its page shows the sentence of a code. */
const said = (page: string, code: string) => path(`/settings${page}?done=${code}#done`);
async function stored() {
  const [row] = await server.sql<{ name: string; url: string; ownerId: string; watched: string }>`
    select name, url, owner_id, badge_id is not null as has_badge,
      (select string_agg(url, ' ' order by url) from watched_urls where project_id = projects.id and not is_address) as watched
    from projects where id = ${project}`;
  return row;
}
const countProjects = async () => {
  const [row] = await server.sql<{ count: number }>`
    select count(*)::int as count from projects where owner_id = ${people.alice.accountId}`;
  return row?.count;
};

describe("a new project", () => {
  test("with the host of another own project can be watched in that project instead", async () => {
    const ask = (url: string, client = alice) =>
      client.get(`/projects/new?url=${encodeURIComponent(url)}`);
    const offered = await ask(`${ADDRESS}menu`);
    const button = "Watch the page in this project Café";
    const done = await alice.press(offered, button);
    expect([done.status, done.location]).toEqual([303, said("/urls", "urls-added")]);
    expect(await stored()).toMatchObject({ watched: `${ADDRESS}menu` });
    const carol = await signIn(server, people.carol);
    const others = [await ask("https://example.com/"), await ask("x"), await ask(ADDRESS, carol)];
    for (const { page } of others) expect(page.buttons).not.toContain(button);
  });

  const create = (name: string, url: string) => alice.post("/projects/new", { name, url });

  test.each([
    ["", ADDRESS, "name", "Enter a name for the project"],
    ["x".repeat(101), ADDRESS, "name", "over 100 characters"],
    ["Shop", "", "url", "The URL is not valid"],
    ["Shop", "http://example.com/", "url", "does not use https"],
    ["Shop", "https://10.0.0.1/", "url", "is private"],
    ["Shop", `${ADDRESS}\0`, "url", "an invisible character"],
  ])("%j at %j is rejected at the field, and the input is kept", async (name, url, field, why) => {
    const { status, page } = await create(name, url);
    expect(status).toBe(422);
    expect(Object.keys(page.problems)).toEqual([field]);
    expect(page.problems[field]).toContain(why);
    const { fields } = page.form("/projects/new");
    expect([fields["name"]?.value, fields["url"]?.value]).toEqual([name, url]);
    expect(await countProjects()).toBe(1);
  });

  test("beyond 100 is rejected, with advice", async () => {
    await server.sql`insert into projects (id, owner_id, name, url)
      select 'prj_full' || n, ${people.alice.accountId}, n, ${ADDRESS} from generate_series(1, 99) n`;
    const { status, page } = await create("Shop", ADDRESS);
    expect([status, page.problems["name"]]).toEqual([
      422,
      "You own 100 projects, the limit for an account. Delete or transfer one, then try again.",
    ]);
    await server.sql`delete from projects where id like 'prj_full%'`;
  });

  test("is created by the button, once for a form that is sent twice, and its page follows", async () => {
    const form = await alice.get("/projects/new");
    expect(form.page.h1).toBe("New project");
    const typed = { name: " Shop ", url: `${ADDRESS}shop` };
    const made = await Promise.all(
      [1, 2].map(() => alice.press(form, "Create the project", typed)),
    );
    const [first, second] = made.map(({ status, location }) => [status, location]);
    expect(first).toEqual([303, expect.stringMatching(/^\/projects\/prj_\w{20}$/)]);
    expect(second).toEqual(first);
    expect([(await alice.follow(made[0]!)).page.h1, await countProjects()]).toEqual(["Shop", 2]);
  });

  test("a form beyond the limit is rejected by a page", async () => {
    const { status, page } = await create("Shop", "x".repeat(20_000));
    expect([status, page.h1]).toEqual([413, expect.any(String)]);
  });
});

describe("access to the settings", () => {
  const POSTS: [string, Record<string, string>][] = [
    ["/settings", { name: "", url: "" }],
    ["/settings", { name: "Mine", url: ADDRESS }],
    ["/settings/urls", { urls: `${ADDRESS}more` }],
    ["/settings/urls", { urls: "" }],
    ["/settings/urls/url_00000000000000000000/remove", {}],
    ["/settings/gate", { min_score: "80" }],
    ["/settings/gate/accept", { rule: "" }],
    ["/settings/previews", { hosts: "staging.example.com" }],
    ["/settings/badge", { badge: "on" }],
    ["/settings/delete", { confirm_name: "Café" }],
    ["/settings/delete", { confirm_name: "" }],
  ];
  beforeEach(async () => {
    await shareProject(server.deps, OPERATOR, project, people.bob.email);
    await acceptInvitation(server.deps, actorOf(people.bob), project);
  });

  test("a stranger gets the page of a project that does not exist", async () => {
    const carol = await signIn(server, people.carol);
    const unknown = "/projects/prj_00000000000000000000";
    const none = await carol.get(`${unknown}/settings`);
    expect(none.status).toBe(404);
    const answer = await carol.get(path("/settings"));
    expect([answer.status, answer.page.text]).toEqual([404, none.page.text]);
    for (const [rest, fields] of POSTS) {
      const mine = await carol.post(path(rest), fields);
      const nobodys = await carol.post(unknown + rest, fields);
      expect([rest, mine.status, mine.page.text]).toEqual([rest, 404, nobodys.page.text]);
    }
  });

  test("a member sees only the form to leave, and changes nothing", async () => {
    const bob = await signIn(server, people.bob);
    const before = await stored();
    const { status, page } = await bob.get(path("/settings"));
    expect([status, page.h1]).toEqual([200, "Project settings"]);
    expect(page.buttons).toEqual(["Leave Café"]);
    for (const each of ["urls", "people", "hooks", "alerts", "gate", "previews", "badge", "delete"])
      expect([each, (await bob.get(path(`/settings/${each}`))).status]).toEqual([each, 403]);
    for (const [rest, fields] of POSTS)
      expect([rest, (await bob.post(path(rest), fields)).status]).toEqual([rest, 403]);
    expect(await stored()).toEqual(before);
  });

  test("a visitor is redirected to the sign-in", async () => {
    const { location } = await signedOutClient(server).get(path("/settings"));
    expect(location).toBe(`/sign-in?next=${encodeURIComponent(path("/settings"))}`);
  });
});

describe("name and URL", () => {
  const save = async (name: string, url: string) =>
    alice.press(await read(), "Save", { name, url });

  test("a rejected form changes neither, and keeps both", async () => {
    const { status, page } = await save("New", "https://10.0.0.1/");
    expect([status, page.problems["url"]]).toEqual([422, expect.stringContaining("is private")]);
    const { fields } = page.form(path("/settings"));
    expect([fields["name"]?.value, fields["url"]?.value]).toEqual(["New", "https://10.0.0.1/"]);
    expect(await stored()).toMatchObject({ name: "Café", url: ADDRESS });
  });

  test("both are saved", async () => {
    const answer = await save("New", `${ADDRESS}new`);
    expect([answer.status, answer.location]).toEqual([303, said("", "project-moved")]);
    const { fields } = (await alice.follow(answer)).page.form(path("/settings"));
    expect([fields["name"]?.value, fields["url"]?.value]).toEqual(["New", `${ADDRESS}new`]);
  });

  test("a name is saved even if the interval is shorter than the server now allows", async () => {
    await server.sql`update projects set interval_seconds = 45 where id = ${project}`;
    expect((await save("New", ADDRESS)).location).toBe(said("", "saved"));
    const { status, page } = await alice.press(await read(), "Save", { interval: "50" });
    expect([status, page.problems["interval"]]).toEqual([422, expect.stringContaining("60 s")]);
  });
});

describe("watched URLs", () => {
  const watch = async (urls: string) => alice.press(await read("/urls"), "Watch", { urls });

  test("an empty field, and a list over 2,000 lines, add nothing", async () => {
    const empty = await watch(" \r\n ");
    expect([empty.status, empty.page.problems["urls"]]).toEqual([
      422,
      "Enter at least one URL, one per line.",
    ]);
    const long = `${ADDRESS}more\n`.repeat(2001);
    const { status, page } = await watch(long);
    expect([status, page.problems["urls"]]).toEqual([
      422,
      "Nothing was added: the list has over 2,000 lines. Shorten it.",
    ]);
    expect(page.formOf("Watch").fields["urls"]?.value).toBe(long);
    expect(await stored()).toMatchObject({ watched: null });
  });

  test("rejected ones stay in the field, each with its reason; the others are added", async () => {
    const lines = [
      "http://a.example/",
      `${ADDRESS}tea`,
      "",
      "https://10.0.0.1/",
      "http://b.example/",
      ` ${ADDRESS}tea `,
    ];
    const { status, page } = await watch(lines.join("\r\n"));
    expect(status).toBe(422);
    expect(page.problems["urls"]).toBe(
      "1 URL was added. 3 URLs were not added and are still in the field. " +
        "The URL does not use https. Use one that begins with https://. http://a.example/ http://b.example/ " +
        "The host “10.0.0.1” is private: its name is reserved for local use, or one of its IP addresses is not public. Use the site's public URL, or ask the server's administrator to allow the host's network. https://10.0.0.1/",
    );
    expect(page.formOf("Watch").fields["urls"]?.value).toBe(
      "http://a.example/\nhttps://10.0.0.1/\nhttp://b.example/",
    );
    expect(page.rows).toEqual([
      ["URL", "State", "Last probe", ""],
      ["/tea ↗", "○ Not probed yet", "–", "Pause Remove"],
    ]);
  });

  test("in French", async () => {
    const french = await signIn(server, people.alice, { language: "fr" });
    const form = await french.get(path("/settings/urls"));
    const { page } = await french.press(form, "Surveiller", { urls: "http://a.example/" });
    expect(page.problems["urls"]).toMatch(/^1 URL n'a pas été ajoutée/);
  });

  test("if none is rejected, not even a watched one, the page follows", async () => {
    for (const code of ["urls-added", "urls-known"]) {
      const answer = await watch(`${ADDRESS}tea\n${ADDRESS}`);
      expect([answer.status, answer.location]).toEqual([303, said("/urls", code)]);
    }
    expect(await stored()).toMatchObject({ watched: `${ADDRESS}tea` });
  });

  test("1,000 URLs of 2,048 characters fit into the field", async () => {
    const urls = Array.from({ length: 1000 }, (_, n) => `${ADDRESS}${n}/`.padEnd(2048, "x"));
    const { status, page } = await watch(urls.join("\r\n"));
    expect(status).toBe(422);
    expect(page.problems["urls"]).toMatch(/^999 URLs were added. 1 URL was not added /);
    expect(page.formOf("Watch").fields["urls"]?.value).toBe(urls[999]);
    const listed = await alice.get(path("/settings/urls?page=2"));
    expect(listed.page.text).toContain("19 to 36 of 999");
    expect(Buffer.byteLength(listed.html)).toBeLessThan(50_000);
  });

  test.each(["nobody's", "that of a session that ended"])(
    "a long list of %s is answered quickly",
    async (whose) => {
      const left = await signIn(server, people.alice);
      if (whose !== "nobody's") await left.post("/sign-out");
      const cookie = whose === "nobody's" ? "x" : left.cookies.get("shipscore");
      for (const [where, status] of [
        [path("/settings/urls"), 200],
        ["/sign-in", 413],
      ] as const) {
        const answer = await sendRaw(
          server.url,
          `POST ${where} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nContent-Length: 16385\r\n` +
            `Content-Type: application/x-www-form-urlencoded\r\nCookie: shipscore=${cookie}\r\n\r\n`,
        );
        expect(answer.status).toBe(status);
        expect(answer.headers).toContain("connection: close");
      }
    },
  );

  test("are removed one by one, and a missing one is no error", async () => {
    await watch(`${ADDRESS}tea\n${ADDRESS}milk`);
    const page = await read("/urls?q=TEA&state=up");
    expect(page.page.text).toContain("No matches.");
    const found = await read("/urls?q=TEA&sort=-address");
    expect(found.page.text).toContain("1 to 1 of 1");
    const asked = await alice.press(found, `Remove ${ADDRESS}tea`);
    expect(asked.page.h1).toBe(`Remove ${ADDRESS}tea?`);
    expect(asked.page.links["Cancel"]).toBe(path("/settings/urls?q=TEA&sort=-address"));
    expect(await stored()).toMatchObject({ watched: `${ADDRESS}milk ${ADDRESS}tea` });
    for (const time of [1, 2]) {
      const answer = await alice.press(asked, `Remove ${ADDRESS}tea`);
      expect([time, answer.status]).toEqual([time, 303]);
      expect(answer.location).toMatch(
        /\/settings\/urls\?q=TEA&sort=-address&done=url-removed#done$/,
      );
    }
    expect((await alice.press(found, `Remove ${ADDRESS}tea`)).status).toBe(404);
    expect(await stored()).toMatchObject({ watched: `${ADDRESS}milk` });
    const remove = (watched: string) => alice.post(path(`/settings/urls/${watched}/remove`));
    for (const watched of ["x", "url_1", "%00"]) expect((await remove(watched)).status).toBe(303);
  });
});

test("the badge is turned on, shown with its URL and its Markdown, and turned off", async () => {
  const on = await alice.follow(await alice.press(await read("/badge"), "Turn on the badge"));
  const [image] = /\/badge\/[0-9A-Za-z]{22}\.svg/.exec(on.html) ?? [];
  expect(on.html).toContain(`![Ship Score](${server.url.replace(/\/$/, "")}${image}`);
  expect((await fetch(new URL(image ?? "", server.url))).status).toBe(200);
  const off = await alice.follow(await alice.press(on, "Turn off the badge"));
  expect(off.html).not.toMatch(/\/badge\/\w{22}/);
  expect((await fetch(new URL(image ?? "", server.url))).status).toBe(404);
});

describe("deletion", () => {
  const remove = async (name: string) =>
    alice.press(await read("/delete"), "Delete Café", { confirm_name: name });

  test.each(["", "café", "Café 2"])("%j is not its name", async (name) => {
    const { status, page } = await remove(name);
    expect([status, page.problems["confirm_name"]]).toEqual([
      422,
      "This is not the name of this project, and nothing was deleted. Enter it as it is written here.",
    ]);
    expect(page.form(path("/settings/delete")).fields["confirm_name"]?.value).toBe(name);
    expect(await stored()).toMatchObject({ ownerId: people.alice.accountId });
  });

  test("asks for the password if the last confirmation is long ago", async () => {
    await server.sql`update sessions set confirmed_at = now() - interval '16 minutes'`;
    const form = await read("/delete");
    expect(form.page.form(path("/settings/delete")).fields).toHaveProperty("current_password");
    const { status, page } = await alice.press(form, "Delete Café", { confirm_name: "Café" });
    expect([status, Object.keys(page.problems)]).toEqual([422, ["current_password"]]);
    expect(page.form(path("/settings/delete")).fields["confirm_name"]?.value).toBe("Café");
    expect(await stored()).toMatchObject({ ownerId: people.alice.accountId });
  });

  test("needs its name; then its pages no longer exist, even in another tab", async () => {
    const pages = await Promise.all(["/delete", "", "/urls", "/badge"].map(read));
    const answer = await remove("Café");
    expect([answer.status, answer.location]).toEqual([303, "/projects?done=project-deleted#done"]);
    expect((await alice.follow(answer)).page.text).not.toContain("Café");
    const typed = { confirm_name: "Café", urls: ADDRESS };
    for (const page of pages) {
      const [button = ""] = page.page.buttons.slice(-1);
      expect([button, (await alice.press(page, button, typed)).status]).toEqual([button, 404]);
    }
    for (const page of ["", "/settings", "/settings/urls"])
      expect((await alice.get(path(page))).status).toBe(404);
  });
});
