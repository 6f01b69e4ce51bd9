import { openDeadline } from "./deadline.ts";
import { type Guard, type KnownNames, type Network, openGuard, type Vetting } from "./guard.ts";

/** A URL that was vetted and not visited yet: what its names lead to is known to the guard. */
export interface Visit {
  guard: Guard;
  vetting: Vetting;
  /** The host; empty where the URL names none. */
  host: string;
  /** Whether it lies in a network that the operator allowed. */
  exempt: boolean;
  /** What its name leads to, for a visit of the same URL that goes on with it. */
  known: KnownNames;
  /** Ends its look-ups; its run does so too. */
  close: () => void;
}

/** May a URL be visited? `known`: what its names led to when it was vetted before. */
export type Vet = (url: string, signal: AbortSignal, known?: KnownNames) => Promise<Visit>;

/** Apart from the probe, whose program is many times larger, for those who vet and leave the visit to others. */
export function createVet(network: Network): Vet {
  return async (url, signal, known) => {
    const lookups = openDeadline(signal);
    const guard = openGuard(network, lookups.signal, known);
    const vetting = await guard.vet(url);
    return {
      guard,
      vetting,
      host: (vetting.ok ? vetting.target.host : vetting.refusal.host) ?? "",
      exempt: vetting.ok && vetting.target.allowed,
      known: await guard.getKnown(),
      close() {
        lookups.abort();
        lookups.clear();
      },
    };
  };
}
