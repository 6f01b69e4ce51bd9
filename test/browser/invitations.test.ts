import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { visitAs } from "../harness/browser.ts";
import { PageDriver, BROWSER_MODES } from "../harness/page-driver.ts";
import { addPerson, addProject, type Person } from "../harness/people.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

const NAME = "Tea house";
const NOBODYS = "prj_00000000000000000000";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe.each(BROWSER_MODES)("$name", (mode) => {
  test("Bob sees a project after accepting, but cannot change it; for Carol it does not exist", async () => {
    const asPerson = async (person: Person) =>
      new PageDriver(await visitAs(server, person, mode), mode);
    const [owner, member, stranger] = await Promise.all(
      ["alice", "bob", "carol"].map((name) => addPerson(server, `${name}-${mode.language}`)),
    );
    if (!owner || !member || !stranger) throw new Error("somebody is missing");
    const id = await addProject(server, owner, "https://127.0.0.1:8443/", NAME);
    const [project, settings] = [`/projects/${id}`, `/projects/${id}/settings`];
    const [alice, bob, carol] = [
      await asPerson(owner),
      await asPerson(member),
      await asPerson(stranger),
    ];

    await alice.open(`${settings}/people`);
    await alice.type("email", member.email);
    await alice.press("Invite");
    expect(alice.path).toBe(`${settings}/people`);
    expect(await alice.text()).toContain(alice.say("pending", "en attente"));

    await bob.open(project);
    const missing = await bob.text();
    expect(missing).toContain(bob.say("not found", "introuvable"));
    await bob.open("/projects");
    expect(await bob.text()).toContain(owner.email);
    await bob.press("Accept", NAME);
    await bob.open(project);
    expect(await bob.text()).toContain(NAME);
    await bob.open(settings);
    expect(await bob.button("Save").count()).toBe(0);

    for (const path of [
      project,
      settings,
      `/projects/${NOBODYS}`,
      `/projects/${NOBODYS}/settings`,
    ]) {
      await carol.open(path);
      expect(await carol.text()).toBe(missing);
    }

    await bob.open(settings);
    await bob.press("Leave", NAME);
    expect(bob.path).toBe("/projects");
    await bob.open(project);
    expect(await bob.text()).toBe(missing);
  });
});
