import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { runCli, TOKEN } from "../harness/cli.ts";
import { contract, json, startContractDouble, type Handler } from "../harness/contract-double.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";
import manifest from "../../cli/package.json" with { type: "json" };

const health =
  (value: object, headers?: Record<string, string>): Handler =>
  (request, response, count) =>
    (request.path === "/healthz" ? json(value, 200, headers) : contract)(request, response, count);

const server = use(() => startContractDouble(health({ status: "ok", version: manifest.version })));

interface Step {
  step: string;
  state: string;
  text: string;
}

async function diagnose(env: Record<string, string>, ...flags: string[]) {
  const { exitCode, stdout, stderr } = await runCli(["doctor", "--json", ...flags], env);
  expect(stderr).toBe("");
  const { steps } = JSON.parse(stdout) as { steps: Step[] };
  return { exitCode, steps, byName: new Map(steps.map((step) => [step.step, step])) };
}

const STEPS = [
  "SHIPSCORE_TOKEN",
  "Address",
  "Proxy",
  "DNS",
  "TCP",
  "TLS",
  "Server",
  "Token",
  "Clock",
  "Version",
];

describe("the first failing step decides the exit code, and says what to do", () => {
  const set = (url: string) => ({ SHIPSCORE_URL: url, SHIPSCORE_TOKEN: TOKEN });

  test.each<[step: string, env: () => Record<string, string>, exitCode: number, text: RegExp]>([
    [
      "SHIPSCORE_TOKEN",
      () => ({ SHIPSCORE_URL: server.url }),
      41,
      /is not set\. Set it to a token/,
    ],
    ["Address", () => set("shop"), 2, /SHIPSCORE_URL is not a URL/],
    ["Address", () => set("http://shop.example/"), 2, /plain http/],
    ["Proxy", () => ({ ...set("https://a.example/"), HTTPS_PROXY: "7" }), 2, /HTTPS_PROXY is not/],
    ["DNS", () => set("https://nonesuch.invalid/"), 3, /DNS does not know|could not be resolved/],
    ["TCP", () => set("http://127.0.0.1:9/"), 3, /refused the connection \(ECONNREFUSED\)/],
    [
      "TLS",
      () => set(server.url.replace("http:", "https:")),
      3,
      /does not respond as a TLS server/,
    ],
  ])("%s", async (step, env, exitCode, text) => {
    const { steps, ...rest } = await diagnose(env());
    expect(rest.exitCode).toBe(exitCode);
    expect(steps.map((one) => one.step)).toEqual(STEPS);
    expect(steps.find(({ state }) => state === "failed")).toMatchObject({
      step,
      text: expect.stringMatching(text) as string,
    });
  });

  test("TLS, if the certificate is not trusted", async () => {
    const site = await startSite({ routes: {} });
    const { exitCode, byName } = await diagnose(set(site.url));
    await site.close();
    expect([exitCode, byName.get("TLS")?.state]).toEqual([3, "failed"]);
    expect(byName.get("TLS")?.text).toContain("NODE_EXTRA_CA_CERTS");
  });

  test("Server, if it is another service, which never gets the token", async () => {
    await using portal = await startContractDouble((_, response) => void response.end("<html>Hi"));
    const { exitCode, byName } = await diagnose(set(portal.url));
    expect([exitCode, byName.get("Server")?.state]).toEqual([3, "failed"]);
    expect(byName.get("Server")?.text).toContain('returned 200 with "<html>Hi"');
    expect(portal.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  test("Token, if it is rejected", async () => {
    await using strict = await startContractDouble((request, response, count) =>
      (request.path === "/healthz"
        ? json({ status: "ok" })
        : json({ error: "Jeton révoqué." }, 401))(request, response, count),
    );
    const { exitCode, byName } = await diagnose(set(strict.url));
    expect([exitCode, byName.get("Token")?.state]).toEqual([41, "failed"]);
    expect(byName.get("Token")?.text).toContain("Jeton révoqué.");
    expect(byName.get("Clock")?.state).toBe("good");
  });

  test("TCP, if nothing listens", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as { port: number };
    const { exitCode, byName } = await diagnose(set(`https://127.0.0.1:${port}/`));
    silent.close();
    expect([exitCode, byName.get("TCP")?.state, byName.get("TLS")?.state]).toEqual([
      3,
      "good",
      "failed",
    ]);
  });
});

test.each([
  [[], "10 s"],
  [["--timeout", "1"], "1 s"],
])("it ends even if the server never answers: %j", async (flags, limit) => {
  await using hung = await startContractDouble(() => {});
  const { exitCode, byName } = await diagnose(hung.env, ...flags);
  expect([exitCode, byName.get("Server")?.state]).toEqual([3, "failed"]);
  expect(byName.get("Server")?.text).toContain(`did not respond within ${limit}. Try again, or`);
});

const NOT_PASSED_ON: readonly [string, Handler][] = [
  ["404", json({ message: "no route" }, 404)],
  ["a page", (_, response) => void response.end("<html>Shop")],
  ["a way to a login", (_, response) => void response.writeHead(302, { location: "/" }).end()],
  ["nothing", (_, { socket }) => void socket?.destroy()],
];

test.each(NOT_PASSED_ON)(
  "the setup is fine behind a gateway that forwards only the API, and answers %s elsewhere",
  async (_, elsewhere) => {
    await using gateway = await startContractDouble((request, response, count) => {
      if (!request.path.startsWith("/api/v1/")) return elsewhere(request, response, count);
      const { authorization } = request.headers;
      return (authorization ? contract : json({ error: "Jeton absent." }, 401))(
        request,
        response,
        count,
      );
    });
    const { exitCode, steps, byName } = await diagnose(gateway.env);
    expect([exitCode, steps.filter(({ state }) => state !== "good")]).toEqual([0, []]);
    expect(byName.get("Server")?.text).toMatch(/its \/healthz cannot be reached$/);
    expect(byName.get("Version")?.text).toMatch(/the server does not send its version$/);
  },
);

test("a gateway that rejects requests without a token is no failure if the server's health is known", async () => {
  await using gateway = await startContractDouble((request, response, count) => {
    const isOpen = request.path === "/healthz" || request.headers.authorization !== undefined;
    const answer = isOpen ? health({ status: "ok" }) : json({ message: "Unauthorized" }, 401);
    answer(request, response, count);
  });
  const { exitCode, steps } = await diagnose(gateway.env);
  expect([exitCode, steps.filter(({ state }) => state !== "good")]).toEqual([0, []]);
});

test("an unset setting is a default, and --verbose traces each request without the token", async () => {
  const env = { SHIPSCORE_TOKEN: TOKEN };
  const byDefault = await runCli(["doctor"], env);
  expect(byDefault.stdout).toContain("Address\tgood\thttp://127.0.0.1:7070/ (default)\n");
  expect(byDefault.stdout).toContain("Proxy\tgood\tnone (default)\n");
  const args = ["doctor", "--verbose", "--field", "steps.1.text", "--base-url", server.url];
  const set = await runCli(args, env);
  expect(set.stdout).toBe(`${server.url}/\n`);
  const requests = set.stderr.split("\n").filter((line) => line.startsWith("> "));
  expect(requests).toEqual([
    `> GET ${server.url}/api/v1/projects`,
    `> GET ${server.url}/healthz`,
    `> GET ${server.url}/api/v1/projects, Authorization: Bearer ***`,
  ]);
});

describe("a setup that works imperfectly is reported and exits 0", () => {
  const env = (url: string) => ({ SHIPSCORE_URL: url, SHIPSCORE_TOKEN: TOKEN });

  test.each<[step: string, handler: Handler, text: RegExp]>([
    [
      "Clock",
      health({ status: "ok" }, { date: "Fri, 20 Nov 2020 08:30:00 GMT" }),
      /\d+ minutes ahead of the server's: correct/,
    ],
    ["Version", health({ status: "ok", version: "99.1.0" }), /server 99\.1\.0: install/],
  ])("%s", async (step, handler, text) => {
    await using odd = await startContractDouble(handler);
    const { exitCode, byName } = await diagnose(env(odd.url));
    expect([exitCode, byName.get(step)?.state]).toEqual([0, "doubtful"]);
    expect(byName.get(step)?.text).toMatch(text);
  });
});

test("a working setup has a tick for each step", async () => {
  const env = { ...server.env, SHIPSCORE_FORCE_TTY: "80" };
  const { exitCode, stdout } = await runCli(["doctor"], env);
  expect([exitCode, stdout.match(/^✓ /gm)?.length]).toEqual([0, STEPS.length]);
  expect(stdout).toContain("✓ Token            accepted; visible projects: 4\n");
  expect(stdout).not.toContain(TOKEN);
  const piped = await runCli(["doctor"], server.env);
  expect(piped.stdout.split("\n")[0]).toBe("SHIPSCORE_TOKEN\tgood\tset and well formed");
});
