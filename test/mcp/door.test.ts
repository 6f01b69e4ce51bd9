import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getVersion } from "../../server/base/program.ts";
import { connectClient, GENERATIONS } from "../harness/mcp.ts";
import { addPerson, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";

const site = use(() =>
  startSite({
    routes: { "/": { headers: { "content-type": "text/html" }, body: "<!doctype html><p>Hi." } },
  }),
);
const server = use(() => startTestServer({ roots: [site.authority.certificate] }));
let ann: Person;

beforeAll(async () => {
  ann = await addPerson(server, "ann");
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
