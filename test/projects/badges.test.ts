import { expect, test } from "vitest";
import { setBadge } from "../../server/projects/badges.ts";
import { actorOf, addPerson, addProject } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const ADDRESS = "https://127.0.0.1:8443/";

const server = use(() =>
  startTestServer({
    env: { SHIPSCORE_PUBLIC_URL: "https://score.example.net/in/" },
  }),
);
const alice = use(() => addPerson(server, "alice"));

const addOne = () => addProject(server, alice, ADDRESS);
const setIn = (project: string, isOn: boolean) =>
  setBadge(server.deps, actorOf(alice), project, isOn);

test("it has an absolute URL if the server knows its own", async () => {
  expect(await setIn(await addOne(), true)).toMatch(
    /^https:\/\/score\.example\.net\/badge\/[0-9A-Za-z]{22}\.svg$/,
  );
});

test("each project has its own URL, which is kept until the badge is turned off", async () => {
  const [one, other] = [await addOne(), await addOne()];
  const address = await setIn(one, true);
  expect(await setIn(other, true)).not.toBe(address);
  expect(await setIn(one, true)).toBe(address);
  expect(await setIn(other, false)).toBeNull();
  expect(await setIn(one, true)).toBe(address);
});

test("turned off and on again it has a new URL", async () => {
  const project = await addOne();
  const address = await setIn(project, true);
  expect(await setIn(project, false)).toBeNull();
  expect(await setIn(project, false)).toBeNull();
  expect(await setIn(project, true)).not.toBe(address);
});

test("turned on several times at once it has one URL", async () => {
  const project = await addOne();
  const addresses = await Promise.all(Array.from({ length: 8 }, () => setIn(project, true)));
  expect(new Set(addresses).size).toBe(1);
});
