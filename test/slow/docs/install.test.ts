import { appendFile, chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readBlocks } from "../../ci/blocks.ts";
import { installPacked } from "../../harness/package.ts";
import { findPostgresTools, startPostgres, type PostgresServer } from "../../harness/postgres.ts";
import { startServerProcess } from "../../harness/process.ts";
import { useFolder } from "../../harness/use.ts";
import { findWebServer, loadSnippet } from "../../harness/web-servers.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });

const page = await readBlocks("install.md");
const blocks = page.filter(
  ({ system, language }) =>
    language === "sh" && ["With systemd", "Backup", "Restore"].includes(system),
);
const tools = await findPostgresTools();
/** Settings with spaces, and with characters that a shell reads as redirections. */
const MAIL =
  "SHIPSCORE_SMTP_URL=smtp://127.0.0.1\nSHIPSCORE_MAIL_FROM=Shipscore <score@example.com>\n";
/** These commands change the whole machine, so they are only noted. */
const NOTED = ["apt-get", "npm", "useradd", "systemctl"];
const FOLDERS = ["bin", "etc/systemd/system", "etc/caddy", "usr/local/sbin", "var/backups"];

describe.skipIf(tools === undefined)("the page's own commands, on an empty machine,", () => {
  const root = useFolder();
  const settings = join(root, "etc/shipscore.env");
  let postgres: PostgresServer;
  let env: Record<string, string>;
  let said = "";

  async function addCommand(name: string, script: string): Promise<void> {
    await writeFile(join(root, "bin", name), `#!/bin/sh\n${script}\n`);
    await chmod(join(root, "bin", name), 0o755);
  }

  const run = async (text: string) =>
    (await execa("sh", ["-euc", text], { cwd: root, extendEnv: false, env })).stdout;

  /** Adapts a block to a folder instead of the whole machine, with the database of this test. */
  const fit = (text: string) =>
    text
      .replaceAll(/(?<=\s)\/(?=etc\/|usr\/local\/|var\/backups\/)/g, `${root}/`)
      .replace(
        "postgres:///shipscore?host=/var/run/postgresql",
        `${new URL("/shipscore", postgres.url)}`,
      );

  beforeAll(async () => {
    postgres = await startPostgres([], tools);
    const { hostname, port, username } = new URL(postgres.url);
    const home = await installPacked("shipscore-server");
    for (const folder of FOLDERS) await mkdir(join(root, folder), { recursive: true });
    await mkdir(join(root, "usr/local/lib"));
    await execa("ln", ["-s", join(home, "node_modules"), join(root, "usr/local/lib/node_modules")]);
    for (const name of NOTED) await addCommand(name, `echo ${name} "$@" >> ${root}/noted`);
    await addCommand("runuser", 'shift 3\nexec "$@"');
    // Like systemd, it takes the value after = unchanged. Unlike systemd, it does not read quotes.
    await addCommand(
      "systemd-run",
      `while IFS= read -r line; do export "$line"; done < ${settings}\nwhile [ "$1" != shipscore-server ]; do shift; done\nexec "$@"`,
    );
    const program = join(home, "node_modules/shipscore-server/bin/shipscore-server.js");
    await addCommand("shipscore-server", `exec ${process.execPath} ${program} "$@"`);
    const path = ["bin", "usr/local/sbin"].map((folder) => join(root, folder));
    env = {
      PATH: [...path, tools, dirname(process.execPath), process.env["PATH"]].join(delimiter),
      HOME: root,
      PGHOST: hostname,
      PGPORT: port,
      PGUSER: username,
    };
    for (const { text } of blocks) {
      // A server would have created its tables at its start.
      if (text.includes(" account add ")) {
        await appendFile(settings, MAIL);
        await run("shipscore-operator migrate");
      }
      said += await run(fit(text));
    }
  });
  afterAll(() => postgres.stop());

  test("end with the one-time link of the first account", async () => {
    expect(said).toMatch(/https:\/\/score\.example\.com\/\S+$/);
    const noted = await readFile(join(root, "noted"), "utf8");
    for (const line of [
      "apt-get update",
      "npm install --global",
      "systemctl enable --now shipscore",
    ])
      expect(noted).toContain(line);
  });

  test("restore the backup", async () => {
    expect(await run("shipscore-operator account list")).toContain("you@example.com");
  });

  test("write settings with which a server starts and is ready", async () => {
    const lines = (await readFile(settings, "utf8")).trim().split("\n");
    const given = lines.map((line) => /^(\w+)=(.*)$/.exec(line)?.slice(1) ?? []);
    const server = await startServerProcess(Object.fromEntries(given) as Record<string, string>);
    const answer = await fetch(new URL("/readyz", server.url));
    expect([answer.status, await server.end("SIGTERM")]).toEqual([200, 0]);
  });
});

const caddy = findWebServer("caddy") ?? "";
const caddyfiles = page.filter(({ language }) => language === "caddyfile");
test.skipIf(caddy === "").each(caddyfiles)("Caddy loads the block of $system", async ({ text }) => {
  expect(await loadSnippet("caddy", caddy, text)).toBe("");
});
