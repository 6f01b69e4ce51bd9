import { afterAll, beforeAll, describe, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { offerProject } from "../../server/projects/hand-over.ts";
import { acceptInvitation, shareProject } from "../../server/projects/invitations.ts";
import { expectGoodPage, visitAs } from "../harness/browser.ts";
import {
  actorOf,
  addPeople,
  addPerson,
  addProject,
  givePassword,
  type Person,
} from "../harness/people.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

const ADDRESS = "https://127.0.0.1:8443/";

let server: TestServer;
let people: Record<"alice" | "bob" | "carol" | "dan", Person>;
let projectId: string;
let settings: string;

/** Alice's project: Bob, to whom it is offered, and Dan are members; Carol is invited. */
beforeAll(async () => {
  server = await startTestServer();
  people = { ...(await addPeople(server)), dan: await addPerson(server, "dan") };
  projectId = await addProject(server, people.alice, ADDRESS, "Tea house");
  settings = `/projects/${projectId}/settings`;
  for (const { email } of [people.bob, people.carol, people.dan])
    await shareProject(server.deps, OPERATOR, projectId, email);
  for (const member of [people.bob, people.dan])
    await acceptInvitation(server.deps, actorOf(member), projectId);
  await offerProject(server.deps, OPERATOR, projectId, people.bob.email);
});
afterAll(() => server.close());

describe.each(["fr", "en"] as const)("in %s", (language) => {
  test.each<[page: string, who: keyof typeof people, path: () => string]>([
    ["people", "alice", () => settings],
    ["leaving", "dan", () => settings],
    ["invited", "carol", () => "/projects"],
    ["offered", "bob", () => "/projects"],
  ])("%s", async (name, who, path) => {
    const page = await visitAs(server, people[who], { language });
    await page.goto(path());
    await expectGoodPage(page, `app-${name}-${language}`);
  });

  test("the question before a project is offered", async () => {
    await givePassword(server, people.alice);
    const page = await visitAs(server, people.alice, { language });
    await page.goto(settings);
    await server.sql`update sessions set confirmed_at = now() - interval '1 hour'`;
    await page
      .getByRole("button", { name: new RegExp(people.dan.email) })
      .first()
      .click();
    await page.getByLabel(/password|mot de passe/i).waitFor();
    await expectGoodPage(page, `app-handing over-${language}`);
  });
});
