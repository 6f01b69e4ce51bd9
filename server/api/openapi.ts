import fastifySwagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";
import { memberName } from "../../shared/dictionary.ts";
import {
  API_ERROR_CODES,
  API_ERRORS,
  ERROR_HEADER,
  PARAMETERS_HEADER,
  parametersOf,
  type ApiErrorCode,
} from "../../shared/errors.ts";
import { QUOTA_HEADER } from "../../shared/quota.ts";

const ERROR_CODES = {
  description: "Which error it is. A newer server may add codes: go by the status then.",
  schema: { type: "string" as const, enum: [...API_ERROR_CODES] },
};

function describeParameters(codes: readonly ApiErrorCode[]): Record<string, object> {
  const told = codes.flatMap((code) => {
    const parameters = Object.entries(parametersOf(code)).map(
      ([name, kind]) => `${memberName(name)} (${kind})`,
    );
    return parameters.length === 0 ? [] : [`${code}: ${parameters.join(", ")}`];
  });
  const description = `What the error's sentence says, as a dictionary of RFC 9651. ${told.join("; ")}.`;
  return told.length === 0 ? {} : { [PARAMETERS_HEADER]: { type: "string", description } };
}

type RouteDescription = ReturnType<typeof jsonSchemaTransform>;

const QUOTA = {
  type: "string",
  description:
    "The month's checks, used and in all, as a structured dictionary: used=12, limit=300",
};

function describeHeaders({ schema, url }: RouteDescription): RouteDescription {
  const answers = Object.entries((schema.response ?? {}) as Record<string, object>);
  const response = answers.map(([status, answer]) => {
    if (status === "200" && url.endsWith("/projects"))
      return [status, { ...answer, headers: { [QUOTA_HEADER]: QUOTA } }];
    const codes = API_ERROR_CODES.filter((code) => String(API_ERRORS[code].status) === status);
    if (codes.length === 0) return [status, answer];
    const header = { type: "string", enum: codes, description: "Which error it is." };
    return [
      status,
      { ...answer, headers: { [ERROR_HEADER]: header, ...describeParameters(codes) } },
    ];
  });
  return { schema: { ...schema, response: Object.fromEntries(response) as object }, url };
}

/** Call this function before the routes below the prefix are registered. */
export async function registerOpenApi(app: FastifyInstance, prefix: string): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "shipscore", version: "1", description: "Is this URL fit to ship?" },
      components: {
        headers: { [ERROR_HEADER]: ERROR_CODES },
        securitySchemes: { token: { type: "http", scheme: "bearer", bearerFormat: "psk_" } },
      },
      security: [{ token: [] }],
    },
    transform: (route) =>
      route.url.startsWith(`${prefix}/`)
        ? describeHeaders(jsonSchemaTransform(route))
        : { schema: { hide: true }, url: route.url },
  });
  app.get("/openapi.json", async () => app.swagger());
}
