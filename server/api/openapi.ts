import fastifySwagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";

/** GET /openapi.json: what is below the prefix, from the schemas of its routes. To be registered before them. */
export async function registerOpenApi(app: FastifyInstance, prefix: string): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "shipscore", version: "1", description: "Is this URL fit to ship?" },
      components: {
        securitySchemes: { token: { type: "http", scheme: "bearer", bearerFormat: "psk_" } },
      },
      security: [{ token: [] }],
    },
    transform: (route) =>
      route.url.startsWith(`${prefix}/`)
        ? jsonSchemaTransform(route)
        : { schema: { hide: true }, url: route.url },
  });
  app.get("/openapi.json", async () => app.swagger());
}
