import { expect, inject, test } from "vitest";
import { Client } from "../harness/application.ts";
import { useFiles } from "../harness/database.ts";
import { runServerCommand, startServerHere, startServerProcess } from "../harness/process.ts";
import { waitUntil } from "../harness/slow-site.ts";

const FOR_PEOPLE = { SHIPSCORE_FORCE_TTY: "80" };
const PASSWORD = "a long enough sentence";
const SAID =
  /^shipscore-server: listening on (\S+)\nshipscore-server: create the first account at (\S+)\n$/;

const database = useFiles();

/** What a server said from its start to its end. */
async function runOnce(env: Record<string, string>, args: string[]): Promise<string> {
  const server = await startServerHere({ ...database.env, ...env }, args);
  expect(await server.end("SIGTERM")).toBe(0);
  return server.stderr() + server.stdout();
}

test("without a terminal, and on a shared database without the option, no link is printed", async () => {
  expect(await runOnce({}, ["--setup"])).not.toContain("/links/");
  if (database.kind === "postgres") expect(await runOnce(FOR_PEOPLE, [])).not.toContain("/links/");
});

// It is three starts long: the quick run tells it on one database.
const tell = test.runIf(inject("isThorough") || inject("database") === "embedded");

tell("a terminal is shown the way to the first account, until there is one", async () => {
  const env = { ...database.env, ...FOR_PEOPLE };
  const args = database.kind === "postgres" ? ["--setup"] : [];
  const server = await startServerProcess(env, args);
  await waitUntil("it says where", () => SAID.test(server.stderr()));
  const [, url = "", link = ""] = SAID.exec(server.stderr()) ?? [];
  expect(link).toMatch(new RegExp(`^${url}/links/[\\w-]{43}$`));

  const client = new Client(url);
  const page = await client.get(link);
  const typed = { email: "Ops@Example.com", password: PASSWORD };
  const made = await client.press(page, "Create the account", typed);
  expect([made.status, made.location]).toEqual([303, "/projects"]);
  expect((await client.get("/projects")).status).toBe(200);

  const unknown = await runServerCommand(["account", "link", "who@example.com"], database.env);
  expect(unknown).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringContaining("There is no account for who@example.com."),
  });

  const publicUrl = { SHIPSCORE_PUBLIC_URL: "https://ship.example.com" };
  const printed = await runServerCommand(["account", "link", "ops@example.com"], {
    ...database.env,
    ...(database.kind === "postgres" && publicUrl),
  });
  const origin = database.kind === "embedded" ? url : publicUrl.SHIPSCORE_PUBLIC_URL;
  expect(printed).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(new RegExp(`^${origin}/links/[\\w-]{43}\\n$`)),
    stderr: "",
  });
  const { pathname } = new URL(printed.stdout);
  const other = new Client(url);
  expect((await other.post(pathname, { password: `${PASSWORD} 2` })).status).toBe(303);
  expect((await client.get("/projects")).location).toBe("/sign-in?next=%2Fprojects");

  expect(await server.end("SIGTERM")).toBe(0);
  expect(server.stdout()).not.toMatch(/links\/[\w-]{43}/);
  expect(await runOnce(FOR_PEOPLE, args)).not.toContain("/links/");
});

tell("without a server, a link begins with the address that one has by default", async () => {
  const { stdout } = await runServerCommand(["account", "link", "ops@example.com"], database.env);
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:7070\/links\/[\w-]{43}\n$/);
});
