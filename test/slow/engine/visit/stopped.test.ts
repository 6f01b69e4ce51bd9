import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startSite } from "../../../harness/site.ts";

const STOPPED_MS = 6000;
const ONE_CHECK = fileURLToPath(new URL("../../../harness/one-check.js", import.meta.url));

test.skipIf(process.platform === "win32")(
  "a thread that works while the machine is suspended does not count as hung",
  { timeout: 240_000 },
  async () => {
    const site = await startSite({
      routes: {
        "*": {
          headers: { "content-type": "text/html" },
          body: "<!doctype html><title>A</title><script></script>",
        },
      },
    });
    const order = { url: `${site.url}work`, roots: [site.authority.certificate] };
    const child = fork(ONE_CHECK, [JSON.stringify(order)], { silent: true });
    const [began] = await once(child.stderr ?? child, "data");
    expect(String(began)).toBe("working");
    child.kill("SIGSTOP");
    await sleep(STOPPED_MS);
    child.kill("SIGCONT");
    const [said] = await once(child, "message");
    // On a machine that is loaded besides, it may come too late to be judged, which nobody is charged for.
    expect(said).toEqual({ ended: expect.stringMatching(/ship|late/) });
    await once(child, "exit");
    await site.close();
  },
);
