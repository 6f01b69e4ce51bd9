import { getDomain, getDomainWithoutSuffix } from "tldts";
import { matchesGlob } from "../../../shared/pattern.ts";
import { findUrl } from "./url.ts";

const OPTIONS = { allowPrivateDomains: true };

/** A registrable domain has one owner. An IP address, or a name without such a domain, is returned as it is. */
export function domainOfHost(host: string): string {
  return getDomain(host, OPTIONS) ?? host;
}

export function areOfOneDomain(host: string, other: string): boolean {
  return domainOfHost(host) === domainOfHost(other);
}

export function domainOf(url: string): string {
  return domainOfHost(new URL(url).hostname);
}

/** The name that the owner registered, without its public suffix; empty if there is none. */
export function registeredName(host: string): string {
  return getDomainWithoutSuffix(host, OPTIONS) ?? "";
}

const LABEL = /^[a-z0-9_*](?:[a-z0-9_*-]{0,61}[a-z0-9_*])?$/;
const PATTERN = /^([^:]+)(?::([1-9]\d{0,4}))?$/;
/** Replaces each `*`, so that a pattern can be parsed as a host. */
const ANY = "x";

interface HostPattern {
  labels: string[];
  port: string;
}

/** Accepts patterns such as `my-site-*.vercel.app` or `staging.example.com:8443`. A `*` matches characters within a label. */
export function findHostPattern(text: string): HostPattern | undefined {
  const [, host = "", port = "443"] = PATTERN.exec(text.trim().toLowerCase()) ?? [];
  const labels = host.split(".");
  const isHost = labels.length > 1 && labels.every((label) => LABEL.test(label));
  const isKnown = findUrl(`https://${host.replaceAll("*", ANY)}:${port}/`) !== undefined;
  return isHost && isKnown && !labels.at(-1)?.includes("*") ? { labels, port } : undefined;
}

/** True if all hosts of a pattern may have one owner, because the label before the public suffix contains more than `*`. */
export function isOfOneOwner({ labels }: HostPattern): boolean {
  const domain = domainOfHost(labels.join(".").replaceAll("*", ANY));
  const [own = "", ...suffix] = labels.slice(-domain.split(".").length);
  // `*ercel.app` may be the public suffix itself.
  const isCertain = !own.includes("*") || labels.length === suffix.length + 1;
  return /[a-z0-9]/.test(own) && !suffix.join("").includes("*") && isCertain;
}

export function findUrlOfHosts(text: string, patterns: readonly string[]): string | undefined {
  const url = findUrl(text.trim());
  if (url === undefined || url.username !== "" || url.password !== "") return undefined;
  const known = patterns.flatMap((pattern) => findHostPattern(pattern) ?? []);
  return known.some((pattern) => isOfHost(url, pattern)) ? url.href : undefined;
}

function isOfHost({ protocol, hostname, port }: URL, { labels, port: own }: HostPattern): boolean {
  const parts = hostname.split(".");
  return (
    protocol === "https:" &&
    (port || "443") === own &&
    parts.length === labels.length &&
    labels.every((label, index) => matchesGlob(label, parts[index] ?? ""))
  );
}
