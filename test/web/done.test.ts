import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { addHook } from "../../server/projects/hooks.ts";
import { acceptInvitation, shareProject } from "../../server/projects/invitations.ts";
import { watchUrl } from "../../server/projects/watching.ts";
import { addTarget } from "../harness/alerts.ts";
import { signedOutClient, signIn, type Client, type PageAnswer } from "../harness/application.ts";
import { actorOf, addPeople, addProject, type Person } from "../harness/people.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

const ADDRESS = "https://127.0.0.1:8443/";
const TEA = `${ADDRESS}tea`;

let server: TestServer;
let people: Record<"alice" | "bob" | "carol", Person>;
let alice: Client;
let project: string;
const path = (rest = "") => `/projects/${project}${rest}`;

beforeAll(async () => {
  server = await startTestServer();
  people = await addPeople(server);
});
beforeEach(async () => {
  await server.sql`update projects set owner_id = null`;
  project = await addProject(server, people.alice, ADDRESS, "Café");
  await shareProject(server.deps, OPERATOR, project, people.bob.email);
  await acceptInvitation(server.deps, actorOf(people.bob), project);
  alice = await signIn(server, people.alice);
});
afterAll(() => server.close());

/** The sentence of what was done, as the page shows it. */
const doneOn = ({ html }: PageAnswer) =>
  /id="done"[^>]*role="status"[^>]*>\s*<p>(.*?)<\/p>/s.exec(html)?.[1]?.replaceAll("&#39;", "'");

describe("after an action the page confirms it", () => {
  test.each<[page: string, button: string, typed: Record<string, string>, done: string]>([
    ["", "Save", { name: "Tea" }, "Saved."],
    [
      "",
      "Save",
      { url: TEA },
      "Saved. The first result for the new URL will arrive in a few seconds.",
    ],
    ["/urls", "Watch", { urls: TEA }, "URLs added. First results in a few seconds."],
    ["/urls", "Watch", { urls: ADDRESS }, "Nothing to add: all these URLs are already watched."],
    [
      "/people",
      "Invite",
      { email: "x@example.org" },
      "Invitation created. This server sends no e-mail: ask the person to answer on their Projects page.",
    ],
    ["/badge", "Turn on the badge", {}, "Badge turned on. Copy its URL below."],
  ])("%s %s %j", async (page, button, typed, done) => {
    const form = await alice.get(path(`/settings${page}`));
    const answer = await alice.follow(await alice.press(form, button, typed));
    expect(doneOn(answer)).toBe(done);
  });

  test("by a code, in the reader's language, for visitors too", async () => {
    const french = signedOutClient(server, { language: "fr" });
    expect(doneOn(await french.get("/sign-in?done=account-deleted"))).toBe("Compte supprimé.");
    expect(doneOn(await alice.get("/projects?done=project-left"))).toBe(
      "You have left the project.",
    );
  });

  test.each(["", "x", "%00", "toString", "__proto__", "Saved.", "%3Cb%3Ex", "saved&done=saved"])(
    "a link with ?done=%s adds nothing to the page",
    async (code) => {
      const plain = await alice.get("/projects");
      const linked = await alice.get(`/projects?done=${code}`);
      expect([linked.status, linked.page.text]).toEqual([200, plain.page.text]);
    },
  );
});

describe("a removal with a permanent loss must be confirmed, and names the loss", () => {
  const cases: [what: string, find: () => Promise<[page: string, button: string]>, lost: RegExp][] =
    [
      [
        "a watched URL",
        async () => {
          await watchUrl(server.deps, OPERATOR, project, TEA);
          return [path("/settings/urls"), `Remove ${TEA}`];
        },
        /score, uptime and response times will be lost/,
      ],
      [
        "a hook",
        async () => {
          const { id } = await addHook(server.deps, OPERATOR, project, { provider: "plain" });
          return [path(`/hooks/${id}`), `Remove Other (Standard Webhooks) …${id.slice(-4)}`];
        },
        /secret, the received events .* will be lost/,
      ],
      [
        "an alert",
        async () => {
          const { id } = await addTarget(server, project, "https://127.0.0.1:8443/alerts");
          return [path(`/alerts/${id}`), "Remove Webhook 127.0.0.1:8443"];
        },
        /target, its secret, its settings .* will be lost/,
      ],
      [
        "a member",
        async () => [path("/settings/people"), `Remove ${people.bob.email}`],
        /accept a new invitation/,
      ],
      [
        "a status page",
        async () => {
          const name = project.slice(-12).toLowerCase();
          const page = path("/settings/status-page");
          await alice.post(page, { name, urls: `${ADDRESS}=Shop` });
          return [page, "Turn off the status page"];
        },
        /title and its options will be lost/,
      ],
    ];
  test.each(cases)("%s", async (_what, find, lost) => {
    const [page, button] = await find();
    const before = await alice.get(page);
    const asked = await alice.press(before, button);
    expect([asked.status, asked.page.h1]).toEqual([200, `${button}?`]);
    expect(asked.page.text).toMatch(lost);
    expect((await alice.get(page)).page.buttons).toContain(button);
    expect((await alice.get(asked.page.links["Cancel"] ?? "")).status).toBe(200);
    const form = asked.page.formOf(button);
    const statuses = ["bob", "carol"] as const;
    for (const who of statuses) {
      const other = await signIn(server, people[who]);
      expect((await other.post(form.action, form.sent(button))).status).toBe(
        who === "bob" ? 403 : 404,
      );
    }
    const removed = await alice.press(asked, button);
    expect([removed.status, removed.location]).toEqual([303, expect.stringMatching(/#done$/)]);
    const again = await alice.press(asked, button);
    expect([again.status, again.location]).toEqual([303, removed.location]);
    const after = await alice.follow(removed);
    expect(doneOn(after)).toMatch(/ (?:removed|turned off)\./);
    expect((await alice.get(page)).page.buttons).not.toContain(button);
  });
});
