import { beforeAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { useFiles } from "../harness/database.ts";
import { startMailRelay } from "../harness/mail.ts";
import { refused, runOrThrow, runServerCommand } from "../harness/process.ts";
import { use } from "../harness/use.ts";

const ANN = "ann@example.com";
const HERE = "https://127.0.0.1:9";
const PATHS = ["/a", "/b", "/c"].map((path) => HERE + path);
const TARGET = `${HERE}/secret-target`;

const database = useFiles();
const relay = use(startMailRelay);
const envOf = (more: Record<string, string> = {}) => ({ ...database.env, ...relay.env, ...more });

const run = (content: unknown, words: readonly string[] = [], more: Record<string, string> = {}) =>
  runServerCommand(["apply", "-", ...words], envOf(more), {
    input: typeof content === "string" ? content : stringify(content),
  });
async function apply(content: unknown, words: readonly string[] = []): Promise<string[]> {
  const ran = await run(content, words, { OPS_URL: TARGET });
  expect([ran.exitCode, ran.stderr]).toEqual([0, ""]);
  return ran.stdout.trimEnd().split("\n");
}
const print = (...words: string[]) => runOrThrow(words, envOf());
const exported = async (email = ANN) =>
  parse(await print("export", email)) as Record<string, unknown>;
const file = (...projects: unknown[]) => ({ version: 1, account: ANN, projects });

const SHOP = {
  name: "Shop",
  url: `${HERE}/`,
  urls: [PATHS[0], PATHS[1]],
  interval: 120,
  failures: 3,
  hooks: [{ name: "deploys", provider: "github" }],
  alerts: [
    { name: "Ops", kind: "webhook", target: { env: "OPS_URL" }, on: ["incident", "ship"] },
    { name: "Ann", kind: "email", target: ANN, after: 5 },
  ],
};

beforeAll(async () => {
  for (const email of [ANN, "ben@example.com"])
    await print("account", "add", email, "--plan", "team");
});

describe("rejected", () => {
  const shop = (more: object) => file({ ...SHOP, ...more });

  test.each<[what: string, content: unknown, exitCode: 1 | 2, sentence: string]>([
    ["what is no YAML", "projects: [", 2, "The input: Flow sequence"],
    ["an empty file", "", 2, "The input: Invalid input: expected object"],
    ["another version", { ...file(), version: 2 }, 2, "The input, version: "],
    ["an unknown member", { ...file(), owner: ANN }, 2, 'Unrecognized key: "owner"'],
    [
      "an unknown member of a project",
      shop({ ulrs: [] }),
      2,
      'projects[0]: Unrecognized key: "ulrs"',
    ],
    [
      "an unknown member of a hook",
      shop({ hooks: [{ name: "x", provider: "github", secret: "s" }] }),
      2,
      'projects[0].hooks[0]: Unrecognized key: "secret"',
    ],
    [
      "a name that is there twice",
      file(SHOP, SHOP),
      2,
      "projects: Names must be unique, and one of these appears twice.",
    ],
    [
      "an unknown provider",
      shop({ hooks: [{ name: "x", provider: "heroku" }] }),
      2,
      "projects[0].hooks[0].provider: The provider must be one of",
    ],
    [
      "an unknown occasion",
      shop({ alerts: [{ name: "x", kind: "email", on: ["rain"] }] }),
      2,
      "projects[0].alerts[0].on[0]: An alert is sent for",
    ],
    [
      "a target's URL",
      shop({ alerts: [{ name: "x", kind: "slack", target: TARGET }] }),
      2,
      "A target must be an e-mail address, or { env: NAME }",
    ],
    [
      "no address of a new project",
      file({ name: "New" }),
      2,
      "There is no project New yet. Add its url.",
    ],
    [
      "no target of a new alert",
      shop({ alerts: [{ name: "x", kind: "email" }] }),
      2,
      "There is no alert x yet. Add its target.",
    ],
    [
      "a variable that is not set",
      shop({}),
      2,
      "The variable OPS_URL, which contains the target of a new alert, is not set.",
    ],
    [
      "an account that is not there",
      { ...file(), account: "carol@example.com" },
      1,
      "There is no account for carol@example.com.",
    ],
    [
      "a URL that no check may visit",
      shop({ alerts: [], urls: ["https://10.0.0.1/"] }),
      1,
      "10.0.0.1",
    ],
    ["a file that is not there", "", 1, "There is no file"],
  ])("%s", async (what, content, exitCode, sentence) => {
    const ran = what.startsWith("a file")
      ? await runServerCommand(["apply", "/nowhere.yaml"], envOf())
      : await run(content);
    const said = refused(ran, exitCode);
    expect(said).toContain(sentence);
    expect(said).not.toContain("secret-target");
    expect((await exported())["projects"]).toEqual([]);
  });
});

test("a project that fails halfway is not created", async () => {
  const hooks = Array.from({ length: 21 }, (_, index) => ({
    name: `h${index}`,
    provider: "plain",
  }));
  const ran = await run(file({ ...SHOP, alerts: [], hooks }));
  expect(refused(ran, 1)).toContain("has 20 incoming webhooks, which is the limit");
  expect((await exported())["projects"]).toEqual([]);
});

const ALL = [
  "+ project Shop",
  `+ Shop: URL ${PATHS[0]}`,
  `+ Shop: URL ${PATHS[1]}`,
  "+ Shop: incoming webhook deploys",
  "+ Shop: alert Ops",
  "+ Shop: alert Ann",
];

test("a plan lists the changes, needs no target and does nothing", async () => {
  const ran = await run(file(SHOP), ["--plan"]);
  expect([ran.exitCode, ran.stdout.trimEnd().split("\n")]).toEqual([
    0,
    [...ALL, "Plan: 6 to add, 0 to change, 0 to remove"],
  ]);
  expect((await exported())["projects"]).toEqual([]);
});

test("applying a file creates its contents, and does nothing the second time", async () => {
  expect(await apply(file(SHOP))).toEqual([...ALL, "Applied: 6 to add, 0 to change, 0 to remove"]);
  expect(await apply(file(SHOP))).toEqual(["No change"]);
  expect(await apply(JSON.stringify(file(SHOP), undefined, "\t"))).toEqual(["No change"]);
  expect(await exported()).toMatchObject({
    version: 1,
    account: ANN,
    projects: [
      {
        name: "Shop",
        urls: SHOP.urls,
        interval: 120,
        failures: 3,
        hooks: [{ ...SHOP.hooks[0], repository: null, api: null }],
        alerts: [
          { name: "Ann", kind: "email", on: ["incident", "drop"], after: 5, remind: null },
          { name: "Ops", kind: "webhook", on: ["incident", "ship"] },
        ],
      },
    ],
  });
});

test("an export applied again changes nothing, and holds no id, secret or target", async () => {
  const text = await print("export", ANN);
  expect(text).not.toMatch(/secret|target|prj_|hook_|alr_|whsec_/);
  expect(await apply(text, ["--prune"])).toEqual(["No change"]);
  const json = await print("export", ANN, "--format", "json");
  expect(JSON.parse(json)).toEqual(parse(text));
  expect(await print("export", ANN, "--json")).toBe(json);
  expect(refused(await runServerCommand(["export", ANN, "--format", "xml"], envOf()), 2)).toContain(
    "The format must be yaml or json.",
  );
});

test("only differences change, and only --prune removes", async () => {
  const next = file(
    {
      name: "Shop",
      url: PATHS[0],
      urls: [PATHS[2]],
      failures: 2,
      hooks: [],
      alerts: [{ name: "Ops", kind: "webhook", on: ["drop"] }],
    },
    { name: "Blog", url: `${HERE}/blog` },
  );
  const lines = [
    `~ project Shop, url ${HERE}/ -> ${PATHS[0]}, failures 3 -> 2`,
    `+ Shop: URL ${PATHS[2]}`,
    '~ Shop: alert Ops, on ["incident","ship"] -> ["drop"]',
    "+ project Blog",
  ];
  expect(await apply(next)).toEqual([...lines, "Applied: 2 to add, 2 to change, 0 to remove"]);
  expect(await exported()).toMatchObject({
    projects: [
      { name: "Blog" },
      { name: "Shop", url: PATHS[0], urls: [PATHS[1], PATHS[2]], hooks: [{ name: "deploys" }] },
    ],
  });
  const pruned = await run({ ...next, projects: next.projects.slice(0, 1) }, ["--prune", "--json"]);
  expect(JSON.parse(pruned.stdout)).toEqual({
    add: 0,
    change: 0,
    remove: 4,
    changes: [
      { action: "remove", what: "project", project: "Blog", name: "Blog" },
      { action: "remove", what: "url", project: "Shop", name: PATHS[1] },
      { action: "remove", what: "hook", project: "Shop", name: "deploys" },
      { action: "remove", what: "alert", project: "Shop", name: "Ann" },
    ],
  });
  expect(await apply(next)).toEqual([
    "+ project Blog",
    "Applied: 1 to add, 0 to change, 0 to remove",
  ]);
});

test("an object created without the file gets a name in it: its own, or its kind", async () => {
  const id = await print("project", "add", "ben@example.com", "--name", "Old", "--url", `${HERE}/`);
  for (const provider of ["github", "plain", "github"]) await print("hook", "add", id, provider);
  for (const label of ["", "github", ""])
    await runOrThrow(
      ["alert", "add", id, "slack", "--target-stdin", "--label", label],
      envOf(),
      TARGET,
    );
  const { projects } = await exported("ben@example.com");
  expect(projects).toMatchObject([
    {
      hooks: [{ name: "github" }, { name: "github 2" }, { name: "plain" }],
      alerts: [{ name: "github" }, { name: "slack" }, { name: "slack 2" }],
    },
  ]);
  const content = { version: 1, account: "ben@example.com", projects };
  expect(await apply(content, ["--prune"])).toEqual(["No change"]);
  await print("project", "add", "ben@example.com", "--name", "Old", "--url", PATHS[0] ?? "");
  expect(refused(await run(content), 1)).toContain("owns two projects with the name Old");
});

test("a recipient outside the project must confirm once it is created, but not if it is rejected", async () => {
  const alerts = [{ name: "Guest", kind: "email", target: "guest@example.net" }];
  const hooks = Array.from({ length: 21 }, (_, index) => ({
    name: `h${index}`,
    provider: "plain",
  }));
  const asking = { name: "Asking", url: `${HERE}/`, alerts };
  expect(refused(await run(file({ ...asking, hooks })), 1)).toContain("20 incoming webhooks");
  expect(relay.received.filter(({ to }) => to.includes("guest@example.net"))).toEqual([]);
  await apply(file(asking));
  expect((await relay.lastTo("guest@example.net")).text).toContain("/subscribe/");
});

test("a webhook whose repository needs a credential is listed with the command that sets it", async () => {
  const hooks = [{ name: "ci", provider: "github", repository: "acme/shop" }];
  const asked = file({ name: "Reporting", url: `${HERE}/`, hooks });
  await run(asked);
  const { stdout, stderr } = await run(asked);
  expect(stdout).toBe("No change\n");
  expect(stderr).toMatch(
    /^Reporting: the incoming webhook ci does not report statuses to acme\/shop\. .*: shipscore-server hook reporting hook_\w+ acme\/shop --token-stdin\n$/,
  );
});

test("a gate and previews change member by member, and are removed for null with --prune", async () => {
  const until = `${new Date().getUTCFullYear() + 1}-01-01`;
  const accept = [{ rule: "hdr.csp", pages: null, reason: "A report first", until }];
  const gated = (gate: object | null, previews: object | null = null) =>
    file({ name: "Gated", url: `${HERE}/`, gate, previews });
  const wrong = await run(gated({ minScore: 101 }));
  expect(refused(wrong, 2)).toContain("projects[0].gate.minScore: Enter a whole number");
  const gate = {
    minScore: 0,
    minCategory: { headers: 10 },
    require: ["tls"],
    failOnNew: true,
    accept,
  };
  expect(await apply(gated(gate, { hosts: ["gated-*.vercel.app"] }))).toContain(
    '+ Gated: previews, hosts none -> ["gated-*.vercel.app"]',
  );
  expect(await apply(await print("export", ANN))).toEqual(["No change"]);
  expect(await apply(gated({ minScore: 90, require: [], accept: [] }))).toEqual([
    '~ Gated: gate, minScore 0 -> 90, require ["tls"] -> none',
    "Applied: 0 to add, 1 to change, 0 to remove",
  ]);
  const { projects } = (await exported()) as { projects: { name: string }[] };
  expect(projects.find(({ name }) => name === "Gated")).toMatchObject({
    gate: { minScore: 90, minCategory: { headers: 10 }, require: null, failOnNew: true, accept },
    previews: { hosts: ["gated-*.vercel.app"] },
  });
  expect(await apply(gated(null))).toEqual(["No change"]);
  expect(await apply(gated(null), ["--prune"])).toEqual(
    expect.arrayContaining(["- Gated: gate", "- Gated: previews"]),
  );
});

test("a status page is turned on with its labels, changed and turned off", async () => {
  const shown = (statusPage: object | null) => file({ name: "Shown", url: `${HERE}/`, statusPage });
  const page = { name: "shown", title: null, urls: { [`${HERE}/`]: "Shop" } };
  const elsewhere = { ...page, urls: { "https://elsewhere.example/": "Shop" } };
  expect(refused(await run(shown(elsewhere)), 1)).toContain("https://elsewhere.example/");
  expect(refused(await run(shown({ ...page, name: "S" })), 2)).toContain("statusPage.name");
  expect(await apply(shown(page))).toContain(
    `+ Shown: status page, name none -> shown, urls none -> {"${HERE}/":"Shop"}`,
  );
  expect(await apply(await print("export", ANN))).toEqual(["No change"]);
  expect(await apply(shown({ ...page, score: true }))).toEqual([
    "~ Shown: status page, score false -> true",
    "Applied: 0 to add, 1 to change, 0 to remove",
  ]);
  expect(await apply(shown(null), ["--prune"])).toContain("- Shown: status page");
});
