import { expect, test } from "vitest";
import { addCrowd, addTarget, openOne } from "../../harness/alerts.ts";
import { addPerson, addProject } from "../../harness/people.ts";
import { startReceiver } from "../../harness/receiver.ts";
import { useServer } from "../../harness/server.ts";
import { startSilentHosts } from "../../harness/silent-hosts.ts";
import { waitUntil } from "../../harness/slow-site.ts";
import { use } from "../../harness/use.ts";

const SILENT = 2000;
const WITHIN_MS = 3000;

const receiver = use(startReceiver);
const silent = use(startSilentHosts);
const server = useServer();

test(`beside ${SILENT} messages to one account's silent targets, ten of another's go out within ${WITHIN_MS} ms`, async () => {
  const [alice, mallory] = [await addPerson(server, "alice"), await addPerson(server, "mallory")];
  const projectId = await addProject(server, alice, "https://example.com/");
  await addTarget(server, projectId, receiver.at("beside"));
  await addCrowd(server, mallory, SILENT, silent.port);
  await waitUntil("the silent ones are being tried", () => silent.open.size > 0);
  const took: number[] = [];
  for (let count = 1; count <= 10; count++) {
    const beganAt = performance.now();
    await openOne(server, projectId);
    await receiver.nth("beside", count);
    took.push(Math.round(performance.now() - beganAt));
  }
  expect(took.filter((ms) => ms >= WITHIN_MS)).toEqual([]);
});
