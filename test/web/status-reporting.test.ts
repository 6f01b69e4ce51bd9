import { beforeEach, expect, test } from "vitest";
import { signIn, type Client } from "../harness/application.ts";
import {
  addHook,
  deliver,
  payloadOf,
  withFields,
  type AddedHook,
} from "../harness/deployment-hosts.ts";
import { expectSoundPage } from "../harness/html.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { waitUntil } from "../harness/slow-site.ts";
import { REPOSITORY, startGitHub, TOKEN } from "../harness/status-hosts.ts";
import { use } from "../harness/use.ts";

const github = use(startGitHub);
const server = use(() => startTestServer({ env: { SHIPSCORE_STATUS_HOSTS: github.host } }));
const person = use(() => addPerson(server, "alice"));
const SAVE = "Test and save";

let alice: Client;
let hook: AddedHook;
let path: string;
beforeEach(async () => {
  await server.sql`update projects set owner_id = null`;
  const project = await addProject(server, person, "https://127.0.0.1:9/", "Café");
  alice = await signIn(server, person);
  hook = await addHook(server, project, "github");
  path = `/projects/${project}/hooks/${hook.id}`;
});

const typed = () => ({ repository: REPOSITORY, api: github.api, token_secret: TOKEN });

test.each<[field: string, fields: Record<string, string>, problem: string]>([
  ["repository", { repository: "storefront" }, "Enter OWNER/REPO"],
  ["api", { api: "http://127.0.0.1/" }, "Enter an https URL"],
  ["api", { api: "https://127.0.0.1:9/" }, "does not allow statuses to be sent to 127.0.0.1:9"],
  ["token_secret", { token_secret: "" }, "Enter a token, or the IDs"],
  ["key_secret", { app: "1", installation: "7", key_secret: "PEM" }, "RSA of 2,048 to 4,096 bits"],
  ["token_secret", { token_secret: "ghp_wrong" }, "401: Bad credentials"],
])("rejected, with the input but no secret: %s %j", async (field, fields, problem) => {
  const sent = { ...typed(), ...fields };
  const { status, page, html } = await alice.press(await alice.get(path), SAVE, sent);
  expect(status).toBe(422);
  expect(page.problems[field]).toContain(problem);
  expect(html).toContain(`value="${sent.repository}"`);
  for (const secret of [TOKEN, "ghp_wrong", "PEM"]) expect(html).not.toContain(`>${secret}<`);
  expect(html).not.toContain(TOKEN);
  expect(await server.sql`select id from status_reporting where id = ${hook.id}`).toEqual([]);
});

test("status reporting is turned on, listed with its failures, and turned off", async () => {
  const saved = await alice.press(await alice.get(path), SAVE, { ...typed(), comment: "on" });
  expect([saved.status, saved.location]).toEqual([303, `${path}?done=reporting-on#done`]);
  expect((await alice.get(saved.location ?? "")).page.text).toContain(
    "Status reporting turned on.",
  );
  github.reply({
    status: 403,
    headers: { "x-accepted-github-permissions": "statuses=write" },
  });
  await deliver(hook, withFields(payloadOf("github"), { "deployment_status.state": "failure" }));
  const rows = () => server.sql`select from statuses where hook_id = ${hook.id} and sent = 'dead'`;
  await waitUntil("it is dead", async () => (await rows()).length === 1);
  const shown = await alice.get(path);
  expectSoundPage(shown.html, "en");
  expect(shown.html).not.toContain(TOKEN);
  expect(shown.html).toMatch(/name="comment"[^>]* checked/);
  for (const words of [
    REPOSITORY,
    "● On",
    "Not assessed: the deployment failed",
    "403: needs statuses=write",
  ])
    expect(shown.page.text).toContain(words);
  const french = await signIn(server, person, { language: "fr" });
  expectSoundPage((await french.get(path)).html, "fr");
  const off = await alice.press(shown, "Turn off status reporting");
  expect(off.status).toBe(303);
  expect((await alice.get(path)).page.text).not.toContain("● On");
});
