import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createTestDatabase, useFiles } from "../../harness/database.ts";
import { startMailRelay, type MailRelay } from "../../harness/mail.ts";
import { runOrThrow, runServerCommand, useProcess, refused } from "../../harness/process.ts";
import { startReceiver, type Receiver } from "../../harness/receiver.ts";
import { waitUntil } from "../../harness/slow-site.ts";
import { useFolder } from "../../harness/use.ts";

const ANN = "ann@example.com";
const NOBODYS = { project: "prj_00000000000000000000", alert: "alr_00000000000000000000" };
const SECRET = /^whsec_[A-Za-z0-9+/]{32}$/;

let relay: MailRelay;
let receiver: Receiver;
const folder = useFolder();
let env: Record<string, string>;
let project: string;

const run = (words: readonly string[], more: Record<string, string> = {}, input = "") =>
  runServerCommand([...words], { ...env, ...more }, { input });
const print = (...words: string[]) => runOrThrow(words, env);
const printJson = async (...words: string[]) =>
  JSON.parse(await print(...words, "--json")) as unknown;
const printRows = async (...words: string[]) =>
  (await print(...words)).split("\n").map((line) => line.split("\t"));
const add = async (kind: string, target: string, ...words: string[]) => {
  const args = ["alert", "add", project, kind, "--target-stdin", "--json", ...words];
  return JSON.parse(await runOrThrow(args, env, target)) as { id: string; secret: string | null };
};

/** What whoever gets the e-mails does with the one that asks. */
async function accept(address: string): Promise<void> {
  const { text } = await relay.lastTo(address);
  const [path = ""] = /\/subscribe\/\S+/.exec(text) ?? [];
  const headers = { "sec-fetch-site": "same-origin" };
  const { status } = await fetch(new URL(path, server.url), { method: "POST", headers });
  expect(status).toBe(200);
}

const database = useFiles();
beforeAll(async () => {
  [relay, receiver] = await Promise.all([startMailRelay(), startReceiver()]);
  const ca = join(folder, "ca.pem");
  await writeFile(ca, receiver.authority.certificate);
  env = { ...database.env, ...relay.env, NODE_EXTRA_CA_CERTS: ca };
});
const server = useProcess(() => env);
beforeAll(async () => {
  await print("account", "add", ANN, "--plan", "pro");
  project = await print("project", "add", ANN, "--name", "Shop", "--url", receiver.url);
});
afterAll(async () => {
  await Promise.all([relay.close(), receiver.close()]);
});

describe("rejected", () => {
  /** The words, with the target in their place, and what stands behind `<` as standard input. */
  const runRefused = (line: string) => {
    const target = receiver.at("refused");
    const [words = "", input = ""] = line.split(" <");
    const filled = words.replace("PROJECT", project).replace("TARGET", target);
    return run(filled.split(" "), {}, input.replace("TARGET", target));
  };
  const ON_STDIN = "Pass the target URL on standard input, with --target-stdin.";

  test.each<[words: string, sentence: string]>([
    ["alert add PROJECT pigeon --target-stdin <TARGET", "The kind must be one of webhook, slack,"],
    ["alert add PROJECT webhook --target-stdin --on incident,birthday <TARGET", "incident, ship"],
    ["alert add PROJECT webhook --target-stdin --on , <TARGET", "incident, ship, drop"],
    ["alert add PROJECT email ann@example.com --language de", "The language must be fr or en."],
    ["alert add PROJECT email ann", "ann is not an e-mail address."],
    [`alert add PROJECT email ann@example.com --label ${"x".repeat(61)}`, "at most 60 characters"],
    ["alert add PROJECT webhook TARGET", ON_STDIN],
    ["alert add PROJECT slack TARGET", ON_STDIN],
    ["alert add PROJECT discord TARGET", ON_STDIN],
    ["alert add PROJECT email", ON_STDIN],
  ])("%s: usage, exit 2", async (line, sentence) => {
    const stderr = refused(await runRefused(line), 2);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain("refused");
  });

  test.each<[words: string, sentence: string]>([
    ["alert add PROJECT webhook --target-stdin <https://10.0.0.1/private", "private"],
    ["alert add PROJECT slack --target-stdin <http://93.184.216.34/plain", "https"],
    ["alert add PROJECT discord --target-stdin <nothing", "URL"],
    ["alert add PROJECT discord --target-stdin <", "URL"],
    [
      `alert add ${NOBODYS.project} webhook --target-stdin <TARGET`,
      `no project ${NOBODYS.project}`,
    ],
    [`alert list ${NOBODYS.project}`, `There is no project ${NOBODYS.project}.`],
    [`alert test ${NOBODYS.alert}`, `There is no alert ${NOBODYS.alert}.`],
    [`alert remove ${NOBODYS.alert}`, `There is no alert ${NOBODYS.alert}.`],
    [`alert rotate ${NOBODYS.alert}`, `There is no alert ${NOBODYS.alert}.`],
    [`alert deliveries ${NOBODYS.alert}`, `There is no alert ${NOBODYS.alert}.`],
    ["alert retry msg_00000000000000000000", "There is no delivery msg_00000000000000000000."],
  ])("%s: exit 1, with the reason", async (line, sentence) => {
    const stderr = refused(await runRefused(line), 1);
    expect(stderr).toMatch(/^shipscore-server: [^\n]+\n$/);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain("/private");
  });

  test("none of them added anything", async () => {
    expect(await print("alert", "list", project)).toBe("");
    expect(await printJson("alert", "list", project)).toEqual([]);
  });
});

test("a webhook is added, listed by its host and its label, tested, rotated and removed", async () => {
  const target = receiver.at("webhook?key=hidden");
  const { id, ...added } = await add("webhook", target, "--label", "#ops");
  expect(id).toMatch(/^alr_[0-9A-Za-z]{20}$/);
  const on = ["incident", "drop"];
  expect(added).toEqual({ kind: "webhook", on, secret: expect.stringMatching(SECRET) as string });

  expect(await printJson("alert", "list", project)).toMatchObject([
    { id, kind: "webhook", on, state: "active" },
  ]);
  const { host } = new URL(target);
  expect(await printRows("alert", "list", project)).toEqual([
    [id, "webhook", host, "incident, drop", "", "", "active", "#ops"],
  ]);

  const tested = (await printJson("alert", "test", id)) as { id: string };
  const sent = { id: tested.id, type: "test", state: "sent", attempts: 1, error: null };
  expect(tested).toEqual(sent);
  expect(receiver.posted("webhook?key=hidden")).toHaveLength(1);
  expect(await printJson("alert", "deliveries", id)).toEqual([sent]);
  expect(await printRows("alert", "deliveries", id)).toEqual([[tested.id, "test", "sent", "1"]]);

  const again = await run(["alert", "retry", tested.id]);
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining("already sent")]);

  const [[rotated, secret] = []] = await printRows("alert", "rotate", id);
  expect([rotated, secret]).toEqual([id, expect.stringMatching(SECRET)]);
  expect(secret).not.toBe(added.secret);
  expect(await printJson("alert", "rotate", id)).toEqual({
    id,
    secret: expect.stringMatching(SECRET) as string,
  });

  expect(await print("alert", "remove", id)).toBe(id);
  expect(await printJson("alert", "list", project)).toEqual([]);
  const everything = server.stdout() + server.stderr();
  expect(everything).not.toMatch(/hidden|whsec_/);
});

test("a failing target is reported; an undelivered message is resent by hand", async () => {
  const { id, secret } = await add("webhook", receiver.at("failing"), "--on", "ship,incident");
  expect(secret).toMatch(SECRET);
  expect(await printJson("alert", "list", project)).toMatchObject([
    { id, kind: "webhook", on: ["incident", "ship"], state: "active" },
  ]);
  receiver.reply("failing", 500);
  const tried = await run(["alert", "test", id, "--json"]);
  expect(tried.exitCode).toBe(1);
  const failed = JSON.parse(tried.stdout) as { id: string; error: string };
  expect(failed).toMatchObject({ attempts: 1, error: "The target responded with 500." });
  await waitUntil("the server has tried it again by itself", async () => {
    const [delivery] = (await printJson("alert", "deliveries", id)) as { state: string }[];
    return delivery?.state === "sent";
  });
  expect(receiver.posted("failing").map(({ headers }) => headers["webhook-id"])).toEqual([
    failed.id,
    failed.id,
  ]);
  await print("alert", "remove", id);
});

test("other kinds have no secret; e-mails are French unless English is requested", async () => {
  const ids: string[] = [];
  for (const [kind, target] of [
    ["slack", receiver.at("slack")],
    ["discord", receiver.at("discord")],
    ["email", "Ops@Example.com"],
  ] as const) {
    const added = await add(kind, target);
    expect(added).toMatchObject({ kind, secret: null });
    ids.push(added.id);
    const { exitCode, stderr } = await run(["alert", "rotate", added.id]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("no secret to rotate")]);
  }
  const [slack = "", , french = ""] = ids;
  const { id: english } = await add("email", "team@example.com", "--language", "en");
  const listed = await printRows("alert", "list", project);
  expect(listed.map(([, kind, host]) => [kind, host])).toEqual([
    ["slack", new URL(receiver.url).host],
    ["discord", new URL(receiver.url).host],
    ["email", "o...s@example.com"],
    ["email", "t...m@example.com"],
  ]);
  expect(refused(await run(["alert", "test", french]), 1)).toContain("accept");
  for (const address of ["ops@example.com", "team@example.com"]) await accept(address);
  for (const id of [slack, french, english])
    expect((await printRows("alert", "test", id))[0]?.[2]).toBe("sent");
  expect((await relay.lastTo("ops@example.com", 2)).text).toContain("Ceci est un test");
  expect((await relay.lastTo("team@example.com", 2)).text).toContain("This is a test");
  const words = ["alert", "add", project, "slack", "--target-stdin"];
  const { stdout } = await run(words, {}, receiver.at("slack"));
  expect(stdout).toMatch(/^alr_[0-9A-Za-z]{20}\n$/);
});

describe("a server that lacks something says how to configure it", () => {
  test("no e-mail without a relay", async () => {
    const other = await createTestDatabase();
    const on = (...words: string[]) => runServerCommand(words, other.env);
    await on("account", "add", ANN, "--plan", "pro");
    const { stdout } = await on("project", "add", ANN, "--name", "x", "--url", receiver.url);
    const added = await on("alert", "add", stdout.trim(), "email", ANN);
    expect(refused(added, 1)).toContain("SHIPSCORE_SMTP_URL");
    await other.drop();
  });

  test.runIf(inject("database") === "postgres")("no secret without a key", async () => {
    const words = ["alert", "add", project, "webhook", "--target-stdin"];
    const keyless = { SHIPSCORE_SECRET_KEY: "" };
    const stderr = refused(await run(words, keyless, receiver.at("keyless")), 1);
    expect(stderr).toContain("SHIPSCORE_SECRET_KEY");
    expect(stderr).toContain("openssl rand -base64 32");
  });
});
