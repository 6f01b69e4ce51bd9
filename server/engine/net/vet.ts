import { openDeadline } from "./deadline.ts";
import { type Guard, type KnownNames, type Network, openGuard, type Vetting } from "./guard.ts";

/** A URL that has been vetted but not yet visited. The guard knows what its name resolved to. */
export interface VettedUrl {
  guard: Guard;
  vetting: Vetting;
  /** The host; empty if the URL has none. */
  host: string;
  /** Whether it is in a network that the settings allow. */
  exempt: boolean;
  /** The lookups so far, for another guard that continues with the same URL. */
  known: KnownNames;
  close: () => void;
}

/** Decides whether a URL may be visited. `known`: the lookups of an earlier vetting. */
export type Vet = (url: string, signal: AbortSignal, known?: KnownNames) => Promise<VettedUrl>;

/** Separate from the much larger visitor, for callers that leave the visit to another thread. */
export function createVet(network: Network): Vet {
  return async (url, signal, known) => {
    const lookups = openDeadline(signal);
    const close = () => {
      lookups.abort();
      lookups.clear();
    };
    try {
      const guard = openGuard(network, lookups.signal, known);
      const vetting = await guard.vet(url);
      return {
        guard,
        vetting,
        host: (vetting.ok ? vetting.target.host : vetting.refusal.host) ?? "",
        exempt: vetting.ok && vetting.target.allowed,
        known: await guard.getKnown(),
        close,
      };
    } catch (error) {
      close();
      throw error;
    }
  };
}
