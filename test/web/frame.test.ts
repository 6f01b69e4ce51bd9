import { afterAll, beforeAll, expect, test } from "vitest";
import { signIn, signedOut } from "../harness/application.ts";
import { addPeople, type Person } from "../harness/people.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let people: Record<"alice" | "bob" | "carol", Person>;
beforeAll(async () => {
  server = await startTestServer();
  people = await addPeople(server);
});
afterAll(() => server.close());

test("the language that is chosen in the footer is kept, and leads back to the page", async () => {
  const client = await signIn(server, people.alice);
  const answer = await client.post("/language", { language: "fr", next: "/projects?page=2" });
  expect([answer.status, answer.location]).toEqual([303, "/projects?page=2"]);
});

test("a form whose session is over becomes the sign-in, and carries what was typed", async () => {
  const { status, page } = await signedOut(server).post("/language", { language: "fr" });
  expect([status, page.h1, page.buttons]).toEqual([200, "Sign in", ["Sign in"]]);
  expect(page.form("/sign-in").sent("Sign in")).toEqual({
    next: "/projects",
    draft: JSON.stringify({ action: "/language", fields: { language: "fr" } }),
    email: "",
    password: "",
  });
});
