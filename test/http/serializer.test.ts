import Fastify from "fastify";
import { expect, test } from "vitest";
import { compileSerializer } from "../../server/http/requests.ts";
import { ProjectList } from "../../shared/project.ts";

const PROJECT = {
  id: "prj_00000000000000000001",
  name: "Site",
  url: "https://example.com/",
  state: "up",
  stateSince: "2026-01-01T00:00:00.000Z",
  role: "owner",
  lastCheckedAt: null,
  score: 84,
};

async function answerWith(project: object) {
  const app = Fastify().setSerializerCompiler(compileSerializer);
  app.setErrorHandler((_error, _request, reply) => reply.status(500).send("refused"));
  app.get("/", { schema: { response: { 200: ProjectList } } }, async () => ({
    projects: [PROJECT, project],
  }));
  const { statusCode, body } = await app.inject("/");
  return { statusCode, body };
}

test.each([
  ["a score above 100", { score: 101 }],
  ["a score that is no whole number", { score: 1.5 }],
  ["a state that there is not", { state: "asleep" }],
  ["a time without a zone", { stateSince: "2026-01-01T00:00:00" }],
  ["a date in place of its text", { lastCheckedAt: new Date(0) }],
  ["no name", { name: undefined }],
])("an answer with %s is not sent", async (_, wrong) => {
  expect(await answerWith({ ...PROJECT, ...wrong })).toEqual({ statusCode: 500, body: "refused" });
});

test("an answer is sent without properties that its schema does not name", async () => {
  expect(await answerWith({ ...PROJECT, ownerId: "acc_00000000000000000001" })).toEqual({
    statusCode: 200,
    body: JSON.stringify({ projects: [PROJECT, PROJECT] }),
  });
});
