import { stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { useFiles } from "../harness/database.ts";
import { deliver, sendToHook } from "../harness/deployment-hosts.ts";
import { runOrThrow, runServerCommand } from "../harness/process.ts";
import { useServerOn } from "../harness/server.ts";
import { waitUntil } from "../harness/slow-site.ts";

const ANN = "ann@example.com";
const NO_PROJECT = "prj_00000000000000000000";
const NO_HOOK = "hook_00000000000000000000";

let project: string;

const run = (words: string[], input = "", more: Record<string, string> = {}) =>
  runServerCommand(words, { ...database.env, ...more }, { input });
const print = (...words: string[]) => runOrThrow(words, database.env);
const printJson = async (...words: string[]) =>
  JSON.parse(await print(...words, "--json")) as Record<string, string>[];

const database = useFiles();
const server = useServerOn(database);
beforeAll(async () => {
  await print("account", "add", ANN, "--plan", "pro");
  project = await print("project", "add", ANN, "--name", "Shop", "--url", "https://127.0.0.1:9/");
});

describe("rejected", () => {
  test.each<[words: string, exitCode: number, sentence: string, input?: string]>([
    ["add", 2, "missing required argument 'project'"],
    ["add PROJECT", 2, "missing required argument 'provider'"],
    [
      "add PROJECT heroku",
      2,
      "The provider must be one of github, vercel, netlify, gitlab, plain.",
    ],
    [
      "add PROJECT vercel --secret-stdin",
      2,
      "A secret must be one line of 1 to 500 characters",
      " \n",
    ],
    [
      "add PROJECT vercel --secret-stdin",
      2,
      "A secret must be one line of 1 to 500 characters",
      "a\nb",
    ],
    ["add PROJECT plain --secret-stdin", 2, "in base64 after whsec_", "whsec_?"],
    [`add ${NO_PROJECT} github`, 1, `There is no project ${NO_PROJECT}.`],
    [`list ${NO_PROJECT}`, 1, `There is no project ${NO_PROJECT}.`],
    [`rotate ${NO_HOOK}`, 1, `There is no incoming webhook ${NO_HOOK}.`],
    ["remove nonsense", 1, "There is no incoming webhook nonsense."],
    [`deliveries ${NO_HOOK}`, 1, `There is no incoming webhook ${NO_HOOK}.`],
  ])("hook %s", async (words, exitCode, sentence, input) => {
    const result = await run(["hook", ...words.replace("PROJECT", project).split(" ")], input);
    expect(result.stderr).toContain(sentence);
    expect(result).toMatchObject({ exitCode, stdout: "" });
    expect(await print("hook", "list", project)).toBe("");
  });

  test.runIf(inject("database") === "postgres")(
    "without a key on Postgres, with advice on how to create one",
    async () => {
      const keyless = { SHIPSCORE_SECRET_KEY: "" };
      const { exitCode, stderr } = await run(["hook", "add", project, "github"], "", keyless);
      expect(exitCode).toBe(1);
      expect(stderr).toContain("openssl rand -base64 32");
      expect(stderr).toContain("SHIPSCORE_SECRET_KEY");
      const { exitCode: usage } = await run(["hook", "list", project], "", {
        SHIPSCORE_SECRET_KEY: "short",
      });
      expect(usage).toBe(2);
    },
  );
});

test("a hook is added, listed, receives events, is rotated and removed", async () => {
  const added = await run(["hook", "add", project, "plain"]);
  const [id = "", url = "", secret = "", ...more] = added.stdout.trim().split("\t");
  expect(more).toEqual([]);
  expect(id).toMatch(/^hook_[0-9A-Za-z]{20}$/);
  expect(new URL(url).pathname).toBe(`/hooks/${id}`);
  expect(secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
  expect(added.stderr).toContain("not shown again");
  expect(await print("hook", "list", project)).toBe(`${id}\tplain\t\tnone`);
  expect(await printJson("hook", "list", project)).toEqual([
    { id, provider: "plain", repository: null, reporting: "none" },
  ]);
  expect(await print("hook", "deliveries", id)).toBe("");
  expect(await printJson("hook", "deliveries", id)).toEqual([]);

  const hook = { url: `${server.url}/hooks/${id}`, secret, provider: "plain" as const };
  await deliver(hook, { type: "deployment.failed" });
  expect((await deliver(hook, { type: "deployment.succeeded" })).status).toBe(202);
  await sendToHook(hook.url, "{}", {});
  // The refusal is written down after its answer.
  let lines: string[] = [];
  await waitUntil("all three are listed", async () => {
    lines = (await print("hook", "deliveries", id)).split("\n");
    return lines.length === 3;
  });
  expect(lines.map((line) => line.split("\t").slice(1))).toEqual([
    ["unknown", "refused: signature"],
    ["deployment.succeeded", "recorded"],
    ["deployment.failed", "ignored: event deployment.failed"],
  ]);
  const listed = await printJson("hook", "deliveries", id);
  expect(listed.map((delivery) => Object.keys(delivery))).toEqual(
    lines.map(() => ["id", "at", "event", "outcome"]),
  );
  expect(listed.map(({ at }) => at)).toEqual(lines.map((line) => line.split("\t")[0]));

  const rotated = (await printJson("hook", "rotate", id)) as unknown as typeof hook & {
    id: string;
  };
  expect(Object.keys(rotated)).toEqual(["id", "url", "secret"]);
  expect([rotated.id, rotated.url]).toEqual([id, url]);
  expect((await deliver({ ...hook, secret: rotated.secret }, { type: "x" })).status).toBe(200);
  expect(await print("hook", "remove", id)).toBe(id);
  expect((await deliver(hook, { type: "x" })).status).toBe(401);
  expect((await run(["hook", "remove", id])).exitCode).toBe(1);
});

test("a secret chosen by the provider is not printed", async () => {
  const words = ["hook", "add", project, "vercel", "--secret-stdin"];
  const added = await run(words, "chosen by Vercel".replaceAll(" ", "-") + "\n");
  expect(added.stdout.trim().split("\t")).toHaveLength(2);
  const [id = ""] = added.stdout.split("\t");
  const url = `${server.url}/hooks/${id}`;
  const status = async (secret: string) =>
    (await deliver({ url, secret, provider: "vercel" }, { type: "deployment.created" })).status;
  expect([await status("chosen-by-Vercel"), await status("else")]).toEqual([200, 401]);
  const rotated = await run(["hook", "rotate", id, "--secret-stdin", "--json"], "another");
  expect(Object.keys(JSON.parse(rotated.stdout) as object)).toEqual(["id", "url"]);
  expect([await status("chosen-by-Vercel"), await status("another")]).toEqual([200, 200]);
});

test.runIf(inject("database") === "embedded")(
  "the key of an embedded database is a file that others can't read",
  async () => {
    const file = join(database.env["SHIPSCORE_DATA_DIR"] ?? "", "secret-key");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  },
);
