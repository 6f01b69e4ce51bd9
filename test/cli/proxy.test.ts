import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { startBridge } from "../harness/bridge.ts";
import { runCli, TOKEN } from "../harness/cli.ts";
import { PROJECTS } from "../harness/contract-double.ts";
import { startSite } from "../harness/site.ts";
import { useFolder, use } from "../harness/use.ts";

interface Tunnels extends AsyncDisposable {
  readonly url: string;
  readonly asked: IncomingMessage[];
  /** All that came through, as the proxy can read it. */
  readonly heard: Buffer[];
}

const site = use(() =>
  startSite({
    hosts: ["shipscore.example"],
    routes: {
      "/api/v1/projects": { body: JSON.stringify(PROJECTS) },
      "/mcp": {
        headers: { "content-type": "text/event-stream" },
        body: 'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n',
      },
    },
  }),
);
const folder = useFolder();

beforeAll(async () => {
  await writeFile(join(folder, "ca.pem"), site.authority.certificate);
});

/** A proxy that answers CONNECT with this status, and leads every tunnel to the site. */
async function startTunnels(status: number, body = ""): Promise<Tunnels> {
  const asked: IncomingMessage[] = [];
  const heard: Buffer[] = [];
  const sockets: Socket[] = [];
  const server = createServer().on("connect", (request: IncomingMessage, client: Socket) => {
    asked.push(request);
    client.on("data", (chunk: Buffer) => heard.push(chunk)).on("error", () => client.destroy());
    const head = `HTTP/1.1 ${status} So\r\n`;
    if (status !== 200) {
      client.end(
        `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
      return;
    }
    const upstream = connect(site.port, "127.0.0.1");
    upstream.on("error", () => client.destroy());
    client.write(`${head}\r\n`);
    client.pipe(upstream).pipe(client);
    sockets.push(client, upstream);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://ada:s3cret@127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    heard,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

const runThrough = (proxy: Tunnels, env: Readonly<Record<string, string>> = {}) =>
  runCli(["projects", "--timeout", "5"], {
    SHIPSCORE_URL: "https://shipscore.example",
    SHIPSCORE_TOKEN: TOKEN,
    HTTPS_PROXY: proxy.url,
    NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
    ...env,
  });

test.each([
  [407, ""],
  [401, '{"error":"Jeton inconnu."}'],
  [503, '{"error":"Indisponible."}'],
])(
  "a proxy's own answer %i is distinguished from the server's, without its password",
  async (status, body) => {
    await using proxy = await startTunnels(status, body);
    expect(await runThrough(proxy)).toEqual({
      exitCode: 3,
      stdout: "",
      stderr: `shipscore: https://shipscore.example cannot be reached, because the proxy refuses the connection (PROXY_${status}). Check its user name and password; HTTPS_PROXY is set, so check the proxy too.\n`,
    });
    expect(Buffer.concat(proxy.heard).toString("latin1")).toBe("");
  },
);

test("a host of NO_PROXY gets direct requests", async () => {
  await using proxy = await startTunnels(200);
  const { exitCode } = await runThrough(proxy, { NO_PROXY: "shipscore.example" });
  expect([exitCode, proxy.asked.length]).toEqual([3, 0]);
});

test("a request goes through a tunnel, where the proxy can't read the token", async () => {
  await using proxy = await startTunnels(200);
  const { exitCode, stdout, stderr } = await runThrough(proxy);
  expect([exitCode, stderr, stdout.split("\n").length]).toEqual([0, "", 5]);
  expect(proxy.asked.map(({ url, headers }) => [url, headers["proxy-authorization"]])).toEqual([
    ["shipscore.example:443", `Basic ${btoa("ada:s3cret")}`],
  ]);
  expect(proxy.heard.length).toBeGreaterThan(0);
  expect(Buffer.concat(proxy.heard).toString("latin1")).not.toContain(TOKEN);
  expect(site.requests.at(-1)?.headers.authorization).toBe(`Bearer ${TOKEN}`);
});

test("an assistant's messages use the proxy too", async () => {
  await using proxy = await startTunnels(200);
  const bridge = startBridge({
    SHIPSCORE_URL: "https://shipscore.example",
    HTTPS_PROXY: proxy.url,
    NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
  });
  bridge.send({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  expect(await bridge.next()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  expect(await bridge.end()).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  expect(proxy.asked.map(({ url }) => url)).toEqual(["shipscore.example:443"]);
  expect(Buffer.concat(proxy.heard).toString("latin1")).not.toContain(TOKEN);
});
