/*
 * `npx tsx tools/test/conformance.ts` runs the protocol's official suite against /mcp of a real server, in each supported revision.
 * conformance.yml lists the expected failures with their reasons. Any other failure, or a listed scenario that passes, fails this run.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { addAccount, startServerProcess } from "../../test/harness/process.ts";
import { installNode, installPackage } from "./installed.ts";

const SUITE = ["@modelcontextprotocol/conformance", "0.2.0-alpha.12"] as const;
const REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"];
const EXPECTED = fileURLToPath(new URL("conformance.yml", import.meta.url));

interface Target {
  readonly url: string;
  readonly token: string;
}

/** The suite cannot send a token. This relay adds it to each request and changes nothing else, not even Host and Origin. */
async function startRelay(): Promise<{ server: Server; url: string; lead(to: Target): void }> {
  let target: Target | undefined;
  const server = createServer((incoming, outgoing) => {
    if (target === undefined) throw new Error("the relay leads nowhere yet");
    const { method, url = "/", rawHeaders } = incoming;
    const headers = [...rawHeaders, "Authorization", `Bearer ${target.token}`];
    const onward = request(new URL(url, target.url), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { server, url, lead: (to) => (target = to) };
}

// The suite needs a newer Node than the server.
const isNew = Number(process.versions.node.split(".")[0]) >= 22;
const node = isNew ? process.execPath : await installNode("22");
const suite = join(await installPackage(...SUITE, "conformance"), "dist/index.js");

const folder = await mkdtemp(join(tmpdir(), "sc-conformance-"));
const relay = await startRelay();
const env = { SHIPSCORE_DATA_DIR: folder, SHIPSCORE_PUBLIC_URL: relay.url };
const server = await startServerProcess(env);
relay.lead({ url: server.url, token: await addAccount(env, "conformance@example.com") });

for (const revision of REVISIONS) {
  console.log(`\n--- ${SUITE.join("@")}, revision ${revision}`);
  const flags = {
    "--url": `${relay.url}/mcp`,
    "--suite": "all",
    "--spec-version": revision,
    "--expected-failures": EXPECTED,
    "--output-dir": join(folder, revision),
  };
  const words = [suite, "server", ...Object.entries(flags).flat()];
  const { exitCode, all } = await execa(node, words, { all: true, reject: false });
  const [scenarios, summary] = all.split("=== SUMMARY ===");
  console.log(exitCode === 0 ? summary : `${scenarios}${summary}`);
  if (exitCode !== 0) process.exitCode = 1;
}

await server.end("SIGTERM");
relay.server.close();
relay.server.closeAllConnections();
await rm(folder, { recursive: true });
