import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { AppError } from "../../server/base/errors.ts";
import { parseNetworks } from "../../server/engine/net/address.ts";
import type { Network } from "../../server/engine/net/guard.ts";
import { createPoster } from "../../server/engine/net/post.ts";
import { createVet } from "../../server/engine/net/vet.ts";
import { startScan } from "../../server/scan/scan-request.ts";
import { describeError } from "../../server/http/errors.ts";
import { addPerson } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";
import { sendCheck } from "../harness/request.ts";

interface Case {
  id: string;
  input: string;
  resolves_to: string[] | null;
  verdict: "allow" | "refuse";
  reason?: string;
  redirect_from?: string[];
  derived_from?: string;
  then_resolves_to?: string[] | null;
  connected_remote_address?: string;
  env?: { local_addresses?: string[]; resolv_conf_search?: string[] };
}

const file = new URL("../cases/ssrf.json", import.meta.url);
const cases = JSON.parse(await readFile(file, "utf8")) as Case[];
/** What is refused as it is asked for; the others are met on the way. */
const refused = cases.filter(
  (each) =>
    each.verdict === "refuse" &&
    each.redirect_from === undefined &&
    each.derived_from === undefined &&
    each.then_resolves_to === undefined &&
    each.connected_remote_address === undefined &&
    each.env?.resolv_conf_search === undefined,
);

const server = useServer();
const alice = use(() => addPerson(server, "alice"));

const networkFor = ({ resolves_to: addresses, env }: Case): Network => ({
  resolver: {
    async resolve() {
      return addresses?.length ? { outcome: "found", addresses } : { outcome: "not_found" };
    },
  },
  allowNetworks: parseNetworks(""),
  localAddresses: () => env?.local_addresses ?? [],
});

async function refuseScan(url: string) {
  const error = await startScan(server.deps, { url, again: false }, "192.0.2.1").then(
    ({ id }) => new Error(`${id} was started`),
    (refusal: unknown) => refusal,
  );
  if (!(error instanceof AppError)) throw error;
  const { status, code, sentence } = describeError(error);
  return { status, code, error: sentence };
}

async function refuseCheck(url: string) {
  const answer = await sendCheck(server.url, alice.token, url);
  const { error } = (await answer.json()) as { error: string };
  return { status: answer.status, code: answer.headers.get("x-shipscore-error"), error };
}

describe("a URL that a check rejects, a scan rejects with the same error, and an alert too", () => {
  test.each(refused)("$id: $input ($reason)", async (each) => {
    const network = networkFor(each);
    const vet = createVet(network);
    Object.assign(server.deps.probe, { vet, vetScan: vet });
    const refusal = await refuseScan(each.input);
    expect(refusal).toMatchObject({ status: 400, code: expect.stringMatching(/^url_/) });
    expect(refusal).toEqual(await refuseCheck(each.input));
    const poster = createPoster({ alerts: network, statuses: network }, { userAgent: "test" });
    expect(await poster.vet(each.input, server.deps.stopping)).toMatchObject({ ok: false });
  });

  test("and none of them was counted", async () => {
    expect(refused.length).toBeGreaterThan(100);
    expect(await server.sql`select from scan_starts`).toEqual([]);
    expect(await server.sql`select from scans`).toEqual([]);
  });
});
