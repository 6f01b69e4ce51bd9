/* A server that answers a check and 10,000 projects immediately. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CHECK } from "../../test/harness/contract-double.ts";

const projects = Array.from({ length: 10_000 }, (_, index) => ({
  id: `prj_${index}`,
  name: `Project ${index}`,
  url: `https://p${index}.example.com/`,
  state: "up",
  stateSince: "2026-11-18T08:30:00.000Z",
  lastCheckedAt: "2026-11-20T08:30:00.000Z",
  role: "owner",
  score: 80,
}));
const answers = { check: JSON.stringify(CHECK), projects: JSON.stringify({ projects }) };

const server = createServer((request, response) =>
  request.resume().once("end", () => {
    const text = request.method === "POST" ? answers.check : answers.projects;
    response.writeHead(200, { "content-type": "application/json" }).end(text);
  }),
);
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  console.error(`listening on http://127.0.0.1:${port}`);
});
