import { expect, test } from "vitest";
import { runCli } from "../harness/cli.ts";
import {
  INCIDENTS,
  json,
  LAST_SHIP,
  PROJECTS,
  startContractDouble,
} from "../harness/contract-double.ts";
import { use } from "../harness/use.ts";

const INCIDENT_ROW =
  "prj_1\tinc_1\t2026-11-20T06:30:00.000Z\thttps://blog.example.com/\tThe server answered 500.\tBlog\n";
const SHIP_ROW =
  "dep_1\t2026-11-20T08:30:00.000Z\t88\tship\tmain\t0a1b2c3\thttps://shop.example.com/\n";

const server = use(startContractDouble);

const run = (...args: string[]) => runCli(args, server.env);

test.each([
  ["nothing", "", 44, 'shipscore: no visible project has the ID, name or URL "".'],
  ["a part of a name", "blo", 44, 'Did you mean "Blog"?'],
  ["a name in another case", "BLOG", 44, 'Did you mean "Blog"?'],
  ["an id that the server does not know", "prj_9", 44, "Project not found. "],
  ["a path", "../../check", 44, 'URL "../../check".'],
  [
    "a name of two projects",
    "Twin",
    2,
    "prj_3 (Twin, https://one.example.com/), prj_4 (Twin, https://two.example.com/). Use the ID of one of them.",
  ],
])("%s is not a PROJECT", async (_, project, exitCode, part) => {
  for (const command of ["last-ship", "incidents"]) {
    const ran = await run(command, project);
    expect([ran.exitCode, ran.stdout]).toEqual([exitCode, ""]);
    expect(ran.stderr).toContain(part);
  }
});

test.each([
  "prj_2",
  "Shop",
  "https://shop.example.com/",
  "https://shop.example.com",
  "shop.example.com",
])("last-ship %s", async (project) => {
  expect(await run("last-ship", project)).toEqual({ exitCode: 0, stdout: SHIP_ROW, stderr: "" });
});

test("last-ship of a project without deployments is no row, and null in JSON", async () => {
  const note = "shipscore: no production deployment yet.\n";
  expect(await run("last-ship", "prj_1")).toEqual({ exitCode: 0, stdout: "", stderr: note });
  const { stdout } = await run("last-ship", "prj_1", "--json");
  expect(JSON.parse(stdout)).toEqual({ lastShip: null });
});

test("last-ship --json", async () => {
  const { stdout } = await run("last-ship", "Shop", "--json");
  expect(JSON.parse(stdout)).toEqual(LAST_SHIP);
});

test("projects", async () => {
  expect(await run("projects")).toEqual({
    exitCode: 0,
    stdout: [
      "prj_1\tdown\t12\tBlog\thttps://blog.example.com/\n",
      "prj_2\tup\t91\tShop\thttps://shop.example.com/\n",
      "prj_3\tunknown\t\tTwin\thttps://one.example.com/\n",
      "prj_4\tup\t80\tTwin\thttps://two.example.com/\n",
    ].join(""),
    stderr: "",
  });
});

test("projects --json", async () => {
  const { stdout } = await run("projects", "--json");
  expect(JSON.parse(stdout)).toEqual(PROJECTS);
});

test("incidents of all projects skips the projects that are up", async () => {
  const before = server.requests.length;
  expect(await run("incidents")).toEqual({ exitCode: 0, stdout: INCIDENT_ROW, stderr: "" });
  const paths = server.requests.slice(before).map(({ path }) => path.replace("/api/v1/", ""));
  expect(paths.toSorted()).toEqual([
    "projects",
    "projects/prj_1/incidents",
    "projects/prj_3/incidents",
  ]);
});

test("incidents of one project have its name in their rows, with any way to name it", async () => {
  for (const project of ["prj_1", "Blog", "blog.example.com"])
    expect(await run("incidents", project)).toEqual({
      exitCode: 0,
      stdout: INCIDENT_ROW,
      stderr: "",
    });
});

test("incidents --json adds the project to the list of all, and is the API's value for one", async () => {
  const all = await run("incidents", "--json");
  const [incident] = INCIDENTS.incidents;
  expect(JSON.parse(all.stdout)).toEqual({
    incidents: [{ ...incident, projectId: "prj_1", projectName: "Blog" }],
  });
  const one = await run("incidents", "Blog", "--json");
  expect(JSON.parse(one.stdout)).toEqual(INCIDENTS);
});

test("the oldest incident comes first over all projects, and a deleted project is left out", async () => {
  const projects = ["a", "b", "gone"].map((name) => ({
    ...PROJECTS.projects[0],
    id: `prj_${name}`,
    name,
  }));
  const since = (day: number) => ({
    ...INCIDENTS.incidents[0],
    id: `inc_${day}`,
    since: `2026-11-${day}T06:30:00.000Z`,
  });
  await using several = await startContractDouble((request, response, count) => {
    const lists: Record<string, unknown> = {
      "/api/v1/projects": { projects },
      "/api/v1/projects/prj_a/incidents": { incidents: [since(12), since(10)] },
      "/api/v1/projects/prj_b/incidents": { incidents: [since(11)] },
    };
    const list = lists[request.path];
    const answer = list ? json(list) : json({ error: "Projet introuvable." }, 404);
    answer(request, response, count);
  });
  const { stdout } = await runCli(["incidents"], several.env);
  const ids = stdout.split("\n").map((line) => line.split("\t")[1]);
  expect(ids).toEqual(["inc_10", "inc_11", "inc_12", undefined]);
  const field = await runCli(["incidents", "--field", "incidents.1.projectName"], several.env);
  expect(field.stdout).toBe("b\n");
  const page = await runCli(["incidents", "prj_b"], {
    ...several.env,
    SHIPSCORE_FORCE_TTY: "80",
    LC_ALL: "fr_FR.UTF-8",
  });
  expect(page.stdout).toMatch(/^ *DEPUIS {2}PROJET {2}URL.*\n.*\n\n1 URL en échec\.\n$/);
});

test.each([
  [["--exit-code"], 1],
  [["Blog", "--exit-code"], 1],
  [["Shop", "--exit-code"], 0],
  [["Blog"], 0],
])("incidents %j exits %i", async (args, exitCode) => {
  expect((await run("incidents", ...args)).exitCode).toBe(exitCode);
});
