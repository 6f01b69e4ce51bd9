import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../server/db/id.ts";
import { addPeople, addProject, type Person } from "../harness/people.ts";
import { sendRaw } from "../harness/raw-http.ts";
import { useServer } from "../harness/server.ts";

let carol: Person;
let invisible: string;

const server = useServer();
beforeAll(async () => {
  const people = await addPeople(server);
  carol = people.carol;
  invisible = await addProject(server, people.alice, "https://127.0.0.1:8443/");
});

const ask = (method: string, path: string) =>
  sendRaw(
    server.url,
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${carol.token}\r\n\r\n`,
  );

describe.each(["incidents", "last-ship"])("a project's %s", (read) => {
  test.each<[string, () => string]>([
    ["unknown", () => newId("prj")],
    ["not visible", () => invisible],
    ["malformed", () => "abc"],
    ["a path", () => "..%2Fx"],
    ["a NUL", () => "%00"],
    ["a broken escape", () => "%ZZ"],
    ["a lone surrogate", () => "%ED%A0%80"],
    ["10,000 characters", () => "a".repeat(10_000)],
    ["SQL", () => "'%20or%201=1--"],
    ["another noun's id", () => newId("chk")],
  ])("%s: the same 404", async (_, id) => {
    const answer = await ask("GET", `/api/v1/projects/${id()}/${read}`);
    const unknown = await ask("GET", `/api/v1/projects/prj_0/${read}`);
    expect(answer).toEqual({ ...unknown, requestId: answer.requestId });
    expect([answer.status, answer.body]).toEqual([404, '{"error":"Projet introuvable."}']);
    expect(answer.headers).toContain("x-shipscore-error: project_not_found");
  });
});

test.each([
  ["GET", "/api/v1/nothing"],
  ["GET", "/api/v1/check"],
  ["POST", "/api/v1/projects"],
  ["HEAD", "/api/v1/projects"],
  ["DELETE", "/api/v1/projects/abc/incidents"],
  ["GET", "/api/v1/projects/abc"],
  ["GET", "/api/v1/projects/"],
  ["GET", "/api/v1/%zz"],
])("%s %s is no route", async (method, path) => {
  const answer = await ask(method, path);
  expect(answer.status).toBe(404);
  expect(answer.headers).toContain("content-length: 30");
  expect(answer.headers).toContain("x-shipscore-error: route_not_found");
  if (method !== "HEAD") expect(answer.body).toBe('{"error":"Route introuvable."}');
});

test("no answer repeats the URL", async () => {
  const answer = await ask("GET", "/api/v1/secret-path-psk_abc");
  expect(JSON.stringify(answer)).not.toContain("secret");
  expect(server.log.join("")).not.toContain("secret-path");
});

test("a request with two lengths, which is not HTTP, is rejected in French too", async () => {
  const lengths = "Content-Length: 1\r\nContent-Length: 2\r\n\r\n";
  const answer = await sendRaw(server.url, `GET / HTTP/1.1\r\nHost: localhost\r\n${lengths}`);
  expect(answer.status).toBe(400);
  expect((JSON.parse(answer.body) as { error: string }).error).toMatch(/requête/);
  expect(answer.requestId).toMatch(/^req_/);
});
