import { expect, test } from "vitest";
import { addCrowd, addTarget, openIncident } from "../../harness/alerts.ts";
import { addPerson, addProject } from "../../harness/people.ts";
import { startReceiver } from "../../harness/receiver.ts";
import { useServer } from "../../harness/server.ts";
import { startSilentHosts } from "../../harness/silent-hosts.ts";
import { waitUntil } from "../../harness/slow-site.ts";
import { use } from "../../harness/use.ts";

const SILENT = 2000;
const WITHIN_MS = 3000;
/** All places may be taken before there is somebody else to share with: until the first silent targets are given up. */
const FIRST_WITHIN_MS = 12_000;

const receiver = use(startReceiver);
const silent = use(startSilentHosts);
const server = useServer();

test.each([1, 5])(
  `next to ${SILENT} messages to silent targets of each of %i accounts, ten of another account are sent within ${WITHIN_MS} ms`,
  async (accounts) => {
    const alice = await addPerson(server, `alice-${accounts}`);
    const path = `beside-${accounts}`;
    const projectId = await addProject(server, alice, "https://example.com/");
    await addTarget(server, projectId, receiver.at(path));
    for (let account = 0; account < accounts; account++) {
      const mallory = await addPerson(server, `mallory-${accounts}-${account}`);
      await addCrowd(server, mallory, SILENT, silent.port);
    }
    await waitUntil("the silent ones are being tried", () => silent.open.size >= accounts * 8);
    const took: number[] = [];
    for (let count = 1; count <= 10; count++) {
      const beganAt = performance.now();
      await openIncident(server, projectId);
      await receiver.waitForRequest(path, count);
      took.push(Math.round(performance.now() - beganAt));
    }
    expect(took[0]).toBeLessThan(accounts === 1 ? WITHIN_MS : FIRST_WITHIN_MS);
    expect(took.slice(1).filter((ms) => ms >= WITHIN_MS)).toEqual([]);
  },
);
