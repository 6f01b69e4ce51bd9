import Fastify from "fastify";
import { describe, expect, test } from "vitest";
import { refuseForeignPages } from "../../server/http/origin.ts";
import { isAppError } from "../../server/base/errors.ts";
import { describeError } from "../../server/http/errors.ts";

const CONFIG = { publicUrl: undefined, tls: undefined, behindTlsProxy: false };
const OWN = "http://score.example.com";

const app = Fastify();
app.setErrorHandler((error, _request, reply) => {
  if (!isAppError(error, "origin_foreign")) throw error;
  const { status, code, sentence } = describeError(error);
  return reply.status(status).send([code, sentence]);
});
app.post("/", { onRequest: refuseForeignPages(CONFIG) }, () => "taken");

const post = (headers: Record<string, string | string[]>) =>
  app.inject({
    method: "POST",
    url: "/",
    headers: { host: "score.example.com", ...headers },
    payload: "{",
  });

describe("a page of another site is rejected before its body is read", () => {
  test.each<[string, Record<string, string | string[]>]>([
    ["with its Origin", { origin: "https://evil.example" }],
    ["of another port", { origin: "http://score.example.com:8080" }],
    ["that hides its Origin", { origin: "null" }],
    ["of a sandbox", { origin: "null", "sec-fetch-site": "cross-site" }],
    ["of a subdomain", { origin: "http://www.score.example.com", "sec-fetch-site": "same-site" }],
    ["with Sec-Fetch-Site alone", { "sec-fetch-site": "cross-site" }],
    ["with Sec-Fetch-Site twice", { "sec-fetch-site": ["same-origin", "cross-site"] }],
    ["that says it is ours", { origin: OWN, "sec-fetch-site": "cross-site" }],
  ])("%s", async (_, headers) => {
    const answer = await post(headers);
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toEqual([
      "origin_foreign",
      "La requête provient d'une page d'un autre site. Envoyez-la depuis une page de ce serveur, ou depuis un programme qui n'envoie pas d'en-tête Origin.",
    ]);
  });
});

describe("a request passes", () => {
  test.each<[string, Record<string, string>]>([
    ["a program", {}],
    ["a page of this server", { origin: OWN, "sec-fetch-site": "same-origin" }],
    ["one of a browser without Sec-Fetch-Site", { origin: OWN }],
    ["what a person typed", { "sec-fetch-site": "none" }],
  ])("%s", async (_, headers) => {
    const answer = await post({ "content-type": "text/plain", ...headers });
    expect(answer.body).toBe("taken");
  });
});
