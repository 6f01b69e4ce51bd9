import { setTimeout as sleep } from "node:timers/promises";
import Fastify from "fastify";
import { beforeEach, expect, test } from "vitest";
import { renderDocument } from "../../server/web/kit/document.tsx";
import { servePublicPage } from "../../server/web/pages/public/public-pages.ts";

const LONG = "x".repeat(2000);
const LANGUAGES = ["fr", "en"] as const;
const ENCODINGS = ["identity", "gzip", "br"] as const;

let rendered: string[];
let isBroken: boolean;
let sent: unknown[];
let app: ReturnType<typeof createApp>;

function createApp() {
  const door = Fastify();
  door.addHook("onSend", async (_request, { statusCode }, payload) => {
    if (statusCode === 200) sent.push(payload);
    return payload;
  });
  door.decorateRequest("signedIn");
  door.addHook("onRequest", async (request) => {
    const { "x-person": email, "accept-language": language } = request.headers;
    const signedIn = { email, openIncidents: 3, language };
    if (email !== undefined) Object.assign(request, { signedIn });
  });
  servePublicPage(door, "/page", async (reader) => {
    rendered.push(reader.language);
    await sleep(1);
    if (isBroken) throw new Error("broken");
    return renderDocument({ ...reader, title: "Page", children: `${reader.language} ${LONG}` });
  });
  return door;
}

beforeEach(() => {
  [rendered, sent, isBroken] = [[], [], false];
  app = createApp();
});

const ask = (host: string, language = "fr", encoding = "identity") =>
  app.inject({
    url: "/page",
    headers: { host, "accept-language": language, "accept-encoding": encoding },
  });

test("for many simultaneous requests, it is rendered once per language, and compressed once per encoding", async () => {
  const asked = Array.from({ length: 100 }, (_, index) => `h${index}.example`).flatMap((host) =>
    LANGUAGES.flatMap((language) => ENCODINGS.map((encoding) => ask(host, language, encoding))),
  );
  const statuses = (await Promise.all(asked)).map(({ statusCode }) => statusCode);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(rendered.toSorted()).toEqual(["en", "fr"]);
  expect(sent).toHaveLength(600);
  expect(new Set(sent).size).toBe(LANGUAGES.length * ENCODINGS.length);
});

test("signed-in users get the page rendered for visitors, with their own header and footer", async () => {
  const people = ["ann@example.com", "ben@example.com", undefined];
  for (const language of LANGUAGES)
    for (const email of [...people, ...people]) {
      const headers = { "accept-language": language, ...(email && { "x-person": email }) };
      const { body } = await app.inject({ url: "/page", headers });
      const person = email === undefined ? undefined : { email, openIncidents: 3 };
      const content = `${language} ${LONG}`;
      expect(body).toBe(
        renderDocument({ language, path: "/page", person, title: "Page", children: content }),
      );
    }
  expect(rendered.toSorted()).toEqual(["en", "fr"]);
});

test("a failure for all simultaneous requests is tried again", async () => {
  isBroken = true;
  const failed = await Promise.all([ask("x"), ask("x", "fr", "br"), ask("y")]);
  expect(failed.map(({ statusCode }) => statusCode)).toEqual([500, 500, 500]);
  expect(rendered).toEqual(["fr"]);
  isBroken = false;
  expect((await ask("x")).statusCode).toBe(200);
});
