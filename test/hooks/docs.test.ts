import { execa } from "execa";
import { beforeAll, expect, test } from "vitest";
import { readBlocks } from "../ci/blocks.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";

const COMMIT = "3f1c9b7e2a6d4850b1e9c7a3d5f2846017ab9cde";

let hook: { id: string; url: string; secret: string };

const server = useServer();
beforeAll(async () => {
  const alice = await addPerson(server, "alice");
  const project = await addProject(server, alice, "https://127.0.0.1:9/");
  hook = await server.perform("hook add", { project, provider: "plain" });
});

const readLines = async () => {
  const blocks = await readBlocks();
  const [block, ...others] = blocks.filter(({ system }) => system === "Reporting deployments");
  expect(others).toEqual([]);
  return block?.text ?? "";
};

const runLines = async (secret: string) =>
  execa("sh", ["-c", await readLines()], {
    reject: false,
    env: { SHIPSCORE_HOOK_URL: hook.url, SHIPSCORE_HOOK_SECRET: secret, CI_COMMIT_SHA: COMMIT },
  });

test("the lines of docs/ci.md report a deployment with openssl and curl", async () => {
  expect((await readLines()).trim().split("\n")).toHaveLength(4);
  const refused = await runLines(`${hook.secret.slice(0, -4)}AAA=`);
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toContain("401");
  const { exitCode, stdout } = await runLines(hook.secret);
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { deployment: expect.any(String) }]);
  const ships = await server.sql`select commit, environment from deployments`;
  expect(ships).toEqual([{ commit: COMMIT, environment: "production" }]);
  await server.deps.work.end();
  const deliveries = await server.perform<{ outcome: string }[]>("hook deliveries", {
    id: hook.id,
  });
  expect(deliveries.map(({ outcome }) => outcome)).toEqual(["recorded", "refused: signature"]);
});
