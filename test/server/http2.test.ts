import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, constants, type ClientHttp2Session } from "node:http2";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from "node:tls";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from "vitest";
import { speakHttp2 } from "../../server/http/http2.ts";
import { addPerson } from "../harness/people.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { getAuthority } from "../harness/site.ts";
import { startSlowSite, waitUntil } from "../harness/slow-site.ts";

let folder: string;
let server: TestServer;
let env: Record<string, string>;
let token: string;
let session: ClientHttp2Session;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sc-h2-"));
  const { cert, key } = await (await getAuthority()).issue({ hosts: ["127.0.0.1"] });
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  await writeFile(files.cert, cert);
  await writeFile(files.key, key);
  env = { SHIPSCORE_TLS_CERT: files.cert, SHIPSCORE_TLS_KEY: files.key };
  server = await startTestServer({ env, roots: [(await getAuthority()).certificate] });
  token = (await addPerson(server, "alice")).token;
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  session = connect(server.url, { ca: (await getAuthority()).certificate });
  session.on("error", () => {});
});
afterEach(() => session.destroy());

interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** Sends one request in the session; `chunks` are its body, of which nothing says the length. */
async function ask(headers: Record<string, string>, chunks?: string[]): Promise<Answer> {
  const stream = session.request({ ":path": "/", ...headers }, { endStream: chunks === undefined });
  const answered = new Promise<Record<string, unknown>>((resolve, reject) => {
    stream.once("response", resolve);
    stream.once("error", reject);
  });
  for (const chunk of chunks ?? []) stream.write(chunk);
  if (chunks) stream.end();
  const received = await answered;
  return { status: Number(received[":status"]), headers: received, body: await text(stream) };
}

const check = (body: string[], headers: Record<string, string> = {}) =>
  ask(
    { ":method": "POST", ":path": "/api/v1/check", "content-type": "application/json", ...headers },
    body,
  );

describe("over HTTP/2", () => {
  test.each([
    ["a tunnel", { ":method": "CONNECT", ":authority": "example.com:443" }, "HTTP_1_1_REQUIRED"],
    ["a path with a space", { ":path": "/a b" }, "PROTOCOL_ERROR"],
  ])("%s is refused, and the session goes on", async (_, headers, code) => {
    const stream = session.request(headers);
    const error = await new Promise<Error>((resolve) => stream.once("error", resolve));
    expect(error.message).toContain(code);
    expect((await ask({ ":path": "/healthz" })).status).toBe(200);
  });

  test("no token is 401 with the body still unread", async () => {
    const answer = await check(["x".repeat(100_000)]);
    expect(answer.status).toBe(401);
    expect(answer.headers).not.toHaveProperty("connection");
    expect((await ask({ ":path": "/healthz" })).status).toBe(200);
  });

  test("a body of unknown length is a body, whatever the method", async () => {
    const authorization = `Bearer ${token}`;
    const refused = await check(['{"url":', '"http://example.com/"}'], { authorization });
    expect(refused.status).toBe(400);
    expect(refused.body).toContain("https");
    const before = server.log.length;
    const read = await ask({ ":path": "/docs/rules" }, [
      "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n",
    ]);
    expect(read.status).toBe(200);
    expect(server.log.slice(before).join("")).not.toContain("smuggled");
  });

  test("a client that waits for 100 Continue is told to go on", async () => {
    const stream = session.request({
      ":method": "POST",
      ":path": "/api/v1/check",
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      expect: "100-continue",
    });
    const status = new Promise((resolve) =>
      stream.once("response", (headers) => resolve(headers[":status"])),
    );
    await new Promise((resolve) => stream.once("continue", () => resolve(undefined)));
    stream.end('{"url":"http://example.com/"}');
    expect(await status).toBe(400);
    stream.destroy();
  });

  test.each(["POST", "HEAD"])(
    "%s without the body that it announced is answered, and told that none is needed",
    async (method) => {
      const stream = session.request(
        { ":method": method, ":path": "/api/v1/check" },
        { endStream: false },
      );
      const [headers] = (await once(stream, "response")) as [Record<string, unknown>];
      expect(headers[":status"]).toBe(401);
      stream.resume();
      await once(stream, "close");
      expect(stream.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
    },
  );

  test("an expectation is passed on like any other header", async () => {
    const answer = await ask({ ":method": "POST", ":path": "/api/v1/check", expect: "cake" }, []);
    expect(answer.status).toBe(401);
  });

  test.each([
    [1, "projects"],
    [2, "Jeton invalide"],
  ])("%d Authorization headers: %s", async (count, said) => {
    const fields = [
      [":method", "GET"],
      [":scheme", "https"],
      [":path", "/api/v1/projects"],
      [":authority", "127.0.0.1"],
      ...Array.from({ length: count }, () => ["authorization", `Bearer ${token}`]),
    ];
    const raw = await connectRaw(server.url);
    raw.write(writeFrame(HEADERS, Buffer.concat(fields.flat().map(writeText))));
    let received = "";
    raw.on("data", (data: Buffer) => (received += data.toString()));
    await waitUntil("an answer", () => received.includes("}"));
    expect(received).toContain(said);
  });

  test("many requests at once are answered, each with its own id", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => ask({ ":path": "/docs/rules", "accept-encoding": "gzip" })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(50);
  });

  test("the host is that of :authority", async () => {
    const { body } = await ask({ ":path": "/docs/rules", ":authority": "score.example" });
    expect(body).toContain("https://score.example/card.png");
  });

  test("HEAD has no body", async () => {
    const answer = await ask({ ":method": "HEAD", ":path": "/docs/rules" });
    expect(answer).toMatchObject({ status: 200, body: "" });
  });
});

test("a client that opens requests and leaves them, again and again, harms no other", async () => {
  const hasty = connect(server.url, { ca: (await getAuthority()).certificate });
  hasty.on("error", () => {});
  for (let sent = 0; sent < 500; sent++) {
    const stream = hasty.request({ ":path": "/docs/rules" });
    stream.on("error", () => {});
    stream.close(constants.NGHTTP2_CANCEL);
  }
  expect((await ask({ ":path": "/docs/rules" })).status).toBe(200);
  hasty.destroy();
  expect((await ask({ ":path": "/docs/rules" })).status).toBe(200);
});

test("a client that leaves its check is noted as one", async () => {
  const site = await startSlowSite();
  site.hold();
  const stream = session.request({
    ":method": "POST",
    ":path": "/api/v1/check",
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
  });
  stream.on("error", () => {});
  stream.end(JSON.stringify({ url: site.url }));
  await waitUntil("the visit has begun", () => site.requests.length > 0);
  stream.close(constants.NGHTTP2_CANCEL);
  await waitUntil("it is logged", () => server.log.join("").includes('"status":499'));
  site.release();
  await site.close();
});

const HEADERS = 1;
const END_STREAM = 1;
const END_HEADERS = 4;

/** A frame of the first stream. */
function writeFrame(type: number, payload: Buffer): Buffer {
  const head = Buffer.from([0, payload.length >> 8, payload.length & 255, type]);
  return Buffer.concat([head, Buffer.from([END_STREAM | END_HEADERS, 0, 0, 0, 1]), payload]);
}

/** A name or value of a header field that is written out. */
function writeText(word: string, index: number): Buffer {
  const isName = index % 2 === 0;
  return Buffer.from([...(isName ? [0] : []), word.length, ...Buffer.from(word)]);
}

/** A session in which nothing is sent by itself, of a client that never closes its connection. */
async function connectRaw(url: string): Promise<TLSSocket> {
  const raw = connectTls({
    host: "127.0.0.1",
    port: Number(new URL(url).port),
    ca: (await getAuthority()).certificate,
    ALPNProtocols: ["h2"],
    allowHalfOpen: true,
  } as ConnectionOptions);
  onTestFinished(() => void raw.destroy());
  await once(raw, "secureConnect");
  raw.on("error", () => {});
  const settings = Buffer.from("000000040000000000", "hex");
  raw.write(Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), settings]));
  await once(raw, "data");
  return raw.resume();
}

test("a server that stops ends its sessions, even of a client that keeps its connection", async () => {
  const other = await startTestServer({ env });
  await connectRaw(other.url);
  await other.close();
  await expect(connectRaw(other.url)).rejects.toThrow("ECONNREFUSED");
});

/** A server of its own behind the translation; its sessions are idle after 100 ms, or as told. */
async function listenPlain(
  answer: RequestListener,
  idleMs = 100,
): Promise<{ url: string; countConnections: () => Promise<number> }> {
  const plain = createServer({
    ...(await (await getAuthority()).issue({ hosts: ["127.0.0.1"] })),
    ALPNProtocols: ["h2"],
  });
  plain.on("request", answer).on("checkContinue", answer);
  speakHttp2(plain, idleMs);
  plain.listen(0, "127.0.0.1");
  onTestFinished(() => void plain.close());
  await once(plain, "listening");
  return {
    url: `https://127.0.0.1:${(plain.address() as AddressInfo).port}`,
    countConnections: () =>
      new Promise((resolve) => plain.getConnections((_error, count) => resolve(count))),
  };
}

describe("a connection does not outlive its idle session", () => {
  test("without a request", async () => {
    const { url, countConnections } = await listenPlain(() => {});
    await connectRaw(url);
    expect(await countConnections()).toBe(1);
    await expect.poll(countConnections, { timeout: 30_000 }).toBe(0);
  });

  test("with an answer that nobody takes", async () => {
    const { url, countConnections } = await listenPlain((_request, response) =>
      response.end("x".repeat(1_000_000)),
    );
    const idle = connect(url, { ca: (await getAuthority()).certificate });
    onTestFinished(() => idle.destroy());
    idle.on("error", () => {});
    const stream = idle.request({ ":path": "/" });
    stream.on("error", () => {});
    await once(stream, "response");
    await expect.poll(countConnections, { timeout: 30_000 }).toBe(0);
  });
});

test("who leaves without an error, in the middle of a body, is gone like any other", async () => {
  const seen = new Set<string>();
  const { url } = await listenPlain((request) => {
    seen.add("begun");
    request.once("close", () => seen.add("gone"));
  }, 60_000);
  const leaving = connect(url, { ca: (await getAuthority()).certificate });
  onTestFinished(() => leaving.destroy());
  leaving.on("error", () => {});
  const stream = leaving.request({ ":method": "POST", ":path": "/", expect: "100-continue" });
  stream.on("error", () => {});
  stream.write("x".repeat(1_000_000));
  await waitUntil("it has begun", () => seen.has("begun"));
  stream.close(constants.NGHTTP2_NO_ERROR);
  await waitUntil("it is gone", () => seen.has("gone"));
});
