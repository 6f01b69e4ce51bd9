import { writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { get } from "node:https";
import { connect } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { readConfig } from "../../server/config.ts";
import { startServer } from "../../server/start.ts";
import { createAuthority, type Authority } from "../harness/certificates.ts";
import { useFiles } from "../harness/database.ts";
import {
  refused,
  runServerCommand,
  runServerCommandHere,
  startServerHere,
  startServerProcess,
} from "../harness/process.ts";
import { sendRequest } from "../harness/request.ts";
import { findClosedPort, listen } from "../harness/site.ts";
import { waitUntil } from "../harness/slow-site.ts";
import { useFolder } from "../harness/use.ts";

const folder = useFolder();
let authority: Authority;
let taken: Server;
let takenPort: number;

const database = useFiles();
beforeAll(async () => {
  authority = await createAuthority();
  await writeFile(join(folder, "broken.pem"), "no certificate");
  taken = createServer();
  takenPort = await listen(taken);
});
afterAll(async () => {
  taken.close();
});

describe("start fails with one line that says what to change", () => {
  const refuse = (options: string[], env: Record<string, string> = {}) =>
    runServerCommandHere(["start", "--port", "0", ...options], { ...database.env, ...env });

  /** What is set is options, or variables of the environment; both are read before a database is. */
  test.runIf(inject("database") === "postgres").each<[what: string, set: string, line: string]>([
    ["a port that is no number", "--port abc", "--port must be"],
    ["a port too high", "--port 65536", "--port must be"],
    ["a host on the network, in the clear", "--host 0.0.0.0", "SHIPSCORE_TLS_CERT"],
    ["the same in IPv6", "--host ::", "SHIPSCORE_BEHIND_TLS_PROXY=1"],
    ["a certificate without its key", "TLS_CERT=/nowhere", "SHIPSCORE_TLS_KEY go together"],
    ["a certificate not there", "TLS_CERT=/nowhere TLS_KEY=/nowhere", "SHIPSCORE_TLS_CERT"],
    ["another database", "DATABASE_URL=mysql://root:hunter2@db/x", "DATABASE_URL must be"],
    ["an interval that is no number", "CYCLE_SECONDS=5m", "SHIPSCORE_CYCLE_SECONDS must be"],
    ["an unknown log level", "LOG_LEVEL=loud", "SHIPSCORE_LOG_LEVEL must be"],
    ["a network that is none", "ALLOW_NETWORKS=10.0.0.0/40", "SHIPSCORE_ALLOW_NETWORKS"],
    ["one for scans", "SCAN_NETWORKS=lan", 'SHIPSCORE_SCAN_NETWORKS: "lan" is not a network'],
    ["one for alerts", "ALERT_NETWORKS=lan", 'SHIPSCORE_ALERT_NETWORKS: "lan" is not a network'],
    [
      "a trusted proxy that is no address",
      "TRUSTED_PROXIES=10.0.0.0/8,proxy.example.com",
      'SHIPSCORE_TRUSTED_PROXIES: "proxy.example.com" is not a network',
    ],
    ["metrics without a port", "METRICS_ADDRESS=localhost", "SHIPSCORE_METRICS_ADDRESS must be"],
    ["a public URL that is none", "PUBLIC_URL=example.com", "SHIPSCORE_PUBLIC_URL must be"],
    [
      "a relay that is none",
      "SMTP_URL=https://user:hunter2@mail.example.com",
      "SHIPSCORE_SMTP_URL must be an smtp or smtps URL",
    ],
    [
      "a sender that is no address",
      "SMTP_URL=smtp://127.0.0.1 MAIL_FROM=shipscore",
      "SHIPSCORE_MAIL_FROM must be an e-mail address",
    ],
    ["no sender", "SMTP_URL=smtp://127.0.0.1", "SHIPSCORE_MAIL_FROM go together"],
    ["no e-mail", "SIGNUP=open", "Set SHIPSCORE_SMTP_URL and SHIPSCORE_MAIL_FROM"],
    ["half open", "SIGNUP=1", "SHIPSCORE_SIGNUP must be open or closed"],
    [
      "a second factor half asked for",
      "SECOND_FACTOR=1",
      "SHIPSCORE_SECOND_FACTOR must be required or optional",
    ],
    [
      "second factors that nothing encrypts",
      "SECOND_FACTOR=required SECRET_KEY=",
      "Set SHIPSCORE_SECRET_KEY",
    ],
    ["no yes or no", "BEHIND_TLS_PROXY=true", "SHIPSCORE_BEHIND_TLS_PROXY must be 0 or 1"],
  ])("%s: %s", async (_, set, line) => {
    const words = set.split(" ");
    const variables = words.filter((word) => word.includes("="));
    const env = Object.fromEntries(
      variables.map((word) => {
        const [name = "", value = ""] = word.split("=");
        return [name === "DATABASE_URL" ? name : `SHIPSCORE_${name}`, value];
      }),
    );
    const options = variables.length > 0 ? [] : words;
    const stderr = refused(
      await runServerCommandHere(["start", "--port", "0", ...options], { ...database.env, ...env }),
      2,
    );
    expect(stderr).toMatch(/^shipscore-server: [^\n]+\.\n$/);
    expect(stderr).toContain(line);
    expect(stderr).not.toContain("hunter2");
  });

  test("an invalid certificate", async () => {
    const file = join(folder, "broken.pem");
    const { exitCode, stderr } = await refuse([], {
      SHIPSCORE_TLS_CERT: file,
      SHIPSCORE_TLS_KEY: file,
    });
    const line = expect.stringMatching(/^shipscore-server: [^\n]*SHIPSCORE_TLS_CERT[^\n]*\n$/);
    expect([exitCode, stderr]).toEqual([2, line]);
  });

  test("a port in use", async () => {
    const { exitCode, stderr } = await refuse(["--port", String(takenPort)]);
    expect([exitCode, stderr]).toEqual([
      1,
      `shipscore-server: Port ${takenPort} on 127.0.0.1 is in use. Choose another with --port.\n`,
    ]);
  });

  test("metrics on a port in use", async () => {
    const env = { SHIPSCORE_METRICS_ADDRESS: `127.0.0.1:${takenPort}` };
    const { exitCode, stderr } = await refuse([], env);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("SHIPSCORE_METRICS_ADDRESS")]);
  });

  test("an impossible data directory", async () => {
    const dataDir = join(folder, "broken.pem");
    const { exitCode, stderr } = await runServerCommandHere(["start", "--port", "0"], {
      SHIPSCORE_DATA_DIR: dataDir,
    });
    expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^shipscore-server: [^\n]+\n$/)]);
    expect(stderr).toContain(dataDir);
  });
});

test("SIGTERM during the start ends it, even if the database never answers", async () => {
  const silent = createServer();
  const port = await listen(silent);
  const connected = once(silent, "connection");
  const { exitCode, stdout } = await runServerCommand(
    ["start", "--port", "0"],
    { DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none` },
    { interruption: connected.then(() => "SIGTERM") },
  );
  expect([exitCode, stdout]).toEqual([143, ""]);
  silent.close();
});

test("a failed start leaves nothing listening, and the database free", async () => {
  const port = await findClosedPort();
  const start = (env: Record<string, string> = {}) =>
    startServer({
      config: readConfig({ ...database.env, ...env }),
      host: "127.0.0.1",
      port,
      command: "test",
      writeLog: () => {},
    });
  const env = { SHIPSCORE_METRICS_ADDRESS: `127.0.0.1:${takenPort}` };
  await expect(start(env)).rejects.toThrow("cannot_listen_for_metrics");
  await expect(sendRequest(`http://127.0.0.1:${port}`, "/healthz")).rejects.toThrow("fetch failed");
  const server = await start();
  expect((await sendRequest(server.url, "/readyz")).status).toBe(200);
  await Promise.all([server.drain(), server.drain()]);
});

test("an unknown setting is a warning with the nearest name", async () => {
  const { exitCode, stderr } = await runServerCommand(["migrate"], {
    ...database.env,
    SHIPSCORE_DATADIR: "x",
    SHIPSCORE_TOKEN: "x",
  });
  expect([exitCode, stderr]).toEqual([
    0,
    "shipscore-server: warning: SHIPSCORE_DATADIR is not a setting and is ignored; did you mean SHIPSCORE_DATA_DIR?\n",
  ]);
});

test("behind a TLS proxy it may listen on the network", async () => {
  const env = { ...database.env, SHIPSCORE_BEHIND_TLS_PROXY: "1" };
  const server = await startServerHere(env, ["--host", "0.0.0.0"]);
  expect((await sendRequest(server.url.replace("0.0.0.0", "127.0.0.1"), "/healthz")).status).toBe(
    200,
  );
  expect(await server.end("SIGTERM")).toBe(0);
});

test("idle connections of one address do not block another", async () => {
  const within = ["sh", "-c", 'ulimit -n 512 && exec "$@"', "sh"];
  const server = await startServerProcess(database.env, [], within);
  const port = Number(new URL(server.url).port);
  let closed = 0;
  const silent = Array.from({ length: 100 }, () =>
    connect(port, "127.0.0.1").once("close", () => closed++),
  );
  await waitUntil("all but 64 are refused", () => closed === 36);
  const stranger = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.2" });
  stranger.write("GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  expect(await text(stranger)).toMatch(/^HTTP\/1\.1 200 /);
  expect(server.stdout().match(/connections are refused/g)).toHaveLength(1);
  for (const socket of silent) socket.destroy();
  expect(await server.end("SIGTERM")).toBe(0);
});

test("https works, and renewed certificates load without a restart; an invalid one is ignored", async () => {
  const files = { cert: join(folder, "server.pem"), key: join(folder, "server.key") };
  const renew = async () => {
    const { cert, key } = await authority.issue({ hosts: ["127.0.0.1"] });
    await writeFile(files.key, key);
    await writeFile(files.cert, cert);
  };
  await renew();
  const env = { ...database.env, SHIPSCORE_TLS_CERT: files.cert, SHIPSCORE_TLS_KEY: files.key };
  const server = await startServerProcess(env);
  const visit = () =>
    new Promise<{ status: number | undefined; serial: string }>((resolve, reject) => {
      const options = { ca: authority.certificate, agent: false as const };
      get(new URL("/healthz", server.url), options, (response) => {
        resolve({
          status: response.statusCode,
          serial: (response.socket as TLSSocket).getPeerCertificate().serialNumber,
        });
        response.resume();
      }).on("error", reject);
    });
  const first = await visit();
  expect(first.status).toBe(200);
  await writeFile(files.cert, "broken");
  await waitUntil("it says so", () => server.stdout().includes("certificate not reloaded"));
  expect((await visit()).serial).toBe(first.serial);
  await renew();
  await waitUntil("it is served", async () => (await visit()).serial !== first.serial);
  expect(await server.end("SIGINT")).toBe(0);
});
