import Fastify from "fastify";
import { validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import { expect, test } from "vitest";
import * as z from "zod";
import { createErrorHandler } from "../../server/http/errors.ts";
import type { Deps } from "../../server/deps.ts";

/** A route that takes all that a route can; none of the API's own has parameters with a schema yet. */
function createRoute() {
  const app = Fastify().withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(validatorCompiler);
  app.setErrorHandler(createErrorHandler({} as Deps));
  const page = z.object({ page: z.coerce.number() });
  app.post(
    "/things/:page",
    {
      schema: {
        params: page,
        querystring: page,
        headers: page,
        body: z.object({ url: z.string() }),
      },
    },
    async () => "found",
  );
  return app;
}

test.each<[what: string, wrong: object, status: number, code: string]>([
  ["a parameter of the path", { url: "/things/x?page=1" }, 404, "route_not_found"],
  ["a parameter of the query", { url: "/things/1?page=x" }, 400, "http_unreadable"],
  ["a missing one", { url: "/things/1" }, 400, "http_unreadable"],
  ["a header", { headers: { page: "x" } }, 400, "http_unreadable"],
  ["a field of the body", { payload: { url: 1 } }, 400, "body_url_invalid"],
  ["a body that is no object", { payload: [] }, 400, "body_not_an_object"],
])("the error names the invalid input: %s", async (_, wrong, status, code) => {
  const right = { url: "/things/1?page=1", headers: { page: "1" }, payload: { url: "x" } };
  const answer = await createRoute().inject({ method: "POST", ...right, ...wrong });
  expect([answer.statusCode, answer.headers["x-shipscore-error"]]).toEqual([status, code]);
});
