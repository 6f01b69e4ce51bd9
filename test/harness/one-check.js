/* A process that runs one check in a thread that a page can harm, and reports how it ended. Its argument is JSON. */
import { fileURLToPath } from "node:url";
import { parseNetworks } from "../../dist/server/engine/net/address.js";
import { openNetwork } from "../../dist/server/engine/net/network.js";
import { createVisitor } from "../../dist/server/engine/requests/visitor.js";
import { createThreads } from "../../dist/server/engine/visit/threads.js";

const { url, roots } = JSON.parse(process.argv[2] ?? "");
const { signal } = new AbortController();
const allowNetworks = parseNetworks("127.0.0.0/8");
const scanNetworks = parseNetworks("");
const setting = { allowNetworks, scanNetworks, userAgent: "shipscore-test", roots };
const probe = createVisitor({ network: openNetwork(allowNetworks), ...setting });
const file = fileURLToPath(new URL("harmed-thread.js", import.meta.url));
const threads = createThreads(setting, { file });
const { known } = await probe.vet(url, signal);
const order = { request: { url, preview: false, headers: {} }, id: "chk_1", language: "en" };
const task = { kind: "api", order, known };
const ended = await threads.run(task, { owner: "a", maxMs: 15_000, signal }).then(
  ({ result }) => result.verdict,
  (error) => error.why,
);
process.send({ ended });
await threads.close();
process.disconnect();
