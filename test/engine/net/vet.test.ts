import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { parseNetworks } from "../../../server/engine/net/address.ts";
import type { Network } from "../../../server/engine/net/guard.ts";
import { createVet } from "../../../server/engine/net/vet.ts";

const NETWORK: Network = {
  resolver: { resolve: async () => ({ outcome: "found", addresses: ["93.184.216.34"] }) },
  allowNetworks: parseNetworks(""),
  localAddresses: () => [],
};
const fail = () => {
  throw new Error("no interfaces");
};

test.each<[when: string, network: Partial<Network>, message: string]>([
  ["opening the guard fails", { localAddresses: fail }, "no interfaces"],
  ["vetting fails", { translations: () => Promise.reject(new Error("no prefix")) }, "no prefix"],
])("leaves no listener on the signal if %s", async (_, network, message) => {
  const { signal } = new AbortController();
  const vet = createVet({ ...NETWORK, ...network });
  await expect(vet("https://example.com/", signal)).rejects.toThrow(message);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("leaves no listener on the signal once the visit is closed", async () => {
  const { signal } = new AbortController();
  const { vetting, close } = await createVet(NETWORK)("https://example.com/", signal);
  expect(vetting.ok).toBe(true);
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  close();
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
