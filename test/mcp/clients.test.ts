import { StreamableHTTPClientTransport, type Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { getVersion } from "../../server/base/program.ts";
import { createClient, GENERATIONS, LEGACY, MODERN, type Generation } from "../harness/mcp.ts";
import { ROOT } from "../harness/package.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";

const site = use(() =>
  startSite({ routes: { "/": { body: "<!doctype html><title>Shop 🚢</title>" } } }),
);
const server = useServer();
let teamToken: string;
let proToken: string;

beforeAll(async () => {
  const ada = await addPerson(server, "ada");
  await addProject(server, ada, "https://shop.example.com/", "Shop");
  ({ token: teamToken } = ada);
  ({ token: proToken } = await addPerson(server, "pro", "pro"));
});

const bridgeTo = (token: string) =>
  new StdioClientTransport({
    command: process.execPath,
    args: [join(ROOT, "bin/shipscore.js"), "mcp"],
    env: { SHIPSCORE_URL: server.url, SHIPSCORE_TOKEN: token },
    stderr: "ignore",
  });
const addressWith = (token: string) =>
  new StreamableHTTPClientTransport(new URL("/mcp", server.url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });

test.each([...LEGACY, undefined])(
  "without the Team plan a client of %s gets the server's message through the bridge",
  async (generation) => {
    await expect(createClient(generation).connect(bridgeTo(proToken))).rejects.toThrow(
      "Le serveur MCP est réservé à l'offre Team.",
    );
  },
);

const WAYS = { "through the bridge": bridgeTo, "over HTTP": addressWith };
/** The newest generation, or all of them. */
const GENERATIONS_TRIED: readonly Generation[] = inject("isThorough") ? GENERATIONS : [MODERN];
const stories = GENERATIONS_TRIED.flatMap((generation) =>
  Object.entries(WAYS).map(([way, open]) => ({ generation, way, open })),
);

describe.each(stories)("the SDK's client in $generation $way", ({ generation, open }) => {
  test("lists the tools, reads, checks with progress, and gets errors for wrong calls", async () => {
    const client = createClient(generation);
    await client.connect(open(teamToken));
    expect(client.getNegotiatedProtocolVersion()).toBe(generation);
    expect(client.getServerVersion()).toMatchObject({ name: "shipscore", version: getVersion() });
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      "run_check",
      "list_projects",
      "list_incidents",
      "last_ship",
      "explain_rule",
    ]);
    await expect(client.callTool({ name: "nonesuch", arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
    expect(await client.callTool({ name: "last_ship", arguments: { project: "x" } })).toMatchObject(
      { isError: true },
    );
    expect(await client.callTool({ name: "list_projects", arguments: {} })).toMatchObject({
      structuredContent: { projects: [{ name: "Shop" }] },
    });
    expect(await checkSite(client)).toMatchObject({
      structuredContent: { url: site.url, findings: expect.any(Array) },
    });
    await client.close();
  });
});

async function checkSite(client: Client) {
  const steps: (string | undefined)[] = [];
  const checked = await client.callTool(
    { name: "run_check", arguments: { url: site.url, language: "en" } },
    { onprogress: ({ message }) => steps.push(message) },
  );
  expect(steps.slice(0, 2)).toEqual(["vetting", "visiting"]);
  return checked;
}

test("a client that accepts any revision gets the newest one through the bridge", async () => {
  const client = createClient();
  await client.connect(bridgeTo(teamToken));
  expect(client.getNegotiatedProtocolVersion()).toBe(MODERN);
  await client.close();
});
