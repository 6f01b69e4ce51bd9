import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { openDatabase } from "../../harness/opened-database.ts";
import { useFolder } from "../../harness/use.ts";
import { runServerCommand } from "../../harness/process.ts";
import { waitUntil } from "../../harness/slow-site.ts";

describe.runIf(inject("database") === "embedded")("exec", () => {
  const temporary = useFolder();

  const exec = (words: string[], options: string[] = []) =>
    runServerCommand(["exec", ...options, "--", ...words], { TMPDIR: temporary });
  const node = (script: string, ...args: string[]) =>
    exec([process.execPath, "-e", script, ...args]);

  test.each<[string, string[], number]>([
    ["a command that is not there", ["nonesuch-command"], 127],
    ["a file that cannot run", ["/etc/passwd"], 126],
    ["its failure", ["sh", "-c", "exit 7"], 7],
    ["its signal", ["sh", "-c", "kill -TERM $$"], 143],
    ["its success", ["true"], 0],
    [
      "its failure, though it removed the database",
      ["sh", "-c", 'rm -r "$TMPDIR"/shipscore-*/data; exit 7'],
      7,
    ],
  ])("exits like its command: %s", async (_, words, exitCode) => {
    const result = await exec(words);
    expect([result.exitCode, result.stdout]).toEqual([exitCode, ""]);
    expect(await readdir(temporary)).toEqual([]);
  });

  test("exits like its command even if the database crashes while it runs", async () => {
    const crashAt = join(temporary, "crash");
    const script = `
      const { SHIPSCORE_URL, SHIPSCORE_TOKEN, CRASH_AT } = process.env;
      const headers = { authorization: "Bearer " + SHIPSCORE_TOKEN };
      await require("node:fs/promises").writeFile(CRASH_AT, "");
      const ask = () => fetch(SHIPSCORE_URL + "/api/v1/projects", { headers });
      while ((await ask()).status !== 503);
      process.exitCode = 7;`;
    const { exitCode, stderr } = await runServerCommand(
      ["exec", "--", process.execPath, "-e", `(async () => {${script}})()`],
      {
        TMPDIR: temporary,
        CRASH_AT: crashAt,
        NODE_OPTIONS: `--import ${new URL("../../harness/crashing-database.js", import.meta.url).href}`,
      },
    );
    await rm(crashAt);
    expect([exitCode, stderr]).toEqual([
      7,
      expect.stringContaining("the test makes the database crash"),
    ]);
    expect(await readdir(temporary)).toEqual([]);
  });

  test("without a command is a usage error", async () => {
    expect((await runServerCommand(["exec"], {})).exitCode).toBe(2);
  });

  test("gives the command a server and a token, and passes all arguments unchanged", async () => {
    const script = `
      const answer = await fetch(process.env.SHIPSCORE_URL + "/api/v1/projects", {
        headers: { authorization: "Bearer " + process.env.SHIPSCORE_TOKEN } });
      console.log(JSON.stringify([answer.status, await answer.json(), process.argv.slice(1)]));`;
    const words = ["a b", "--data-dir", "-h", "", "--", "é"];
    const program = [process.execPath, "--input-type=module", "-e", script];
    const { exitCode, stdout, stderr } = await exec([...program, "--", ...words]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toEqual([200, { projects: [] }, words]);
  });

  test("finds shipscore by name", async () => {
    const { exitCode, stdout } = await exec(["shipscore", "projects", "--json"]);
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { projects: [] }]);
  });

  test.each([
    [{}, /shipscore explain reach\.connect/],
    [
      { SHIPSCORE_PUBLIC_URL: "https://score.example" },
      /https:\/\/score\.example\/docs\/rules#reach\.connect/,
    ],
  ])(
    "has a quota of a million checks, and no report links to its temporary server (%j)",
    async (env, docs) => {
      const check = ["shipscore", "check", "https://127.0.0.1:9/", "--report", "junit=-"];
      const { stdout } = await runServerCommand(["exec", "--", ...check], {
        ...env,
        TMPDIR: temporary,
        CI: "true",
        SHIPSCORE_ALLOW_NETWORKS: "127.0.0.0/8",
      });
      expect(stdout).toMatch(docs);
      expect(stdout).not.toMatch(/127\.0\.0\.1:\d+\/docs/);
      const counted = await runServerCommand(
        ["exec", "--", ...check.slice(0, 3), "--field", "quota.limit"],
        { TMPDIR: temporary, SHIPSCORE_ALLOW_NETWORKS: "127.0.0.0/8" },
      );
      expect(counted.stdout).toBe("1000000\n");
    },
  );

  test(
    "keeps the database of --data-dir, and never runs out of tokens",
    { timeout: 300_000 },
    async () => {
      const dataDir = join(temporary, "kept");
      for (let run = 1; run <= 7; run++) {
        const { exitCode, stderr } = await exec(["true"], ["--data-dir", dataDir]);
        expect([run, exitCode, stderr]).toEqual([run, 0, ""]);
      }
      const { stdout } = await runServerCommand(
        ["account", "list", "--json", "--data-dir", dataDir],
        {},
      );
      expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ activeTokens: 1 })]);
      await rm(dataDir, { recursive: true });
    },
  );

  test("does not run out of tokens after 500 interrupted runs", async () => {
    const dataDir = await mkdtemp(join(temporary, "used-"));
    const database = await openDatabase({ SHIPSCORE_DATA_DIR: dataDir });
    await database.sql`
      insert into accounts (id, email, plan) values ('acc_exec', 'exec@shipscore.invalid', 'team')`;
    await database.sql`
      insert into tokens (id, account_id, name, fingerprint, created_at, revoked_at)
      select 'tok_' || n, 'acc_exec', 'exec', sha256(n::text::bytea), now() + n * interval '1 second',
        case when n <= 500 then now() end
      from generate_series(1, 505) n`;
    await database.close();
    const { exitCode, stderr } = await exec(["true"], ["--data-dir", dataDir]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    await rm(dataDir, { recursive: true });
  });

  test("cleans up if it is stopped while its server starts, and does not start its command", async () => {
    const begun = waitUntil("its folder", async () => (await readdir(temporary)).length > 0);
    const { exitCode, stdout } = await runServerCommand(
      ["exec", "--", "echo", "begun"],
      { TMPDIR: temporary },
      { interruption: begun.then(() => "SIGTERM") },
    );
    expect([exitCode, stdout]).toEqual([143, ""]);
    expect(await readdir(temporary)).toEqual([]);
  });

  test("forwards SIGTERM and cleans up after it", async () => {
    const { exitCode, stdout } = await node(
      "process.on('SIGTERM', () => { console.log('asked to stop'); process.exit(3); }); setTimeout(() => {}, 9000); process.kill(process.ppid, 'SIGTERM');",
    );
    expect([exitCode, stdout]).toEqual([3, "asked to stop\n"]);
    expect(await readdir(temporary)).toEqual([]);
  });
});
