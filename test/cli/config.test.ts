import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runCli, runOnTerminal, runShell, TOKEN } from "../harness/cli.ts";
import {
  CHECK,
  json,
  LAST_SHIP,
  PROJECTS,
  startContractDouble,
} from "../harness/contract-double.ts";
import { useFolder, use } from "../harness/use.ts";

const folder = useFolder();
const COMMAND = fileURLToPath(new URL("../../bin/shipscore.js", import.meta.url));
const SITE = "https://a.example";

/** Answers each page with a score of 59, and the last ship of a project with 88. */
const server = use(() =>
  startContractDouble((request, response, count) => {
    const { url } = JSON.parse(request.body || "{}") as { url?: string };
    const value = request.path.endsWith("/last-ship") ? LAST_SHIP : PROJECTS;
    json(url === undefined ? value : { ...CHECK, url, finalUrl: url })(request, response, count);
  }),
);

async function write(config: unknown, name = "shipscore.json"): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, typeof config === "string" ? config : JSON.stringify(config, null, 2));
  return file;
}

async function check(config: unknown, ...args: string[]) {
  const before = server.requests.length;
  const ran = await runCli(["check", "--config", await write(config), ...args], server.env);
  const requests = server.requests.slice(before);
  const urls = requests.flatMap(({ body }) =>
    body ? (JSON.parse(body) as { url: string }).url : [],
  );
  return { ...ran, requests, urls };
}

/** A text with ¶ for line ends, and what is said of it; $CHECK, $TOKEN and $SITE stand for what is long. */
const REFUSED = String.raw`
{ "site":                                        => :1:10: the text ends where a value is expected.
{¶  "pages": ["/",]¶}                            => :2:17: there is ] where a value is expected.
{ // "a": 1¶}                                    => :1:3: this is not JSON.
{¶ "gate": { "maxDrop": 1,¶  "maxDrop": 9 } }    => :3:3: "maxDrop" occurs twice.
{¶  "sites": "x"¶}                               => :2:3: there is no member "sites". Did you mean site?
{ "gate": {¶  "minscore": 80 } }                 => :2:3: there is no member "minscore" in gate. Did you mean minScore?
{ "gate": {¶  "minScore": "80" } }               => :2:15: gate.minScore cannot be "80". Use a whole number from 0 to 100
{ "gate": { "maxDrop": 101 } }                   => :1:24: gate.maxDrop cannot be 101.
{ "gate": { "minCategory": { "header": 1 } } }   => no member "header" in gate.minCategory. Did you mean headers?
{ "gate": { "minCategory": { "tls": 99 } } }     => tls is worth 16 points, so it can never earn 99.
{ "gate": { "require": ["tls", "hdr.cps"] } }    => :1:32: there is no rule 'hdr.cps'. Did you mean hdr.csp?
{ "gate": { "failOnNew": true } }                => :1:11: failOnNew has no baseline to compare with. Add baseline FILE.
{ "site": "$SITE/shop" }                         => site cannot be "$SITE/shop". Use the site's origin
{ "site": "http://a.example" }                   => Use the site's origin, such as https://example.com.
{ "pages": ["//b.example/"] }                    => :1:13: pages.0 cannot be "//b.example/". Use a path
{ "pages": [{ "path": "/", "gates": {} }] }      => no member "gates" in pages.0. Did you mean gate?
{ "pages": ["/", { "path": "/" }] }              => :1:18: the page / is listed twice.
{ "pages": [{ "path": "/é", "gate": {} }, "/%C3%A9"] } => :1:43: the page /%C3%A9 is listed twice.
{ "pages": ["/x?key=hunter2", "/x?key=hunter2"] } => the page /x is listed twice.
{ "site": "https://u:hunter2@a.example" }        => site cannot be "https://a.example". Use the site's origin
{ "site" "hunter2" }                             => there is a string where : is expected.
{ "__proto__": { "a": 1 } }                      => :1:3: there is no member "__proto__".
{ "gate": { "minCategory": { "constructor": 1 } } } => there is no member "constructor" in gate.minCategory.
{ "reports": { "junit": "shipscore.json" } }     => shipscore.json is read by this run. Use a separate file for the report.
{ "gate": { "baseline": "b" }, "reports": { "json": "b" } } => is read by this run.
{ "reports": { "sarf": "a" } }                   => no member "sarf" in reports. Did you mean sarif?
{ "reports": { "sarif": "a", "html": "./a" } }   => is the file of two reports.
{ "accept": [{ "rule": "hdr.csp", "reason": "old" }] } => :1:14: accept.0.until is missing. Use the last day on which it holds
{ "accept": [{ "rule": "hdr.csp", "reason": "old", "until": "2027-02-30" }] } => accept.0.until cannot be "2027-02-30".
{ "accept": [{ "rule": "hdr.csp", "reason": "old", "until": "2999-01-01" }] } => until 2999-01-01 is more than a year from now.
{ "accept": [{ "rule": "reach.dns", "reason": "old", "until": "2026-01-01" }] } => reach.dns cannot be accepted
$CHECK                                           => is a result that --save wrote, not a settings file. Save results under another name
{ "site": "$TOKEN" }                             => contains a token. Keep it only in SHIPSCORE_TOKEN
[]                                               => :1:1: the file cannot be []. Use an object.
{}                                               => has no site. Add "site": "https://example.com" to it, or use --site ORIGIN.
`;
const LONG: Readonly<Record<string, string>> = { CHECK: JSON.stringify(CHECK), TOKEN, SITE };

describe("a file is rejected before anything is sent, with the position:", () => {
  test.each(REFUSED.trim().split("\n"))("%s", async (line) => {
    const [text = "", sentence = ""] = line
      .split(/ *=> /)
      .map((part) =>
        part.replaceAll("¶", "\n").replace(/\$([A-Z]+)/g, (_, name: string) => LONG[name] ?? ""),
      );
    const { exitCode, stdout, stderr, requests } = await check(text);
    expect([exitCode, stdout, requests.length]).toEqual([2, "", 0]);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toMatch(/psk_|hunter2/);
  });

  test.each([
    ["--config nonesuch.json", "nonesuch.json cannot be read (ENOENT). Write one with"],
    ["https://a.example/ --site https://b.example", "--site applies only to the pages of a file."],
    ["https://a.example/ --limit 2", "--limit applies only to the pages of a file."],
    ["--site https://b.example/x", "Use an origin, such as https://example.com"],
    ["--ignore hdr.csp", "unknown option '--ignore'. Accept the finding: shipscore accept RULE"],
    ["https://a.example/ --min-category headers=99", "headers is worth 17 points, so it can never"],
  ])("a wrong flag is rejected: %s", async (line, sentence) => {
    const { exitCode, stderr } = await runCli(["check", ...line.split(" ")], server.env);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });
});

test("without pages, the site's first page is checked, under its gate", async () => {
  const { exitCode, stderr, urls } = await check({ site: SITE, gate: { minScore: 80 } });
  expect([exitCode, urls]).toEqual([1, [`${SITE}/`]]);
  expect(stderr).toMatch(/score 59\b.*80/);
});

test("flags override the file, and a page's conditions override the common ones", async () => {
  const gate = { minScore: 80, minCategory: { tls: 16, headers: 1 }, require: ["tls.chain"] };
  const pages = ["/", { path: "/app", gate: { minScore: 50, minCategory: { headers: 17 } } }];
  const conditionsOf = async (...flags: string[]) => {
    const { stdout } = await check({ site: SITE, pages, gate }, "--json", ...flags);
    const { checks } = JSON.parse(stdout) as {
      checks: { gate: { conditions: { asked: string }[] } }[];
    };
    return checks.map((one) => one.gate.conditions.map(({ asked }) => asked.replace("--", "")));
  };
  const common = ["min-category tls=16", "min-category headers=1", "require tls.chain"];
  const own = ["min-category tls=16", "min-category headers=17", "require tls.chain"];
  expect(await conditionsOf()).toEqual([
    ["min-score 80", ...common],
    ["min-score 50", ...own],
  ]);
  expect(await conditionsOf("--min-score", "10", "--min-category", "tls=5")).toEqual([
    ["min-score 10", "min-category tls=5", ...common.slice(1)],
    ["min-score 10", "min-category tls=5", ...own.slice(1)],
  ]);
});

test("with an explicit URL the file's gate applies, but not its pages", async () => {
  const config = { site: SITE, pages: ["/a", "/b"], gate: { minScore: 80 } };
  const { exitCode, urls } = await check(config, "https://b.example/");
  expect([exitCode, urls]).toEqual([1, ["https://b.example/"]]);
});

test("on another site, findings keep the names of the file's site", async () => {
  const report = join(folder, "elsewhere.sarif");
  const config = { site: SITE, pages: ["/a?b=1"], preview: true };
  const { requests } = await check(
    config,
    "--site",
    "https://b.example",
    "--report",
    `sarif=${report}`,
  );
  expect(JSON.parse(requests[0]?.body ?? "")).toMatchObject({
    url: "https://b.example/a?b=1",
    preview: true,
  });
  expect(await readFile(report, "utf8")).toContain('"uri": "a.example/a"');
});

test("one gate compares the score with a last deployment, and findings with a baseline", async () => {
  await write({ ...CHECK, url: `${SITE}/` }, "baseline.json");
  const gate = { failOnNew: true, baseline: "baseline.json", maxDrop: 5, project: "prj_2" };
  const ended = await check({ site: SITE, gate: { ...gate, missingBaseline: "pass" } }, "--json");
  const { conditions } = (JSON.parse(ended.stdout) as { gate: { conditions: object[] } }).gate;
  expect(conditions).toEqual([
    { asked: "--max-drop 5", met: false, text: expect.stringContaining("59, was 88") },
    { asked: "--fail-on-new", met: true, text: "nothing new since the baseline" },
  ]);
});

describe("of two baselines for the score, the narrower one wins:", () => {
  const DROPPED = `${SITE}/`;
  const shipped = { maxDrop: 50, project: "prj_2" };
  const saved = { maxDrop: 50, baseline: "seventy.json" };
  const both = { ...shipped, ...saved, failOnNew: true };
  test.each<[gate: object, own: object, flags: string, after: number]>([
    [shipped, {}, "", 88],
    [shipped, saved, "", 70],
    [shipped, { baseline: "seventy.json" }, "", 70],
    [saved, { project: "prj_2" }, "", 88],
    [shipped, {}, "--baseline $FOLDER/seventy.json", 70],
    [saved, {}, "--project prj_2", 88],
    [shipped, saved, "--project prj_2", 88],
    [saved, shipped, "--baseline $FOLDER/seventy.json", 70],
    [both, {}, "", 88],
    [{ maxDrop: 50 }, { baseline: "seventy.json" }, "", 70],
  ])("%j, %j, %s", async (gate, own, flags, after) => {
    await write({ ...CHECK, url: DROPPED, score: 70 }, "seventy.json");
    const args = flags.replace("$FOLDER", folder).split(" ").filter(Boolean);
    const config = { site: SITE, pages: [{ path: "/", gate: own }], gate };
    const { exitCode, stdout } = await check(config, "--json", ...args);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`score 59, was ${after};`)]);
  });

  test("a file with both is rejected", async () => {
    const { exitCode, stderr } = await check({ site: SITE, gate: { ...shipped, ...saved } });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("has two baselines")]);
  });
});

test.each<[config: object, flags: string, sentence: string]>([
  [{}, "", "has no site"],
  [{ site: SITE, pages: ["/", "/b"] }, `--as ${SITE}/`, "--as names one page"],
  [{ site: SITE, sitemap: {} }, "--limit 1000001", "Use a whole number from 0 to 1000000."],
  [{ site: SITE, sitemap: {} }, "", "SHIPSCORE_TARGET_HEADERS is not JSON"],
  [{ site: SITE }, "--urls $FOLDER/empty", "contains no URL"],
])(
  "an error in the file is reported before a missing token: %j %s",
  async (config, flags, said) => {
    await write("", "empty");
    const args = flags.replace("$FOLDER", folder).split(" ").filter(Boolean);
    const env = said.startsWith("SHIPSCORE") ? { SHIPSCORE_TARGET_HEADERS: "{" } : {};
    const ran = await runCli(["check", "--config", await write(config), ...args], env);
    expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining(said)]);
  },
);

describe("a path in the file stays in its folder:", () => {
  /** Folders and links beside the file; below `outside` is what no file of settings may reach. */
  const root = useFolder();
  const outside = join(root, "outside");
  const own = join(root, "checkout");
  const LINKS: Readonly<Record<string, string>> = {
    "out-file": "../outside/file.json",
    "out-folder": outside,
    "out-new": "../outside/new",
    "out-again": "out-new",
    "out-back": "in-folder/../../outside/file.json",
    loop: "loop",
    hooks: ".Git/hooks",
    "in-file": "deep/file.json",
    "in-folder": "deep",
    "in-new": "deep/new.json",
    "in-none": "deep/none",
    "in-far": "deep/a/b",
    "deep/a/b/in-new": "../../../new.json",
  };

  beforeAll(async () => {
    for (const name of ["outside", "checkout", "checkout/deep/a/b", "checkout/.Git/hooks"])
      await mkdir(join(root, name), { recursive: true });
    for (const file of [join(outside, "file.json"), join(own, "deep/file.json")])
      await writeFile(file, JSON.stringify({ ...CHECK, url: `${SITE}/` }));
    for (const [name, target] of Object.entries(LINKS)) await symlink(target, join(own, name));
  });

  async function checkOwn(config: object, ...args: string[]) {
    const before = server.requests.length;
    const file = join(own, "shipscore.json");
    await writeFile(file, JSON.stringify({ site: SITE, ...config }));
    const ran = await runCli(["check", "--config", file, ...args], server.env);
    return { ...ran, sent: server.requests.length - before };
  }

  const OUT = "is not a relative path inside the file's folder, without '..'";
  const GIT = "leads into .git";
  const REFUSED_PATHS: readonly [path: string, sentence: string][] = [
    ["$OUTSIDE/file.json", OUT],
    ["/dev/stdout", OUT],
    ["../outside/file.json", OUT],
    ["deep/../../checkout/a", OUT],
    ["deep/../a", OUT],
    ["..\\a", OUT],
    ["deep/.. /a", OUT],
    ["C:\\a", OUT],
    ["c:a", OUT],
    ["\\\\?\\C:\\a", OUT],
    ["a\u0000b", OUT],
    ["out-file", OUT],
    ["out-folder/a", OUT],
    ["out-folder/new/a", OUT],
    ["out-new", OUT],
    ["out-new/a/b", OUT],
    ["out-again", OUT],
    ["out-back", OUT],
    ["loop", "cannot be accessed (ELOOP)"],
    ["loop/a", "cannot be accessed (ELOOP)"],
    ["shipscore.json/a", "cannot be accessed (ENOTDIR)"],
    [".git", GIT],
    [".git/hooks/pre-commit", GIT],
    ["deep/er/.GIT/config", GIT],
    [".git. ./config", GIT],
    ["GIT~1\\config", GIT],
    [".git::$INDEX_ALLOCATION/config", GIT],
    [".g\u200cit/config", GIT],
    ["\ufeff.git/config", GIT],
    ["hooks/pre-commit", GIT],
  ];
  test.each(REFUSED_PATHS)(
    "%j is rejected as a report and as a baseline",
    async (path, sentence) => {
      const written = path.replace("$OUTSIDE", outside);
      const gate = { failOnNew: true, baseline: written };
      const configs = {
        "reports.markdown": { reports: { markdown: written } },
        "gate.baseline": { gate },
        "pages.1.gate.baseline": { pages: ["/", { path: "/a", gate }] },
      };
      for (const [member, config] of Object.entries(configs)) {
        const { exitCode, stderr, sent } = await checkOwn(config);
        expect([exitCode, sent]).toEqual([2, 0]);
        expect(stderr).toMatch(/^shipscore: \S+shipscore\.json:1:\d+: /);
        expect(stderr).toContain(`: ${member} ${sentence}. Use a path inside`);
      }
      expect(await readdir(outside)).toEqual(["file.json"]);
      expect(await readdir(join(own, ".Git/hooks"))).toEqual([]);
    },
  );

  test("a flag may name any path", async () => {
    const flags = ["--report", `markdown=${outside}/by-flag.md`, "--fail-on-new"];
    const { exitCode } = await checkOwn({}, ...flags, "--baseline", `${own}/out-file`);
    expect(exitCode).toBe(0);
    await rm(join(outside, "by-flag.md"));
  });

  test.each([
    "deep/new/a",
    ".github/a",
    "git/a",
    "a.git",
    "..a",
    "in-file",
    "in-folder/c",
    "in-new",
    "in-far/in-new",
  ])("%s is written", async (path) => {
    const { exitCode, stderr, sent } = await checkOwn({ reports: { markdown: path } });
    expect([exitCode, sent], stderr).toEqual([0, 1]);
    expect(await readFile(join(own, path), "utf8")).toContain(SITE);
  });

  test("a folder that cannot be created is rejected immediately", async () => {
    const { exitCode, stderr, sent } = await checkOwn({ reports: { html: "in-none/a" } });
    expect([exitCode, sent]).toEqual([74, 0]);
    expect(stderr).toContain("cannot be written (");
  });

  describe("a shipscore.json that links out of its folder is not written:", () => {
    const until = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    test.each<[line: string, target: string]>([
      ["init --url https://a.example/", "none.json"],
      ["init --url https://a.example/ --force", "file.json"],
      [`accept hdr.csp --reason old --until ${until}`, "settings.json"],
    ])("%s", async (line, name) => {
      const [linked, target] = [join(own, randomUUID()), join(outside, name)];
      if (name === "settings.json") await writeFile(target, "{}");
      const read = () => readFile(target, "utf8").catch(() => "none");
      const before = await read();
      await mkdir(linked);
      await symlink(target, join(linked, "shipscore.json"));
      const ran = await runShell(`cd ${linked} && node ${COMMAND} ${line}`, {});
      expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining(OUT)]);
      expect(await read()).toBe(before);
    });
  });
});

test("paths are relative to the file, folders of reports are made, and --report adds to them", async () => {
  const added = join(folder, "added.md");
  const config = { site: SITE, reports: { junit: "deep/er/junit.xml", html: "deep/page.html" } };
  expect((await check(config, "--report", `markdown=${added}`)).exitCode).toBe(0);
  for (const name of ["deep/er/junit.xml", "deep/page.html", "added.md"])
    expect(existsSync(join(folder, name)), name).toBe(true);
});

test("without a URL it is read from the current folder", async () => {
  await write({ site: SITE });
  const run = (line: string) => runShell(`cd ${folder}; ${line}`, server.env);
  expect((await run(`node ${COMMAND} check`)).stdout).toContain(`\t${SITE}/\t`);
  expect((await run(`node ${COMMAND} check --min-score 60`)).exitCode).toBe(1);
});

describe("init", () => {
  const run = (flags: string, own = folder) =>
    runShell(`cd ${own}; node ${COMMAND} init ${flags}`, {});

  test.each([
    ["", "there is no URL. Add --url https://example.com/."],
    ["--yes", "there is no URL."],
    ["--url http://a.example", "http://a.example is not an https URL"],
    ["--url shop", "'shop' is not a URL."],
  ])("rejects %j and writes nothing", async (flags, sentence) => {
    const ran = await run(`${flags} --force`);
    expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });

  test("replaces no file without --force, and writes a readable file", async () => {
    await write("mine");
    const refused = await run(`--url ${SITE}/shop?a=1`);
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      "shipscore: shipscore.json already exists. Edit it, or replace it with --force.\n",
    ]);
    expect((await run(`--url ${SITE}/shop?a=1 --force`)).exitCode).toBe(0);
    const text = await readFile(join(folder, "shipscore.json"), "utf8");
    expect(JSON.parse(text)).toEqual({ site: SITE, pages: ["/shop?a=1"], gate: { minScore: 80 } });
    expect((await check(text)).exitCode).toBe(1);
  });

  test("prompts on a terminal", async () => {
    const line = `cd ${folder}; rm shipscore.json; (sleep 1; echo a.example) | script -qec "node ${COMMAND} init" /dev/null`;
    const { stdout } = await runOnTerminal(line);
    expect(stdout).toContain("Which site?");
    expect(await readFile(join(folder, "shipscore.json"), "utf8")).toContain(`"site": "${SITE}"`);
  });
});
