import { openDeadline } from "./deadline.ts";
import { type Guard, type KnownNames, type Network, openGuard, type Vetting } from "./guard.ts";

export interface VettedUrl {
  guard: Guard;
  vetting: Vetting;
  host: string;
  /** Whether the URL's host is in a network that the settings allow. */
  exempt: boolean;
  known: KnownNames;
  close: () => void;
}

export type Vet = (url: string, signal: AbortSignal, known?: KnownNames) => Promise<VettedUrl>;

/** This module is separate from the much larger visitor, for callers that leave the visit to another thread. */
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
