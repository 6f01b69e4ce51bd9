import { once } from "node:events";
import { connect } from "node:net";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { newToken } from "../../server/access/tokens.ts";
import { newId } from "../../server/db/id.ts";
import { addPerson, addProject, countUsedChecks } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { startSlowSite, waitUntil } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";

let accountId: string;
let projectId: string;
let seen: number;

const INFO = 30;

const site = use(startSlowSite);
const server = useServer();
const alice = use(() => addPerson(server, "alice"));
beforeAll(async () => {
  projectId = await addProject(server, alice, "https://127.0.0.1:8443/");
  ({ accountId } = alice);
});
beforeEach(() => {
  seen = linesSoFar().length;
});

const linesSoFar = () =>
  server.log
    .join("")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as object);

/** The next line that is logged. */
async function nextLine(): Promise<object> {
  await waitUntil("a line is logged", () => linesSoFar().length > seen);
  return linesSoFar()[seen++] ?? {};
}

test.each<[string, path: () => string, method: string, status: number]>([
  ["a list", () => "/projects", "GET", 200],
  ["a read of a project", () => `/projects/${projectId}/incidents`, "GET", 200],
  ["a read of one that is not visible", () => `/projects/${newId("prj")}/last-ship`, "GET", 404],
  ["no route", () => "/nothing", "GET", 404],
  ["a check", () => "/check", "POST", 400],
])("%s is logged with the caller's account", async (_, path, method, status) => {
  await server.request(`/api/v1${path()}`, { token: alice.token, method });
  expect(await nextLine()).toMatchObject({ level: INFO, msg: "request", status, accountId });
});

test.each([undefined, newToken()])(
  "a request without a caller is logged without an account",
  async (token) => {
    await server.request("/api/v1/projects", { token });
    const line = await nextLine();
    expect(line).toMatchObject({ level: INFO, status: 401, route: "/api/v1/projects" });
    expect(line).not.toHaveProperty("accountId");
  },
);

test.each(["destroy", "resetAndDestroy"] as const)(
  "a client that disconnects during its upload (%s) is logged once, without an error, and uses no quota",
  async (leave) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${alice.token}\r\n` +
        "Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n",
    );
    await once(socket, "data");
    socket.write('{"url":');
    socket[leave]();
    expect(await nextLine()).toMatchObject({
      level: INFO,
      msg: "request",
      route: "/api/v1/check",
      status: 499,
      accountId,
    });
    await server.request("/healthz");
    expect(await nextLine()).toMatchObject({ route: "/healthz" });
    expect(await countUsedChecks(server, alice)).toBe(0);
  },
);

test("the log distinguishes a client that does not wait for its answer from one that got it", async () => {
  site.hold();
  const gone = new AbortController();
  const body = { url: site.url };
  const before = site.requests.length;
  const options = { token: alice.token, method: "POST", body, signal: gone.signal };
  const answer = server.request("/api/v1/check", options);
  await waitUntil("the check visits", () => site.requests.length > before);
  gone.abort();
  await expect(answer).rejects.toThrow("abort");
  expect(await nextLine()).toMatchObject({ route: "/api/v1/check", status: 499, accountId });
  site.release();
});

test("an overloaded connection is logged with one line for each handled request, and one more", async () => {
  const countMetric = async () =>
    (await server.deps.metrics.requests.get()).values.reduce((sum, { value }) => sum + value, 0);
  const before = await countMetric();
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname).on("error", () => {});
  socket.write("GET /sign-in HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1400));
  const lines = await Promise.all([nextLine(), nextLine()]);
  const refused = lines.filter((line) => !("status" in line));
  expect(refused).toEqual([expect.objectContaining({ level: INFO, msg: expect.any(String) })]);
  expect(await countMetric()).toBe(before + 1);
  await server.request("/healthz");
  expect(await nextLine()).toMatchObject({ route: "/healthz" });
});
