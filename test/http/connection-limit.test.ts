import { once } from "node:events";
import { connect, createServer, Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import { parseNetworks } from "../../server/engine/net/address.ts";
import { fileLimitOf, limitConnections } from "../../server/http/listener.ts";
import { startLimitedServer } from "../harness/limited-server.ts";
import { waitUntil } from "../harness/slow-site.ts";

const OF_ADDRESS = 64;
const GET = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

let close: () => void = () => {};
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  close();
});

test.each<[what: string, report: object, files: number]>([
  ["a number", { userLimits: { open_files: { soft: 1024, hard: 4096 } } }, 1024],
  ["none", { userLimits: { open_files: { soft: "unlimited", hard: "unlimited" } } }, 8192],
  ["not known", {}, 8192],
])("a file limit that is %s", (_, report, files) => {
  expect(fileLimitOf(report)).toBe(files);
});

test.each([
  ["IPv4", "192.0.2.1", "192.0.2.1", "192.0.2.2"],
  ["IPv4 that is written as IPv6", "192.0.2.1", "::ffff:192.0.2.1", "::ffff:192.0.2.2"],
  ["a /64 of IPv6", "2001:db8:1:2::1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:3::1"],
])("the limit counts as one address: %s", (_, first, same, other) => {
  const server = createServer();
  const trustedProxies = parseNetworks("");
  limitConnections(server, { files: 4 * OF_ADDRESS, trustedProxies, log: { warn() {} } });
  const comeFrom = (remoteAddress: string) => {
    const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress });
    server.emit("connection", socket);
    return socket.destroyed ? "refused" : "accepted";
  };
  for (let count = 0; count < OF_ADDRESS; count++) expect(comeFrom(first)).toBe("accepted");
  expect([comeFrom(same), comeFrom(other)]).toEqual(["refused", "accepted"]);
});

describe.each([
  ["http", false],
  ["https", true],
])("over %s", (_, isSecure) => {
  /** A server with that many files, which answers each request. */
  async function start(files: number, trusted = "") {
    const lines: { line: object; why: string }[] = [];
    const trustedProxies = parseNetworks(trusted);
    const log = { warn: (line: object, why: string) => lines.push({ line, why }) };
    const started = await startLimitedServer(isSecure, (it) => {
      limitConnections(it, { files, trustedProxies, log });
      it.on("request", (_request, response) => response.end("answered"));
    });
    close = started.close;
    const { server, port } = started;

    async function open(localAddress = "127.0.0.1"): Promise<Socket> {
      const socket = connect({ port, host: "127.0.0.1", localAddress });
      sockets.add(socket.on("error", () => {}).resume());
      await once(socket, "connect");
      return socket;
    }
    async function ask(localAddress?: string, socket?: Socket): Promise<string> {
      const plain = socket ?? (await open(localAddress));
      const stream = isSecure
        ? connectSecurely({ socket: plain, rejectUnauthorized: false })
        : plain;
      stream.on("error", () => {}).write(GET);
      return text(stream).catch(() => "");
    }
    return {
      lines,
      open,
      ask,
      count: () =>
        new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count))),
      fill: (count: number) => Promise.all(Array.from({ length: count }, () => open())),
    };
  }

  test("one address gets a quarter of half of the files, and leaves the rest to others", async () => {
    const { lines, open, ask, count, fill } = await start(8 * OF_ADDRESS + 8);
    await fill(OF_ADDRESS + 1);
    for (let more = 0; more < 3; more++) await once(await open(), "close");
    expect(await count()).toBe(OF_ADDRESS + 1);
    expect(await ask("127.0.0.2")).toContain("answered");
    expect(lines).toEqual([
      {
        line: { address: "127.0.0.1", connections: OF_ADDRESS + 1, files: 8 * OF_ADDRESS + 8 },
        why: expect.stringContaining("SHIPSCORE_TRUSTED_PROXIES"),
      },
    ]);
  });

  test.each<[string, (socket: Socket, ask: (socket: Socket) => Promise<string>) => unknown]>([
    ["leaves", (socket) => socket.destroy()],
    ["is reset", (socket) => socket.resetAndDestroy()],
    ["sends what is no request", (socket) => socket.write("NONSENSE\r\n\r\n")],
    ["is answered", (socket, ask) => ask(socket)],
  ])("a connection that %s makes room for the next, of at least 64", async (_what, end) => {
    const { ask, count, fill } = await start(4 * OF_ADDRESS);
    const [first] = await fill(OF_ADDRESS);
    expect(await ask()).toBe("");
    await end(first!, (socket) => ask(undefined, socket));
    await waitUntil("it has ended", async () => (await count()) === OF_ADDRESS - 1);
    expect(await ask()).toContain("answered");
  });

  test("a trusted proxy has only the server's limit, half of the files", async () => {
    const { lines, open, ask, count, fill } = await start(3 * OF_ADDRESS, "127.0.0.1");
    const [first] = await fill(1.5 * OF_ADDRESS);
    for (let more = 0; more < 3; more++) await once(await open("127.0.0.2"), "close");
    expect(lines).toEqual([
      {
        line: { address: "127.0.0.1", connections: 1.5 * OF_ADDRESS, files: 3 * OF_ADDRESS },
        why: expect.stringContaining("LimitNOFILE"),
      },
    ]);
    first?.destroy();
    await waitUntil("it has ended", async () => (await count()) < 1.5 * OF_ADDRESS);
    expect(await ask("127.0.0.2")).toContain("answered");
  });
});
