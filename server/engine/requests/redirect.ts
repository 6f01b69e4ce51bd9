import { MAX_REDIRECTS } from "../../base/bounds.ts";
import type { Stop } from "../evidence/exchange.ts";
import type { Guard, Target } from "../net/guard.ts";
import { redactUrl } from "./privacy/redact.ts";
import { findUrl } from "../../base/syntax/url.ts";

/**
 * Vets the target that the last visited URL redirects to. `visited` holds the URLs of the chain so far, at least one;
 * `location` is the header's value, trimmed. `isAsked` tells whether a URL was requested before.
 */
export async function followRedirect(
  guard: Guard,
  visited: readonly URL[],
  location: string,
  isAsked = (url: URL): boolean => visited.some((each) => addressOf(each) === addressOf(url)),
): Promise<{ follow: Target } | { stop: Stop }> {
  const base = visited.at(-1);
  if (base === undefined) throw new Error("a redirect comes from a visited URL");
  const next = findUrl(location, base);
  const stop = (reason: Stop["reason"], refusal: Stop["refusal"] = null): { stop: Stop } => ({
    stop: { url: redactUrl(next ?? location), reason, refusal },
  });

  if (visited.length > MAX_REDIRECTS) return stop("too_many");
  const isPlain = next?.protocol === "http:";
  if (isPlain && base.protocol === "https:") return stop("downgrade");
  const vetting = await guard.vet(location, { base, scheme: isPlain ? "http:" : "https:" });
  if (!vetting.ok) return stop("refused", vetting.refusal.code);
  if (isAsked(vetting.target.url)) return stop("loop");
  return { follow: vetting.target };
}

/** The part of a URL that is sent: all but its fragment. */
export function addressOf(url: URL): string {
  return url.href.replace(/#.*/, "");
}
