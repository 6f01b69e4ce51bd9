import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAuthority } from "../test/harness/certificates.ts";
import { startSites } from "./sites.ts";
import { openStage, type Shown } from "./stage.ts";

const SERVER = fileURLToPath(new URL("../bin/shipscore-server.js", import.meta.url));
const COLUMNS = 80;
const INTERRUPTED = 130;

/** A demo that shows the wrong thing is worse than none. */
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
  let said = "";
  for await (const chunk of child.stderr ?? []) {
    said += String(chunk);
    const url = /listening on (\S+)/.exec(said)?.[1];
    if (url !== undefined) return { url, child };
  }
  throw new Error(`the server did not start: ${said}`);
}

async function play(folder: string, signal: AbortSignal, keep: boolean): Promise<void> {
  const authority = await createAuthority();
  const rootsFile = join(folder, "ca.pem");
  await writeFile(rootsFile, authority.certificate);
  const sites = await startSites(authority);
  const serverEnv: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    SHIPSCORE_DATA_DIR: join(folder, "data"),
    SHIPSCORE_ALLOW_NETWORKS: "127.0.0.0/8,::1/128",
    NODE_EXTRA_CA_CERTS: rootsFile,
  };
  const server = await startServer(serverEnv);
  try {
    await perform(server.url, serverEnv, sites, signal, keep);
  } finally {
    server.child.kill("SIGTERM");
    if (server.child.exitCode === null) await once(server.child, "exit");
    await Promise.all(Object.values(sites).map((site) => site.close()));
  }
}

async function perform(
  url: string,
  serverEnv: NodeJS.ProcessEnv,
  sites: Awaited<ReturnType<typeof startSites>>,
  signal: AbortSignal,
  keep: boolean,
): Promise<void> {
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
  const server = async (...args: string[]) =>
    expect(await stage.show("shipscore-server", args), 0).stdout;
  const command = async (exitCode: number, ...args: string[]) =>
    expect(await stage.show("shipscore", args), exitCode);

  stage.say(
    `A server runs on ${url} with an embedded database, and four sample sites on this machine.`,
  );
  stage.say("An account, its token, and three projects. The token is shown once:");
  await server("account", "add", "you@example.com", "--plan", "pro");
  token = await server("token", "create", "you@example.com", "--name", "demo");
  const shop = await server(
    "project",
    "add",
    "you@example.com",
    "--name",
    "Tea shop",
    "--url",
    sites.good.url,
  );
  await server("project", "watch", shop, sites.failing.url);
  await server(
    "project",
    "add",
    "you@example.com",
    "--name",
    "Canteen",
    "--url",
    sites.middling.url,
  );
  await server(
    "project",
    "add",
    "you@example.com",
    "--name",
    "Old shop",
    "--url",
    sites.expired.url,
  );

  stage.say("A page that is fit to ship, with a gate that it passes:");
  stage.showExitCode((await command(0, "check", sites.good.url, "--min-score", "80")).exitCode);

  stage.say("A page that the gate stops, and what to mend first:");
  stage.showExitCode((await command(1, "check", sites.middling.url, "--min-score", "80")).exitCode);

  stage.say("A URL that nobody may have visited for them:");
  stage.showExitCode((await command(40, "check", "https://10.0.0.7/")).exitCode);

  stage.say("A production deployment is recorded and verified; two rounds look at everything:");
  await server(
    "deployment",
    "record",
    shop,
    "--url",
    sites.good.url,
    "--commit",
    "4f2a9c1",
    "--ref",
    "main",
    "--wait",
  );
  await server("round");
  await server("round");

  stage.say("What you have, what is failing, and what was shipped last:");
  await command(0, "projects");
  await command(0, "incidents");
  await command(0, "last-ship", "Tea shop");

  if (!keep) return;
  stage.say("The server and the sites keep running. In another terminal:");
  process.stdout.write(`export SHIPSCORE_URL=${url}\nexport SHIPSCORE_TOKEN=${token}\n`);
  stage.say("Press Ctrl-C to end the demo and remove what it made.");
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

const interruption = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => interruption.abort());

const folder = await mkdtemp(join(tmpdir(), "shipscore-demo-"));
const keep = process.argv.includes("--keep");
try {
  await play(folder, interruption.signal, keep);
} catch (error) {
  if (!interruption.signal.aborted) {
    process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } else if (!keep) process.exitCode = INTERRUPTED;
} finally {
  await rm(folder, { recursive: true, force: true });
}
