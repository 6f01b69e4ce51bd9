import { once } from "node:events";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { useFiles } from "../../harness/database.ts";
import {
  addAccount,
  runServerCommand,
  startServerProcess,
  type ServerProcess,
} from "../../harness/process.ts";
import { sendRaw } from "../../harness/raw-http.ts";
import { sendCheck } from "../../harness/request.ts";
import { startSlowSite, waitUntil } from "../../harness/slow-site.ts";
import { use } from "../../harness/use.ts";

const LOCALHOST = new URL("../../harness/localhost.js", import.meta.url);
const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === "::1"),
);

describe.runIf(inject("database") === "postgres")("the address to listen on", () => {
  let token: string;

  const database = useFiles();
  const site = use(startSlowSite);
  beforeAll(async () => {
    token = await addAccount(database.env, "lea@example.com");
  });

  /** The environment of a server to whose machine `localhost` is these addresses, in this order. */
  const withLocalhost = (...addresses: string[]) => ({
    ...database.env,
    SHIPSCORE_BEHIND_TLS_PROXY: "1",
    NODE_OPTIONS: `--import=${LOCALHOST.href}`,
    LOCALHOST_LEADS_TO: addresses.join(","),
  });

  /** Whether anybody accepts a connection at an address. */
  async function isOpen(host: string, port: number): Promise<boolean> {
    const socket = connect(port, host);
    const isConnected = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    return isConnected;
  }

  describe("an impossible host is rejected in one line", () => {
    test.each<[string, string[], Record<string, string>, number, string]>([
      ["a name that leads nowhere", ["--host", "nonesuch.invalid"], {}, 2, "nonesuch.invalid"],
      ["nothing", ["--host", ""], {}, 2, "--host is empty"],
      ["an address of another machine", ["--host", "192.0.2.1"], {}, 1, "EADDRNOTAVAIL"],
      [
        "localhost that is no loopback, in the clear",
        ["--host", "localhost"],
        { LOCALHOST_LEADS_TO: "0.0.0.0", SHIPSCORE_BEHIND_TLS_PROXY: "0" },
        2,
        "in the clear on localhost",
      ],
    ])("%s", async (_, args, env, exitCode, words) => {
      const result = await runServerCommand(["start", "--port", "0", ...args], {
        ...withLocalhost("127.0.0.1"),
        ...env,
      });
      expect([result.exitCode, result.stdout]).toEqual([exitCode, ""]);
      expect(result.stderr).toMatch(/^shipscore-server: [^\n]+\.\n$/);
      expect(result.stderr).toContain(words);
    });
  });

  describe.each<[host: string, leadsTo: string[], announced: string, silent: string[]]>([
    ["localhost", ["::1", "127.0.0.1"], "127.0.0.1", ["::1"]],
    ["localhost", ["127.0.0.1", "127.0.0.2"], "127.0.0.1", ["::1", "127.0.0.2"]],
    ["localhost", ["::1"], "::1", ["127.0.0.1"]],
    ["::1", ["::1"], "::1", ["127.0.0.1"]],
    ["0.0.0.0", ["127.0.0.1"], "0.0.0.0", ["::1"]],
    ["::", ["127.0.0.1"], "::", []],
  ])("--host %s, where localhost is %j", (host, leadsTo, announced, silent) => {
    let server: ServerProcess;
    const isIPv6 = announced.includes(":");
    const reached = { "0.0.0.0": "127.0.0.1", "::": "127.0.0.1" }[announced] ?? announced;

    afterEach(() => server.end("SIGKILL"));

    test.skipIf(isIPv6 && !hasIPv6)(
      "one listener rejects a second server, answers what is not HTTP, and drains",
      async () => {
        server = await startServerProcess(withLocalhost(...leadsTo), ["--host", host]);
        const port = Number(new URL(server.url).port);
        const named = (address: string) => (address.includes(":") ? `[${address}]` : address);
        expect(server.url).toBe(`http://${named(announced)}:${port}`);
        for (const address of silent)
          expect([address, await isOpen(address, port)]).toEqual([address, false]);

        const second = await runServerCommand(
          ["start", "--host", host, "--port", String(port)],
          withLocalhost(...leadsTo),
        );
        expect([second.exitCode, second.stderr]).toEqual([
          1,
          `shipscore-server: Port ${port} on ${announced} is in use. Choose another with --port.\n`,
        ]);

        const url = `http://${named(reached)}:${port}`;
        const unreadable = await sendRaw(url, "no HTTP\r\n\r\n");
        expect([unreadable.status, unreadable.body]).toEqual([
          400,
          expect.stringContaining("illisible"),
        ]);

        site.hold();
        const before = site.requests.length;
        const answer = sendCheck(url, token, site.url);
        await waitUntil("the check visits", () => site.requests.length > before);
        const ended = server.end("SIGTERM");
        await waitUntil("it drains", () => server.stdout().includes("draining"));
        for (const address of ["127.0.0.1", "127.0.0.2", "::1"])
          expect([address, await isOpen(address, port)]).toEqual([address, false]);
        site.release();
        expect((await answer).status).toBe(200);
        expect(await ended).toBe(0);
      },
    );
  });
});
