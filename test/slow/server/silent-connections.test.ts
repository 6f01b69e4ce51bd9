import { spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { useFiles } from "../../harness/database.ts";
import { addAccount, startServerProcess } from "../../harness/process.ts";

const HOSTILE = fileURLToPath(new URL("../../harness/hostile-clients.js", import.meta.url));
/** The server cuts a silent connection after 15 s: long enough for each to come twice. */
const ATTACK_MS = 40_000;
const CALM_MS = 10_000;
const READERS = 8;
const PAUSE_MS = 20;

const database = useFiles();
let token: string;
beforeAll(async () => {
  token = await addAccount(database.env, "bob@example.com");
});

/** Reads the projects from another address than the attacker's, on a connection of its own. */
function read(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const options = { agent: false, localAddress: "127.0.0.2", headers, timeout: 10_000 };
  return new Promise((resolve) => {
    const sent = get(new URL("/api/v1/projects", url), options, (response) => {
      response.resume().once("end", () => resolve(String(response.statusCode)));
    });
    sent.once("timeout", () => sent.destroy(new Error("silence")));
    sent.once("error", ({ message }) => resolve(message));
  });
}

async function readFor(url: string, ms: number) {
  const outcomes: Record<string, number> = {};
  const times: number[] = [];
  const end = performance.now() + ms;
  const work = async () => {
    while (performance.now() < end) {
      const started = performance.now();
      const outcome = await read(url);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      times.push(performance.now() - started);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: READERS }, work));
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.floor(sorted.length * part)] ?? 0);
  return { outcomes, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1 - 1e-9) };
}

test("1,300 idle connections from one address, with 1,024 files, block no other address", async () => {
  const within = ["sh", "-c", 'ulimit -n 1024 && exec "$@"', "sh"];
  const server = await startServerProcess(database.env, [], within);
  const countLines = (words: string) => server.stdout().split(words).length - 1;
  const calm = await readFor(server.url, CALM_MS);

  const hostile = spawn(process.execPath, [HOSTILE, new URL(server.url).port, "silent"]);
  const begun = text(hostile.stdout).then(Number);
  await sleep(1000);
  const attacked = await readFor(server.url, ATTACK_MS);
  hostile.kill("SIGTERM");
  await once(hostile, "exit");

  const lines = {
    refused: countLines("connections are refused"),
    databaseTrouble: countLines("database trouble"),
  };
  const figures = { begun: await begun, calm, attacked, lines };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(await server.end("SIGTERM")).toBe(0);
  expect(Object.keys(calm.outcomes)).toEqual(["200"]);
  expect(Object.keys(attacked.outcomes)).toEqual(["200"]);
  expect(lines).toEqual({ refused: 1, databaseTrouble: 0 });
});
