import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getVersion } from "../../server/base/version.ts";
import { connectClient, GENERATIONS } from "../harness/mcp.ts";
import { addPerson, type Person } from "../harness/people.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { startSite, type Site } from "../harness/site.ts";

let site: Site;
let server: TestServer;
let ann: Person;

beforeAll(async () => {
  site = await startSite({
    routes: { "/": { headers: { "content-type": "text/html" }, body: "<!doctype html><p>Hi." } },
  });
  server = await startTestServer({ roots: [site.authority.certificate] });
  ann = await addPerson(server, "ann");
});
afterAll(async () => {
  await server.close();
  await site.close();
});

describe.each(GENERATIONS)("a client of %s", (generation) => {
  let client: Client;
  beforeAll(async () => {
    client = await connectClient(server.url, ann.token, generation);
  });
  afterAll(() => client.close());

  test("finds the server by its name and version, with tools and nothing else", () => {
    expect(client.getServerVersion()).toMatchObject({ name: "shipscore", version: getVersion() });
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
  });

  test("has a URL checked, and counted, with its progress", async () => {
    const seen: unknown[] = [];
    const result = await client.callTool(
      { name: "run_check", arguments: { url: site.url } },
      { onprogress: (progress) => seen.push(progress) },
    );
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toMatchObject({ url: site.url });
    expect(seen).toEqual([
      { progress: 1, total: 3, message: "vetting" },
      { progress: 2, total: 3, message: "visiting" },
      { progress: 3, total: 3, message: "judging" },
    ]);
  });
});
