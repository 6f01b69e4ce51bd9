/*
 * A server for which sites on loopback are counted as public ones are: `counting-server.ts AUTHORITY_FILE PATH`. What has
 * this path is of one host; every other check is of another, so that 60 a minute are no bound.
 */
import { readFileSync } from "node:fs";
import { readConfig } from "../../server/config.ts";
import { startServer } from "../../server/start.ts";

const [authorityFile = "", floodedPath = ""] = process.argv.slice(2);

const server = await startServer({
  config: readConfig({
    ...process.env,
    SHIPSCORE_CYCLE_SECONDS: "0",
    SHIPSCORE_ALLOW_NETWORKS: "127.0.0.0/8",
  }),
  host: "127.0.0.1",
  port: 0,
  command: "bench",
  writeLog: (line) => process.stdout.write(line),
  roots: [readFileSync(authorityFile, "utf8")],
});
const { probe } = server.deps;
const vet = probe.vet.bind(probe);
let hosts = 0;
probe.vet = async (url, ...rest) => {
  const host = url.endsWith(floodedPath) ? "flooded.example" : `${hosts++}.example`;
  return { ...(await vet(url, ...rest)), host, exempt: false };
};
process.once("SIGTERM", () => void server.drain());
process.stderr.write(`listening on ${server.url}\n`);
