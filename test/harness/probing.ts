import { parseNetworks } from "../../server/engine/net/address.ts";
import { Evidence } from "../../server/engine/evidence/evidence.ts";
import {
  createVisitor,
  type Visitor,
  type VisitRequest,
} from "../../server/engine/requests/visitor.ts";
import type { Resolution } from "../../server/engine/net/resolve.ts";
import { getAuthority } from "./site.ts";

/** No machine can connect to this address: the kernel reports that the network is unreachable. */
export const UNROUTED = "255.255.255.255";

export interface Probing {
  preview?: boolean;
  headers?: VisitRequest["headers"];
  roots?: readonly string[];
  /** The roots that count as roots of browsers; none by default. */
  publicRoots?: readonly string[];
  /** Replaces port 80 for plain http. */
  httpPort?: number;
  /** By default every name resolves to 127.0.0.1. */
  resolve?: (name: string) => Resolution;
  signal?: AbortSignal;
  /** Addresses of the checking machine; none by default. */
  localAddresses?: readonly string[];
  isUnmasked?: boolean;
}

function openVisitor(probing: Probing, authority: string): Visitor {
  const { resolve = () => ({ outcome: "found", addresses: ["127.0.0.1"] }), httpPort } = probing;
  return createVisitor({
    network: {
      resolver: { resolve: (name) => Promise.resolve(resolve(name)) },
      allowNetworks: parseNetworks(`127.0.0.0/8,::1/128,${UNROUTED}/32`),
      localAddresses: () => probing.localAddresses ?? [],
      ...(httpPort !== undefined && { httpPort }),
    },
    userAgent: "shipscore-test",
    roots: probing.roots ?? [authority],
    ...(probing.publicRoots && { publicRoots: probing.publicRoots }),
    isUnmasked: probing.isUnmasked ?? false,
  });
}

/** Runs one check that may visit loopback addresses and trusts this run's authority. Validates the evidence. */
export async function probeUrl(url: string, probing: Probing = {}): Promise<Evidence> {
  const visitor = openVisitor(probing, (await getAuthority()).certificate);
  const { preview = false, headers = {}, signal = new AbortController().signal } = probing;
  const visit = await visitor.vet(url, signal);
  const evidence = await visitor.run(visit, { url, preview, headers }, signal);
  return Evidence.parse(evidence);
}

/** Like `probeUrl`, but sends only the requests of a single probe. */
export async function probePage(url: string, probing: Probing = {}): Promise<Evidence> {
  const visitor = openVisitor(probing, (await getAuthority()).certificate);
  const { signal = new AbortController().signal } = probing;
  const visit = await visitor.vet(url, signal);
  return Evidence.parse(
    await visitor.probe(visit, { url, maxMs: Infinity, onStep: () => {} }, signal),
  );
}
