import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { chmod, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { readBlocks, type Block } from "../ci/blocks.ts";
import { runCli } from "../harness/cli.ts";
import { createClient } from "../harness/mcp.ts";
import { ROOT } from "../harness/package.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { useFolder } from "../harness/use.ts";

/** What a client does with a set-up: start a command with these variables besides its own few, or call an address. */
type Launch =
  | { command: string; args: string[]; env: Record<string, string> }
  | { url: string; headers: Record<string, string> };

const Texts = z.record(z.string(), z.string());
const Http = z.strictObject({ type: z.literal("http"), url: z.url(), headers: Texts });
const Command = z.strictObject({
  type: z.literal("stdio"),
  command: z.string(),
  args: z.array(z.string()),
  env: Texts,
});
const named = <T extends z.ZodType>(entry: T) => z.strictObject({ shipscore: entry });

const ClaudeCode = z.strictObject({
  mcpServers: named(z.union([Http, Command.omit({ type: true })])),
});
const Cursor = z.strictObject({ mcpServers: named(z.union([Http.omit({ type: true }), Command])) });
const VsCode = z.strictObject({
  inputs: z.tuple([
    z.strictObject({
      type: z.literal("promptString"),
      id: z.string(),
      description: z.string(),
      password: z.literal(true),
    }),
  ]),
  servers: named(z.union([Http, Command])),
});
const Codex = z.strictObject({
  mcp_servers: named(
    z.union([
      z.strictObject({ url: z.url(), bearer_token_env_var: z.string() }),
      z.strictObject({
        command: z.string(),
        args: z.array(z.string()),
        env: Texts,
        env_vars: z.array(z.string()),
      }),
    ]),
  ),
});

/** The variables of whoever starts the client. */
type Environment = Readonly<Record<string, string>>;
const pick = (environment: Environment, name: string): string => {
  const value = environment[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};
/** The text with each placeholder replaced, as a client does it before it parses the rest. */
const fill = (text: string, form: RegExp, find: (name: string) => string) =>
  text.replace(form, (_, name: string) => find(name));

/** What each client makes of its file. */
const CLIENTS: Readonly<Record<string, (text: string, environment: Environment) => Launch>> = {
  "Claude Code": (text, environment) =>
    ClaudeCode.parse(JSON.parse(fill(text, /\$\{([A-Z_]+)\}/g, (name) => pick(environment, name))))
      .mcpServers.shipscore,
  Cursor: (text, environment) =>
    Cursor.parse(JSON.parse(fill(text, /\$\{env:([A-Z_]+)\}/g, (name) => pick(environment, name))))
      .mcpServers.shipscore,
  "VS Code": (text, environment) => {
    const [input] = VsCode.parse(JSON.parse(text)).inputs;
    const typed = { [input.id]: pick(environment, "SHIPSCORE_TOKEN") };
    const filled = fill(text, /\$\{input:([\w-]+)\}/g, (name) => pick(typed, name));
    return VsCode.parse(JSON.parse(filled)).servers.shipscore;
  },
  Codex: (text, environment) => {
    const { shipscore } = Codex.parse(parseToml(text)).mcp_servers;
    if ("url" in shipscore) {
      const token = pick(environment, shipscore.bearer_token_env_var);
      return { url: shipscore.url, headers: { Authorization: `Bearer ${token}` } };
    }
    const { command, args, env, env_vars: names } = shipscore;
    const handedOn = Object.fromEntries(names.map((name) => [name, pick(environment, name)]));
    return { command, args, env: { ...env, ...handedOn } };
  },
};

const blocks = (await readBlocks("mcp.md")).filter(({ system }) => system in CLIENTS);
const help = (await runCli(["mcp", "--help-all"])).stdout;
const ADDRESS = "https://shipscore.example.com";
const launch = ({ system, text }: Pick<Block, "system" | "text">, token: string, url = ADDRESS) =>
  CLIENTS[system]?.(text.replaceAll(ADDRESS, url), { SHIPSCORE_TOKEN: token });

const server = useServer();
let teamToken: string;
const bin = useFolder();

beforeAll(async () => {
  const ada = await addPerson(server, "ada");
  await addProject(server, ada, "https://shop.example.com/", "Shop");
  ({ token: teamToken } = ada);
  await writeFile(join(bin, "shipscore"), `#!/bin/sh\nexec node "${ROOT}bin/shipscore.js" "$@"\n`);
  await chmod(join(bin, "shipscore"), 0o755);
});

test("the page shows both ways for each client", () => {
  const ways = blocks.map(
    (block) => [block.system, "url" in (launch(block, "x") ?? {}) ? "HTTP" : "command"] as const,
  );
  expect(ways).toEqual(
    Object.keys(CLIENTS).flatMap((name) => [
      [name, "HTTP"],
      [name, "command"],
    ]),
  );
});

test.each(blocks)("$system ($language): the file contains no token", ({ text }) => {
  expect(text).not.toMatch(/psk_/);
  expect(text.match(/SHIPSCORE_TOKEN|shipscore-token/g)).not.toBeNull();
});

test("without the variable a client stops", () => {
  for (const [name, read] of Object.entries(CLIENTS))
    for (const { text } of blocks.filter(({ system }) => system === name))
      expect(() => read(text, {})).toThrow("SHIPSCORE_TOKEN is not set");
});

const shown = blocks.map((block) => ({
  block,
  name: `${block.system}, ${block.text.includes("/mcp") ? "over HTTP" : "with the command"}`,
}));

describe.each(shown)("$name", ({ block }) => {
  test("lists the tools and the projects", async () => {
    const launched = launch(block, teamToken, server.url);
    if (launched === undefined) throw new Error("no such client");
    const transport =
      "url" in launched
        ? new StreamableHTTPClientTransport(new URL(launched.url), {
            requestInit: { headers: launched.headers },
          })
        : new StdioClientTransport({
            ...launched,
            env: { ...launched.env, PATH: [bin, process.env.PATH].join(delimiter) },
          });
    const client = createClient();
    await client.connect(transport);
    expect((await client.listTools()).tools).toHaveLength(5);
    expect(await client.callTool({ name: "list_projects", arguments: {} })).toMatchObject({
      structuredContent: { projects: [{ name: "Shop" }] },
    });
    await client.close();
  });
});

test("all clients start the command that the page gives for any other client", async () => {
  const [other] = (await readBlocks("mcp.md")).filter(
    ({ system, language }) => system === "Any other client" && language === "sh",
  );
  const started = blocks
    .map((block) => launch(block, "x"))
    .flatMap((each) => (each && "command" in each ? [[each.command, ...each.args].join(" ")] : []));
  expect(new Set(started)).toEqual(new Set([other?.text.trim()]));
  expect(help).toContain(`'${other?.text.trim()}'`);
});

test("`shipscore mcp --help-all` shows the same commands", () => {
  const helped = Object.keys(CLIENTS).map((system) => {
    const section = help.split(`\n${system}, `)[1] ?? "";
    const lines = section.split("\n").slice(2);
    const end = lines.findIndex((line) => line !== "" && !line.startsWith("  "));
    const text = lines
      .slice(0, end)
      .map((line) => line.slice(2))
      .join("\n");
    return launch({ system, text }, "x");
  });
  const commands = blocks.map((block) => launch(block, "x")).filter((it) => it && "command" in it);
  expect(helped).toEqual(commands);
});
