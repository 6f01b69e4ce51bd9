import { createServer } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { runCli, runShell, startCli, TOKEN } from "../harness/cli.ts";
import {
  contract,
  json,
  PROJECTS,
  startContractDouble,
  type Handler,
} from "../harness/contract-double.ts";
import { listen } from "../harness/site.ts";

async function runAgainst(handle: Handler, ...args: string[]) {
  await using server = await startContractDouble(handle);
  const ran = await runCli(args.length > 0 ? args : ["projects"], server.env);
  return { ...ran, requests: [...server.requests] };
}

/** Fails so many requests, then answers as the API does. */
function failing(count: number, fail: Handler): Handler {
  return (request, response, number) =>
    (number <= count ? fail : contract)(request, response, number);
}

const cutConnection: Handler = (_, response) => response.destroy();

test.each([
  [{ SHIPSCORE_TOKEN: "" }, 41, "SHIPSCORE_TOKEN is empty"],
  [{ SHIPSCORE_TOKEN: `${TOKEN}x` }, 41, "SHIPSCORE_TOKEN is malformed"],
  [{ SHIPSCORE_URL: "http://shipscore.example" }, 2, "SHIPSCORE_URL uses plain http"],
  [{ SHIPSCORE_TARGET_HEADERS: "x" }, 2, "SHIPSCORE_TARGET_HEADERS is not JSON"],
])("%j is an error before anything is sent", async (env, exitCode, part) => {
  await using server = await startContractDouble();
  const usual = server.env;
  const ran = await runCli(["check", "https://example.com/"], { ...usual, ...env });
  expect([ran.exitCode, ran.stdout]).toEqual([exitCode, ""]);
  expect(ran.stderr).toContain(part);
  expect(server.requests).toEqual([]);
});

describe("an error of the API", () => {
  test.each([
    [400, 40],
    [401, 41],
    [404, 44],
    [429, 49],
    [500, 50],
  ])("%i exits %i immediately, quoting its sentence", async (status, exitCode) => {
    const error = "C’est « non ».";
    const ran = await runAgainst(json({ error }, status));
    expect([ran.exitCode, ran.stdout, ran.requests.length]).toEqual([exitCode, "", 1]);
    expect(ran.stderr).toContain(`"${error}"`);
    expect(ran.stderr).toMatch(/ \(request req-1\)\n$/);
  });

  test("is printed by --json", async () => {
    const body = { error: "Quota épuisé.", quota: { used: 30, limit: 30, remaining: 0 } };
    const ran = await runAgainst(json(body, 429), "check", "https://example.com/", "--json");
    expect(ran.exitCode).toBe(49);
    expect(JSON.parse(ran.stdout)).toEqual(body);
    expect(ran.stderr).toContain("(30 of 30; it resets on");
  });
});

test("a server's page with an error code exits like that error", async () => {
  const headers = { "content-type": "text/html", "x-shipscore-error": "route_not_found" };
  const ran = await runAgainst((_, response) => response.writeHead(404, headers).end("<!doctype"));
  expect([ran.exitCode, ran.stdout, ran.requests.length]).toEqual([44, "", 1]);
  expect(ran.stderr).toBe(
    "shipscore: Route not found. Check the path of SHIPSCORE_URL: the API is not there.\n",
  );
});

describe("an answer from another API exits 3", () => {
  const REDIRECT = 'redirects to "/login", and the token never follows a redirect';
  const UNREAD =
    'returned 200 with "{"data":[]}", which is not a shipscore server\'s response: projects is missing';
  const redirect: Handler = (_, response) => response.writeHead(302, { location: "/login" }).end();
  const huge: Handler = (_, response) => response.end(Buffer.alloc(9_000_000, " "));
  test.each<[string, Handler, string]>([
    ["a portal", (_, response) => response.end("<html>\n<p>Log in"), 'returned 200 with "<html>"'],
    ["another API", json({ data: [] }), UNREAD],
    ["an error without its body", json({ message: "no" }, 401), "returned 401 with"],
    ["another status", json({ error: "Non." }, 403), "returned 403 with"],
    ["a redirect", redirect, REDIRECT],
    ["a body over 8 MB", huge, "sent more than 8 MB"],
  ])("%s", async (_, handle, part) => {
    const ran = await runAgainst(handle, "projects", "--json");
    expect([ran.exitCode, ran.stdout, ran.requests.length]).toEqual([3, "", 1]);
    expect(ran.stderr).toContain(part);
  });
});

describe("a compressed answer", () => {
  const coded =
    (coding: string, encode: (text: string) => Buffer): Handler =>
    (_, response) =>
      void response
        .writeHead(200, { "content-type": "application/json", "content-encoding": coding })
        .end(encode(JSON.stringify(PROJECTS)));

  test("is rejected if it was not requested", async () => {
    const ran = await runAgainst(coded("br", brotliCompressSync));
    expect(ran.exitCode).toBe(3);
    expect(ran.stderr).toContain(
      "sent a response in an encoding that the command does not accept: br",
    );
  });

  test("is read as gzip, but not as a zip bomb", async () => {
    const ran = await runAgainst(coded("gzip", gzipSync), "projects", "--json");
    expect(JSON.parse(ran.stdout)).toEqual(PROJECTS);
    const bomb = await runAgainst(coded("gzip", () => gzipSync(Buffer.alloc(9_000_000))));
    expect([bomb.exitCode, bomb.stderr]).toEqual([3, expect.stringContaining("more than 8 MB")]);
  });
});

describe("a temporary failure is retried", () => {
  test("with the same Idempotency-Key, and a message about each wait", async () => {
    const check = ["check", "https://example.com/"];
    const ran = await runAgainst(failing(1, cutConnection), ...check);
    expect([ran.exitCode, ran.requests.length]).toEqual([0, 2]);
    expect(ran.stderr).toMatch(
      /^shipscore: the connection was lost\. Trying again in [01](?:\.\d)? s \(1 of 3\)\.\n$/,
    );
    expect(new Set(ran.requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    const again = await runAgainst(contract, ...check);
    expect(again.requests[0]?.headers["idempotency-key"]).not.toBe(
      ran.requests[0]?.headers["idempotency-key"],
    );
  });

  test("after the time that the server names", async () => {
    const busy = json({ error: "Trop." }, 503, { "retry-after": "1", "x-shipscore-error": "busy" });
    const ran = await runAgainst(failing(1, busy));
    expect([ran.exitCode, ran.requests.length]).toEqual([0, 2]);
    expect(ran.stderr).toBe(
      "shipscore: the server is running its maximum of checks. Trying again in 1 s.\n",
    );
  });

  test("but not beyond --timeout", async () => {
    const down = json({ error: "Indisponible." }, 503, { "retry-after": "5" });
    const ran = await runAgainst(down, "projects", "--timeout", "2");
    expect([ran.exitCode, ran.requests.length]).toEqual([53, 1]);
    expect(ran.stderr).toContain('the server is temporarily unavailable: "Indisponible."');
  });

  test("at most three times", async () => {
    const gateway: Handler = (_, response) =>
      response.writeHead(502, { "retry-after": "0" }).end("<h1>Bad gateway</h1>");
    const ran = await runAgainst(gateway);
    expect([ran.exitCode, ran.requests.length]).toEqual([3, 4]);
    expect(ran.stderr).toContain('returned 502 with "<h1>Bad gateway</h1>"');
  });

  test("also if an answer is cut off", async () => {
    const cut: Handler = (_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("{");
      setTimeout(() => response.destroy(), 50);
    };
    const ran = await runAgainst(failing(1, cut));
    expect([ran.exitCode, ran.requests.length]).toEqual([0, 2]);
  });
});

test("a server that never answers exits 3 at --timeout", async () => {
  const ran = await runAgainst(() => {}, "projects", "--timeout", "1");
  expect(ran.exitCode).toBe(3);
  expect(ran.stderr).toMatch(/ did not respond within 1 s\. .* --timeout SECONDS\.\n$/);
});

describe("a --timeout during a retry reports the last complete answer:", () => {
  const down = json({ error: "Indisponible." }, 503, { "retry-after": "0" });

  test.each<[string, Handler]>([
    ["the retry is never answered", () => {}],
    ["its answer is not whole", (_, response) => void response.writeHead(200).write("{")],
  ])("%s", async (_, retry) => {
    const handle: Handler = (...call) => (call[2] === 1 ? down : retry)(...call);
    const ran = await runAgainst(handle, "projects", "--timeout", "2");
    expect([ran.exitCode, ran.requests.length > 1]).toEqual([53, true]);
    expect(ran.stderr).toContain('the server is temporarily unavailable: "Indisponible."');
  });

  test("also after answers of another kind", async () => {
    const gateway: Handler = (_, response, count) => {
      if (count === 1) response.writeHead(502, { "retry-after": "0" }).end("<h1>Bad gateway</h1>");
    };
    const ran = await runAgainst(gateway, "projects", "--timeout", "2");
    expect(ran.exitCode).toBe(3);
    expect(ran.stderr).toContain('returned 502 with "<h1>Bad gateway</h1>"');
  });
});

test("an unreachable server exits 3 immediately", async () => {
  const env = { SHIPSCORE_URL: "http://127.0.0.1:1", SHIPSCORE_TOKEN: TOKEN };
  const ran = await runCli(["projects"], env);
  expect([ran.exitCode, ran.stdout]).toEqual([3, ""]);
  expect(ran.stderr).toMatch(/^shipscore: http:\/\/127\.0\.0\.1:1 refused the connection/);
});

test("a loopback request never goes through a proxy", async () => {
  let connectionCount = 0;
  const proxy = createServer((socket) => {
    connectionCount++;
    socket.destroy();
  });
  const proxyUrl = `http://127.0.0.1:${await listen(proxy, new Set())}`;
  const token = { SHIPSCORE_TOKEN: TOKEN, HTTP_PROXY: proxyUrl, HTTPS_PROXY: proxyUrl };

  await using server = await startContractDouble();
  const local = await runCli(["projects"], { ...token, SHIPSCORE_URL: server.url });
  expect([local.exitCode, connectionCount]).toEqual([0, 0]);

  const remote = { ...token, SHIPSCORE_URL: "https://shipscore.example" };
  const proxied = await runCli(["projects", "--timeout", "1"], remote);
  expect(proxied.exitCode).toBe(3);
  expect(connectionCount).toBeGreaterThan(0);
  proxy.close();
});

test("a result that can't be written exits 74", async () => {
  await using server = await startContractDouble();
  expect(await runShell("node bin/shipscore.js projects > /dev/full", server.env)).toEqual({
    exitCode: 74,
    stdout: "",
    stderr:
      "shipscore: the result cannot be written (ENOSPC). Check the disk, or the file to which stdout is redirected.\n",
  });
});

test("an error that can't be written as JSON exits 74, and both errors are reported", async () => {
  await using server = await startContractDouble(json({ error: "Jeton révoqué." }, 401));
  const ran = await runShell("node bin/shipscore.js projects --json > /dev/full", server.env);
  expect(ran.exitCode).toBe(74);
  expect(ran.stderr).toMatch(/"Jeton révoqué\." .*\n.*cannot be written \(ENOSPC\)/);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s exits %i silently", async (signal, exitCode) => {
  await using server = await startContractDouble((_, __, count) => {
    if (count === 1) running.kill(signal);
  });
  const running = startCli(["projects"], server.env);
  const { stdout, stderr, exitCode: code } = await running;
  expect([code, stdout, stderr]).toEqual([exitCode, "", ""]);
});
