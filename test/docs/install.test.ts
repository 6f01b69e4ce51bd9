import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { expect, test } from "vitest";
import { readBlocks } from "../ci/blocks.ts";
import { ROOT } from "../harness/package.ts";
import { useFolder } from "../harness/use.ts";

const folder = useFolder();
const script = join(folder, "shipscore-operator");
const readUnit = () => readFile(join(ROOT, "ops", "shipscore.service"), "utf8");

/** Runs the page's script with a `systemd-run` that prints its arguments. */
async function runOperator(...words: string[]): Promise<string[]> {
  const blocks = await readBlocks("install.md");
  const { text = "" } =
    blocks.find((block) => block.text.includes("sbin/shipscore-operator")) ?? {};
  await execa("sh", ["-euc", text.replaceAll("/usr/local/sbin/shipscore-operator", script)]);
  const bin = join(folder, "bin");
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, "systemd-run"), `#!/bin/sh\nprintf '%s\\n' "$@"\n`);
  await chmod(join(bin, "systemd-run"), 0o755);
  const PATH = `${bin}:${process.env["PATH"]}`;
  const { stdout } = await execa(script, words, { env: { PATH } });
  return stdout.split("\n");
}

test("systemd reads the settings of shipscore-operator like those of the server", async () => {
  const given = ["account", "add", "you@example.com", "--name", "a  'b' \"c\" <d> $HOME \\e #f"];
  const args = await runOperator(...given);
  expect(args.slice(args.indexOf("shipscore-server"))).toEqual(["shipscore-server", ...given]);
  const unit = await readUnit();
  const [, file] = /^EnvironmentFile=(.*)$/m.exec(unit) ?? [];
  const [, user] = /^User=(.*)$/m.exec(unit) ?? [];
  expect(args).toEqual(
    expect.arrayContaining([
      `--property=EnvironmentFile=${file}`,
      `--uid=${user}`,
      // The service manager would expand variables in the arguments.
      "--expand-environment=no",
      "--pipe",
      "--wait",
    ]),
  );
});

test("a shell cannot read a settings file", async () => {
  for (const { text } of await readBlocks("install.md"))
    expect(text).not.toMatch(/(?:\. |source )\S*\.env\b/);
});

test("only root can read the settings, as the unit says", async () => {
  const blocks = await readBlocks("install.md");
  const made = blocks.flatMap(
    ({ text }) => text.match(/^install .* \/etc\/shipscore\.env$/m) ?? [],
  );
  expect(made).toEqual(["install --mode=600 /dev/null /etc/shipscore.env"]);
  expect(await readUnit()).toContain("/etc/shipscore.env, which only root reads.");
});
