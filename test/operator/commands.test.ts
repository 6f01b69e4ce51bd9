import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { useFiles } from "../harness/database.ts";
import { runOrThrow, runServerCommand, refused } from "../harness/process.ts";
import { useServerOn } from "../harness/server.ts";
import { sendRequest } from "../harness/request.ts";
import { startSlowSite } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";

const ANN = "ann@example.com";
const BEN = "ben@example.com";
const UNKNOWN = "prj_00000000000000000000";
const BADGE_PATH = /^\/badge\/[0-9A-Za-z]{22}\.svg\n$/;

let project: string;

const run = (...words: string[]) => runServerCommand(words, database.env);
const print = (...words: string[]) => runOrThrow(words, database.env);
const printRows = async (...words: string[]) =>
  (await print(...words)).split("\n").map((line) => line.split("\t"));

const database = useFiles();
const site = use(startSlowSite);
const server = useServerOn(database);
beforeAll(async () => {
  expect(await print("account", "add", "Ann@Example.com", "--plan", "pro")).toMatch(
    /^acc_[0-9A-Za-z]{20}$/,
  );
  await print("account", "add", BEN, "--plan", "free");
  project = await print("project", "add", ANN, "--name", "Shop", "--url", site.url);
  expect(project).toMatch(/^prj_[0-9A-Za-z]{20}$/);
});

describe("a usage error is exit 2 and one sentence on stderr", () => {
  test.each<[words: string[], sentence: string]>([
    [["account", "add", ANN], "--plan"],
    [["account", "add", ANN, "--plan", "gold"], "The plan must be one of free, pro, team."],
    [["account", "add", "ann", "--plan", "pro"], "ann is not an e-mail address."],
    [["token", "add", ANN], "--name"],
    [["token", "add", ANN, "--name", " "], "The name is empty."],
    [["token", "add", ANN, "--name", "a\tb"], "The name contains control characters."],
    [["project", "add", ANN, "--name", "x"], "--url"],
    [
      ["deployment", "add", UNKNOWN, "--url", "https://x/", "--environment", "Big One"],
      "The environment must be one word",
    ],
    [
      ["deployment", "add", UNKNOWN, "--url", "https://x/", "--ref", ""],
      "A commit or ref must be one line",
    ],
    [["account", "rename", ANN], "unknown command"],
    [["account", "remove", ANN], "Add --yes"],
    [["account", "edit", ANN], "--plan"],
    [["account", "quota", ANN, "many"], "The quota must be a whole number"],
    [["account", "quota", ANN, "-1"], "The quota must be a whole number"],
    [["project", "edit", UNKNOWN], "There is nothing to edit. Use one of the options that --help"],
    [["gate", "edit", UNKNOWN], "There is nothing to edit. Use one of the options that --help"],
    [["accounts"], "(Did you mean account?)"],
    [["account", "list", "--jsn"], "(Did you mean --json?)"],
  ])("%j", async (words, sentence) => {
    const stderr = refused(await run(...words), 2);
    expect(stderr).toMatch(/^shipscore-server: /);
    expect(stderr).toContain(sentence);
  });
});

describe("a refused operation is exit 1 and says what to do", () => {
  const fill = (text: string) => text.replace("PROJECT", project).replace("ADDRESS", site.url);
  test.each<[words: string, sentence: string]>([
    [`account add ${ANN} --plan pro`, "An account for ann@example.com already exists."],
    [`account edit eve@example.com --plan pro`, "account add eve@example.com"],
    [`token add eve@example.com --name x`, "There is no account for eve@example.com."],
    [`token remove tok_00000000000000000000`, "There is no token tok_00000000000000000000."],
    [`project add ${ANN} --name x --url http://example.com/`, "https://"],
    [`project add ${ANN} --name x --url https://10.0.0.1/`, "private"],
    [`project edit ${UNKNOWN} --name x`, `There is no project ${UNKNOWN}.`],
    [`project edit PROJECT --url http://example.com/`, "https://"],
    [`project remove ${UNKNOWN} --name Shop`, `There is no project ${UNKNOWN}.`],
    [
      `project remove PROJECT --name shop`,
      "This is not the name of PROJECT, so nothing was deleted.",
    ],
    [`project share ${UNKNOWN} ${BEN}`, "shipscore-server project list"],
    [`project share PROJECT ${ANN}`, `${ANN} already owns PROJECT.`],
    [`project accept PROJECT ${BEN}`, `${BEN} has no invitation to PROJECT.`],
    [`project unshare PROJECT ${BEN}`, `PROJECT is not shared with ${BEN}.`],
    [`project watch ${UNKNOWN} https://example.com/`, `There is no project ${UNKNOWN}.`],
    [`project unwatch PROJECT ADDRESS`, "or it is the project's own URL, which is always watched"],
    [`project badge ${UNKNOWN}`, `There is no project ${UNKNOWN}.`],
    [`project badge ${UNKNOWN} --off`, `There is no project ${UNKNOWN}.`],
    [`deployment add ${UNKNOWN} --url https://example.com/`, `There is no project ${UNKNOWN}.`],
    ["deployment show dep_unknown", "There is no deployment dep_unknown."],
  ])("%s", async (words, sentence) => {
    const stderr = refused(await run(...fill(words).split(" ")), 1);
    expect(stderr).toMatch(/^shipscore-server: [^\n]+\.?\n$/);
    expect(stderr).toContain(fill(sentence));
  });
});

test("an alert has the language of its project's owner, unless another is given", async () => {
  const email = "tess@example.com";
  await server.perform("account add", { email, plan: "free" });
  await server.sql`update accounts set language = 'en' where email = ${email}`;
  const url = "https://127.0.0.1:9/";
  const { id } = await server.perform<{ id: string }>("project add", { email, name: "Tea", url });
  const alert = { project: id, kind: "webhook", target: url, on: "incident" };
  await server.perform("alert add", { ...alert, label: "A" });
  await server.perform("alert add", { ...alert, label: "B", language: "fr" });
  const alerts = ["C", "D"].map((name) => {
    const other = name === "D" && { language: "fr" };
    return { name, kind: "webhook", target: { env: "URL" }, ...other };
  });
  const projects = [{ name: "Tea", url, alerts }];
  const targets = { URL: url };
  await server.perform("apply", { content: { version: 1, account: email, projects }, targets });
  const listed = await server.perform<{ label: string; language: string }[]>("alert list", {
    project: id,
  });
  expect(listed.map(({ label, language }) => `${label} ${language}`).toSorted()).toEqual([
    "A en",
    "B fr",
    "C en",
    "D fr",
  ]);
  const file = await server.perform<{ projects: { alerts: { name: string }[] }[] }>("export", {
    email,
    format: "json",
  });
  const byName = file.projects[0]?.alerts.toSorted((one, two) => one.name.localeCompare(two.name));
  expect(byName).toMatchObject([
    { name: "A", language: "en" },
    { name: "B", language: "fr" },
    { name: "C", language: "en" },
    { name: "D", language: "fr" },
  ]);
  await server.perform("project remove", { id, name: "Tea" });
  await server.perform("account remove", { email });
});

test("token add prints only the token; the list shows everything else", async () => {
  const token = await print("token", "add", BEN, "--name", "ci main");
  expect(token).toMatch(/^psk_[0-9A-Za-z]{40}$/);
  const created = JSON.parse(await print("token", "add", BEN, "--name", "other", "--json")) as {
    id: string;
    token: string;
  };
  expect(Object.keys(created)).toEqual(["id", "name", "token"]);
  expect(await print("token", "remove", created.id)).toBe(created.id);
  const rows = await printRows("token", "list", BEN);
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(rows).toEqual(
    [
      [expect.stringMatching(/^tok_/), "ci main", date],
      [created.id, "other", date, "", date],
    ].map((row) => expect.arrayContaining(row)),
  );
  expect(JSON.stringify(rows)).not.toContain("psk_");
  const listed = JSON.parse(await print("token", "list", BEN, "--json")) as object[];
  expect(listed[0]).toEqual({
    id: rows[0]?.[0],
    name: "ci main",
    createdAt: date,
    lastUsedAt: null,
    revokedAt: null,
  });
});

test("account list shows plan, used/limit and active tokens, and a new plan", async () => {
  expect(await print("account", "edit", ANN, "--plan", "team")).toBe("team");
  const rows = await printRows("account", "list");
  expect(rows[0]).toEqual([ANN, "team", "0/1000", "0", "", expect.stringMatching(/^acc_/)]);
  const accounts = JSON.parse(await print("account", "list", "--json")) as object[];
  expect(accounts[1]).toEqual(
    expect.objectContaining({ email: BEN, plan: "free", used: 0, limit: 30, activeTokens: 1 }),
  );
});

test("a project is edited and deleted", async () => {
  const id = await print("project", "add", BEN, "--name", "Old", "--url", site.url);
  const edit = ["--name", "New", "--url", `${site.url}new`];
  expect(await print("project", "edit", id, ...edit)).toBe(id);
  const listed = async () => (await printRows("project", "list")).filter(([each]) => each === id);
  expect((await listed())[0]?.slice(0, 5)).toEqual([id, "unknown", "New", `${site.url}new`, BEN]);
  expect(await print("project", "remove", id, "--name", "New")).toBe(id);
  expect(await listed()).toEqual([]);
});

test("a project is shared, accepted and unshared", async () => {
  const membersOf = async () => (await printRows("project", "list"))[0];
  expect(await membersOf()).toEqual([project, "unknown", "Shop", site.url, ANN]);
  await print("project", "share", project, BEN);
  expect(await membersOf()).toEqual([project, "unknown", "Shop", site.url, ANN, "", BEN]);
  await print("project", "accept", project, BEN);
  const [listed] = JSON.parse(await print("project", "list", "--json")) as object[];
  expect(listed).toEqual(expect.objectContaining({ id: project, members: [BEN], invited: [] }));
  await print("project", "unshare", project, BEN);
  expect(await membersOf()).toEqual([project, "unknown", "Shop", site.url, ANN]);
});

test("a badge keeps its URL until it is turned off", async () => {
  const on = await run("project", "badge", project);
  expect([on.exitCode, on.stdout]).toEqual([0, expect.stringMatching(BADGE_PATH)]);
  expect(on.stderr).toMatch(
    /^Set SHIPSCORE_PUBLIC_URL .*\nAnyone who knows .*\n!\[Ship Score\]\(\/badge\/.*\)\n$/,
  );
  const path = on.stdout.trim();
  expect(await print("project", "badge", project)).toBe(path);
  expect(JSON.parse(await print("project", "badge", project, "--json"))).toEqual({
    id: project,
    url: path,
  });
  expect((await sendRequest(server.url, path)).status).toBe(200);

  for (const time of [1, 2]) {
    const off = await run("project", "badge", project, "--off");
    expect([time, off.exitCode, off.stdout]).toEqual([time, 0, ""]);
    expect(off.stderr).toBe("The badge is off. If you turn it on again, it gets a new URL.\n");
  }
  expect((await sendRequest(server.url, path)).status).toBe(404);
  expect(JSON.parse(await print("project", "badge", project, "--off", "--json"))).toEqual({
    id: project,
    url: null,
  });
  expect(await print("project", "badge", project)).not.toBe(path);
});

test("round prints one line per watched URL and per deployment", async () => {
  await server.stop();
  await print("project", "watch", project, `${site.url}shop`);
  const record = ["deployment", "add", project, "--url", site.url];
  const deployment = await print(...record, "--commit", "abc", "--ref", "main");
  expect(deployment).toMatch(/^dep_/);
  const rows = await printRows("round");
  expect(rows.map(([, , kind, url]) => `${kind} ${url}`).toSorted()).toEqual([
    `deployment ${site.url}`,
    `look ${site.url}`,
    `look ${site.url}shop`,
  ]);
  expect(await print("project", "unwatch", project, `${site.url}shop`)).toMatch(/^url_/);
  const failing = await run(...record, "--wait");
  expect([failing.exitCode, failing.stderr]).toEqual([1, "Score 20, do not ship.\n"]);
  const waited = failing.stdout.trimEnd();
  expect(waited).toMatch(/^dep_/);
  expect((await printRows("deployment", "list", project)).map(([id]) => id)).toEqual([
    waited,
    deployment,
  ]);
  expect(await printRows("project", "urls", project)).toEqual([
    [
      expect.stringMatching(/^url_/),
      expect.stringMatching(/up|failing|unknown/),
      expect.any(String),
      "",
      "",
      site.url,
    ],
  ]);
  expect((await print("project", "show", project)).startsWith(`${project}\t`)).toBe(true);
  expect(await printRows("deployment", "show", waited)).toEqual([
    ["verified", expect.stringMatching(/^\d+$/), expect.any(String), "1", site.url],
  ]);
  expect(JSON.parse(await print("round", "--json"))).toEqual([
    expect.objectContaining({ kind: "look", projectId: project }),
  ]);
});

test("an account's own quota overrides its plan's and is in the list", async () => {
  await print("account", "quota", BEN, "50000");
  expect((await printRows("account", "show", BEN))[0]?.[2]).toBe("0/50000");
  await print("account", "quota", BEN, "plan");
  expect((await printRows("account", "list"))[1]?.[2]).toBe("0/30");
  expect(await print("audit")).toMatch(/account\.quota_changed[^\n]*to=plan\n[^\n]*to=50000/);
});

test("a missing data directory is refused and not created", async () => {
  const dataDir = join(tmpdir(), `shipscore-typo-${process.pid}`);
  for (const words of [["project", "list"], ["round"], ["audit"]]) {
    const stderr = refused(await runServerCommand([...words, "--data-dir", dataDir], {}), 1);
    expect(stderr).toContain(`There is no database in ${dataDir}.`);
  }
  expect(existsSync(dataDir)).toBe(false);
});

test.each([["--help"], ["help"], ["token", "--help"], ["alert", "--help"], ["exec", "--help"]])(
  "%s %s is on stdout, at most 80 wide",
  async (...words) => {
    const { exitCode, stdout, stderr } = await run(...words.filter((word) => word !== undefined));
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
  },
);
