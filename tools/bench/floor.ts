/* The bare Fastify route as the baseline of reads: no token, no schema, no log; one row by its primary key. */
import Fastify from "fastify";
import { openDatabase } from "../../test/harness/opened-database.ts";

const { sql } = await openDatabase(process.env);
const app = Fastify();
app.get<{ Params: { id: string } }>("/projects/:id", async (request) => {
  const [project] =
    await sql`select id, name, url, state, state_since from projects where id = ${request.params.id}`;
  return project;
});
console.error(`listening on ${await app.listen({ host: "127.0.0.1", port: 0 })}`);
