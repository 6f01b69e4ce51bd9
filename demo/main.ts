import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAuthority, type Authority } from "../test/harness/certificates.ts";
import { startSites } from "./sites.ts";
import { openStage, type Shown, type Stage } from "./stage.ts";

const SERVER = fileURLToPath(new URL("../bin/shipscore-server.js", import.meta.url));
const COLUMNS = 80;
const INTERRUPTED = 130;
const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

type Sites = Awaited<ReturnType<typeof startSites>>;

interface Options {
  /** Leaves everything running until Ctrl-C. */
  keep: boolean;
  /** Serves https with the demo's certificate authority, so that the server's own pages can be checked. */
  https: boolean;
}

interface Scene {
  url: string;
  sites: Sites;
  serverEnv: NodeJS.ProcessEnv;
  rootsFile: string;
  signal: AbortSignal;
}

/** Stops the demo if a command ends with an unexpected exit code. */
function expect(shown: Shown, exitCode: number): Shown {
  if (shown.exitCode !== exitCode)
    throw new Error(`the command above ended with ${shown.exitCode} instead of ${exitCode}`);
  return shown;
}

async function startServer(env: NodeJS.ProcessEnv): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [SERVER, "start", "--port", "0"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  for await (const chunk of child.stderr ?? []) {
    output += String(chunk);
    const url = /listening on (\S+)/.exec(output)?.[1];
    if (url !== undefined) return { url, child };
  }
  throw new Error(`the server did not start: ${output}`);
}

async function issueCertificate(authority: Authority, folder: string): Promise<NodeJS.ProcessEnv> {
  const { cert, key } = await authority.issue({ hosts: LOOPBACK });
  const [certFile, keyFile] = [join(folder, "server.pem"), join(folder, "server.key")];
  await writeFile(certFile, cert);
  await writeFile(keyFile, key, { mode: 0o600 });
  return { SHIPSCORE_TLS_CERT: certFile, SHIPSCORE_TLS_KEY: keyFile };
}

async function runDemo(folder: string, signal: AbortSignal, options: Options): Promise<void> {
  const authority = await createAuthority();
  const rootsFile = join(folder, "ca.pem");
  await writeFile(rootsFile, authority.certificate);
  const sites = await startSites(authority);
  const serverEnv: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    SHIPSCORE_DATA_DIR: join(folder, "data"),
    SHIPSCORE_ALLOW_NETWORKS: "127.0.0.0/8,::1/128",
    SHIPSCORE_SCAN_NETWORKS: "127.0.0.0/8,::1/128",
    SHIPSCORE_ALERT_NETWORKS: "127.0.0.0/8,::1/128",
    NODE_EXTRA_CA_CERTS: rootsFile,
    ...(options.https && (await issueCertificate(authority, folder))),
  };
  const server = await startServer(serverEnv);
  try {
    await runScenes({ url: server.url, sites, serverEnv, rootsFile, signal }, options);
  } finally {
    server.child.kill("SIGTERM");
    if (server.child.exitCode === null) await once(server.child, "exit");
    await Promise.all(Object.values(sites).map((site) => site.close()));
  }
}

async function runScenes(scene: Scene, { keep, https }: Options): Promise<void> {
  const { url, sites, serverEnv, signal } = scene;
  let token = "";
  const env = () => ({
    ...serverEnv,
    ...(process.env["NO_COLOR"] ? { NO_COLOR: "1" } : process.stdout.isTTY && { FORCE_COLOR: "1" }),
    LANG: process.env["LANG"],
    SHIPSCORE_FORCE_TTY: String(process.stdout.columns ?? COLUMNS),
    SHIPSCORE_URL: url,
    ...(token && { SHIPSCORE_TOKEN: token }),
  });
  const stage = openStage(process.stdout, env, signal);
  const server = async (words: string, ...more: string[]) =>
    expect(await stage.show("shipscore-server", [...words.split(" "), ...more]), 0).stdout;
  const command = async (exitCode: number, ...args: string[]) =>
    expect(await stage.show("shipscore", args), exitCode);

  stage.say(`A server with an embedded database runs on ${url},`);
  stage.list(["and four sample sites on this machine."]);
  stage.say("An account, its token, and three projects. The token is shown once:");
  await server("account add you@example.com --plan team");
  token = await server("token add you@example.com --name demo");
  const addProject = (name: string, site: string) =>
    server("project add you@example.com --name", name, "--url", site);
  const shop = await addProject("Tea shop", sites.good.url);
  await server("project watch", shop, sites.failing.url);
  await addProject("Canteen", sites.middling.url);
  await addProject("Old shop", sites.expired.url);

  stage.say("A page that is fit to ship, with a gate that it passes:");
  stage.showExitCode((await command(0, "check", sites.good.url, "--min-score", "80")).exitCode);

  stage.say("A page that the gate stops, and what to fix first:");
  stage.showExitCode((await command(1, "check", sites.middling.url, "--min-score", "80")).exitCode);

  stage.say("A URL that the server refuses to visit:");
  stage.showExitCode((await command(40, "check", "https://10.0.0.7/")).exitCode);

  stage.say("A production deployment is recorded and verified; two rounds probe everything:");
  const shipped = ["--url", sites.good.url, "--commit", "4f2a9c1", "--ref", "main", "--wait"];
  await server("deployment add", shop, ...shipped);
  await server("round");
  await server("round");

  stage.say("What you have, what is failing, and what was shipped last:");
  await command(0, "projects");
  await command(0, "incidents");
  await command(0, "last-ship", "Tea shop");

  stage.say("A badge of the tea shop, for its README:");
  const badge = await server("project badge", shop);

  if (!keep) {
    stage.say("After signing in, the account's projects are on this page:");
    stage.list([`${url}/projects`]);
    stage.say("To open it, leave the server running: npm run demo -- --keep");
    return;
  }
  printRunningSites(stage, scene, badge);
  const exports = { SHIPSCORE_URL: url, SHIPSCORE_TOKEN: token };
  const trust = { NODE_EXTRA_CA_CERTS: scene.rootsFile };
  stage.say("In another terminal, for the commands and for assistants (shipscore help mcp):");
  stage.list(
    Object.entries({ ...exports, ...(https && trust) }).map((each) => `export ${each.join("=")}`),
  );
  stage.say("Open this link once, within 30 minutes, to sign in as you@example.com:");
  await server("account link you@example.com --sign-in");
  stage.say("Press Ctrl-C to end the demo and remove its files.");
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

function printRunningSites(stage: Stage, { url, sites }: Scene, badge: string): void {
  stage.say("The server and the sites keep running. Open its page in a browser:");
  stage.list([`${url}/`]);
  stage.say("There, have a page scanned. These are the sample sites:");
  stage.list([
    `${sites.good.url}  a tea shop, fit to ship`,
    `${sites.middling.url}  a canteen, with points to win`,
    `${sites.expired.url}  an expired certificate`,
    `${sites.failing.url}  responds with 500`,
  ]);
  stage.say("The badge of the tea shop:");
  stage.list([`${url}${badge}`]);
}

const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => interruption.abort());

const folder = await mkdtemp(join(tmpdir(), "shipscore-demo-"));
const keep = process.argv.includes("--keep");
const https = process.argv.includes("--https");
try {
  await runDemo(folder, interruption.signal, { keep, https });
} catch (error) {
  if (!interruption.signal.aborted) {
    process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } else if (!keep) process.exitCode = INTERRUPTED;
} finally {
  await rm(folder, { recursive: true, force: true });
}
