import { parseNetworks } from "../../server/engine/net/address.ts";
import { openNetwork } from "../../server/engine/net/network.ts";
import { createVisitor } from "../../server/engine/requests/visitor.ts";
import { createThreads } from "../../server/engine/visit/threads.ts";
import type { VisitOnce } from "./visitor.ts";

/** Runs a check as the server does: vets the URL here, then visits, assesses and packs in a thread. */
export function createOwnVisitor(url: string, authority: string): VisitOnce {
  const setting = {
    allowNetworks: parseNetworks("127.0.0.0/8"),
    scanNetworks: parseNetworks(""),
    userAgent: "shipscore-bench",
    roots: [authority],
  };
  const network = openNetwork(setting.allowNetworks);
  const probe = createVisitor({ network, ...setting });
  const threads = createThreads(setting);
  const { signal } = new AbortController();
  const request = { url, preview: false, headers: {} };
  return async () => {
    const visit = await probe.vet(url, signal);
    const order = { request, id: "bench", language: "en" as const };
    const task = { kind: "api", order, known: visit.known } as const;
    const { result } = await threads.run(task, { owner: "bench", maxMs: 15_000, signal });
    visit.close();
    if (result.verdict !== "ship") throw new Error(`the good page did not pass: ${result.answer}`);
  };
}
