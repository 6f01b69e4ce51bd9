import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { handleRequests, listUnanswered } from "../../server/http/listener.ts";
import { startLimitedServer } from "../harness/limited-server.ts";
import { waitUntil } from "../harness/slow-site.ts";

const GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const POST = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx";
/** More than the kernel takes for a client that does not read. */
const LARGE = Buffer.alloc(32 << 20);

let server: Awaited<ReturnType<typeof startLimitedServer>> | undefined;
afterEach(() => server?.close());

/** A server that answers nothing by itself, and a connection to it. */
async function open(isSecure: boolean, silentMs?: number) {
  const seen: ServerResponse[] = [];
  const closed = new Set<ServerResponse>();
  const refused = { count: 0 };
  const handle = (request: NodeJS.ReadableStream, response: ServerResponse) => {
    request.resume();
    seen.push(response);
    response.once("close", () => closed.add(response));
  };
  server = await startLimitedServer(isSecure, (it) => {
    if (silentMs !== undefined) it.timeout = silentMs;
    handleRequests(it, handle, { info: () => refused.count++ });
  });
  const socket = await server.join();
  return { ...server, socket, seen, closed, refused };
}

describe.each([
  ["http", false],
  ["https", true],
])("over %s", (_, isSecure) => {
  test.each([
    ["GET", GET],
    ["POST", POST],
  ])("the seventeenth unanswered %s closes the connection", async (_method, request) => {
    const { server: it, socket, seen, closed, refused } = await open(isSecure);
    socket.resume().write(request.repeat(1400));
    await waitUntil("it has ended", () => socket.closed);
    await waitUntil("the one that is handled is released", () => closed.size === 1);
    expect([seen.length, refused.count, listUnanswered(it)]).toEqual([1, 1, []]);
  });

  test("a client that disconnects leaves no response behind, whatever it sent", async () => {
    const { server: it, socket, seen, closed, refused } = await open(isSecure);
    socket.write(POST.repeat(5));
    await waitUntil("five came", () => listUnanswered(it).length === 5);
    socket.destroy();
    await waitUntil("the one that is handled is released", () => closed.size === 1);
    expect([seen.length, listUnanswered(it), refused.count]).toEqual([1, [], 0]);
  });

  test("a client that reads its answers may send any number of requests", async () => {
    const { server: it, socket, seen, refused } = await open(isSecure);
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => (received += text));
    for (let round = 0; round < 2; round++) {
      socket.write(POST.repeat(16));
      await waitUntil("sixteen came", () => listUnanswered(it).length === 16);
      for (let answered = 16 * round + 1; answered <= 16 * (round + 1); answered++) {
        await waitUntil("the next is handled", () => seen.length === answered);
        seen.at(-1)?.end(`${answered}, `);
        await waitUntil("it is read", () => received.endsWith(`${answered}, `));
      }
    }
    expect(refused.count).toBe(0);
  });

  test("a client that does not read its answer is disconnected", async () => {
    const { server: it, socket, seen, closed } = await open(isSecure, 500);
    let received = 0;
    socket.on("data", (bytes: Buffer) => (received += bytes.length));
    socket.pause().write(GET);
    await waitUntil("it came", () => seen.length === 1);
    seen[0]?.end(LARGE);
    await waitUntil("it is cut", () => closed.size === 1);
    expect(listUnanswered(it)).toEqual([]);
    socket.resume();
    await waitUntil("it has ended", () => socket.closed);
    expect(received).toBeLessThan(LARGE.length);
  });

  test("one request after the last allowed answer closes the connection", async () => {
    const { server: it, socket, seen } = await open(isSecure);
    expect(it.maxRequestsPerSocket).toBe(1000);
    it.maxRequestsPerSocket = 2;
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => (received += text));
    for (let count = 1; count <= 2; count++) {
      socket.write(GET);
      await waitUntil("it is handled", () => seen.length === count);
      seen.at(-1)?.end("x");
    }
    await waitUntil("it is the last", () => /Connection: close/.test(received));
    socket.write(GET);
    await waitUntil("it has ended", () => socket.closed);
    expect([seen.length, listUnanswered(it)]).toEqual([2, []]);
  });
});
