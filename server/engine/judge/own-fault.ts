import type { Evidence } from "../evidence/evidence.ts";
import { NO_ROUTE, type Failure } from "../evidence/exchange.ts";

/** The kernel lacks a file descriptor, memory, a port, a permission or a network. */
const OWN_CODES = new Set([
  "EMFILE",
  "ENFILE",
  "ENOBUFS",
  "ENOMEM",
  "EADDRNOTAVAIL",
  "EADDRINUSE",
  "EACCES",
  "EPERM",
  "EAFNOSUPPORT",
  "ENETDOWN",
  "ENETUNREACH",
  NO_ROUTE,
]);
const UNRESOLVED: readonly (string | null)[] = ["dns_failure", "dns_timeout"];
/** A quarter of the time limit for a file. */
const STALLED_MS = 1000;

export const isPerhapsOwn = ({ code }: Failure, { stalledMs }: Evidence): boolean =>
  OWN_CODES.has(code) || stalledMs >= STALLED_MS;

/** This machine, its network or its load caused the failure, so the failure says nothing about the site. */
export function isOwnFault(evidence: Evidence): boolean {
  const { dns, page } = evidence;
  if (UNRESOLVED.includes(dns.refusal)) return dns.isConfirmed !== true;
  const { failure } = page;
  if (failure === null || failure.phase === "guard") return false;
  return failure.phase === "check" || isPerhapsOwn(failure, evidence);
}
