import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, inject, test } from "vitest";
import { openSession } from "../../../server/access/sessions.ts";
import { insertPast } from "../../harness/past.ts";
import { addPeople, addProject, type Person } from "../../harness/people.ts";
import { useServer } from "../../harness/server.ts";

const CLIENTS = 160;
const DEPLOYMENTS = 10_000;
const READS = 100;

/** The clients have a thread of their own, and ask again as soon as they are answered, refused or not. */
const ATTACK = `
  const { parentPort, workerData: { url, cookie, clients } } = require("node:worker_threads");
  let isOver = false;
  const counts = {};
  const attack = async () => {
    while (!isOver) {
      const answer = await fetch(url, { headers: { cookie } });
      await answer.arrayBuffer();
      counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    }
  };
  const attacking = Array.from({ length: clients }, attack);
  setTimeout(() => parentPort.postMessage("begun"), 2000);
  parentPort.once("message", async () => {
    isOver = true;
    await Promise.all(attacking);
    parentPort.postMessage(Object.entries(counts).map(([status, count]) => count + " × " + status).join(", "));
  });`;

const server = useServer({ deadlineMs: inject("database") === "embedded" ? 15_000 : 2500 });

async function openCookie({ accountId }: Person): Promise<string> {
  const client = { browser: "test", address: "127.0.0.1" };
  return `shipscore=${(await openSession(server.sql, accountId, client)).secret}`;
}

async function read(path: string, cookie: string): Promise<number> {
  const answer = await fetch(new URL(path, server.url), { headers: { cookie } });
  await answer.arrayBuffer();
  return answer.status;
}

/** Reads so many times in turn, and describes how long it took and what was answered. */
async function measure(path: string, cookie: string): Promise<string> {
  const times: number[] = [];
  const statuses = new Map<number, number>();
  for (let index = 0; index < READS; index++) {
    const began = performance.now();
    const status = await read(path, cookie);
    times.push(performance.now() - began);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => (times[Math.ceil(share * READS) - 1] ?? 0).toFixed(0);
  const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(", ");
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms; ${counts}`;
}

test(
  `another account can read next to ${CLIENTS} clients that read a list of ${DEPLOYMENTS} deployments of one account`,
  { timeout: 600_000 },
  async () => {
    const { alice, bob } = await addPeople(server);
    const id = await addProject(server, alice, "https://example.com/", "Shop");
    const own = await addProject(server, bob, "https://example.org/", "Other");
    await insertPast(server.sql, id, { deployments: DEPLOYMENTS });
    await insertPast(server.sql, own, { deployments: 10 });
    await server.sql`analyze`;
    const [attacker, reader] = [await openCookie(alice), await openCookie(bob)];
    const heavy = `/projects/${id}/deployments?sort=score&q=a`;
    await read(heavy, attacker);
    const calm = await measure(`/projects/${own}`, reader);
    const attack = new Worker(ATTACK, {
      eval: true,
      workerData: { url: new URL(heavy, server.url).href, cookie: attacker, clients: CLIENTS },
    });
    await once(attack, "message");
    const attacked = await measure(`/projects/${own}`, reader);
    attack.postMessage("stop");
    const [counts] = (await once(attack, "message")) as [string];
    process.stdout.write(`calm: ${calm}\nattacked: ${attacked}\nthe attacker: ${counts}\n`);
    expect(attacked).toContain(`${READS} × 200`);
  },
);
