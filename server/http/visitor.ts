import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { isInNetworks, type Networks } from "../engine/net/address.ts";
import { findFamily } from "../base/syntax/private-hosts.ts";

/** An entry: an address, IPv4 with a port, or IPv6 in brackets with or without a port. */
const ENTRY =
  /^(?:([\d.]+)(?::\d{1,5})?|\[([^\]]*:[^\]]*)\](?::\d{1,5})?|([^[\]]*:[^[\]]*:[^[\]]*))$/;
const MAX_ENTRY_LENGTH = 64;
const MAX_ENTRIES = 100;
const MAX_LIST_LENGTH = MAX_ENTRIES * MAX_ENTRY_LENGTH;
const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/;

/** The canonical form of an IPv6 address (RFC 5952). */
const spellIpv6 = (address: string) => new URL(`http://[${address}]`).hostname.slice(1, -1);

/** `::ffff:192.0.2.1` counts as IPv4. */
function readAddress(text: string): string | undefined {
  const [address = ""] = text.split("%", 1);
  const family = findFamily(address);
  if (family !== "ipv6") return family && address;
  const spelled = spellIpv6(address);
  const [, high, low] = MAPPED.exec(spelled) ?? [];
  if (high === undefined || low === undefined) return spelled;
  const halves = [high, low].map((digits) => Number.parseInt(digits, 16));
  return halves.flatMap((half) => [half >> 8, half & 255]).join(".");
}

function readEntry(entry: string): string | undefined {
  if (entry.length > MAX_ENTRY_LENGTH) return undefined;
  const [, ipv4, bracketed, ipv6] = ENTRY.exec(entry) ?? [];
  return readAddress(ipv4 ?? bracketed ?? ipv6 ?? "");
}

/** The entries of X-Forwarded-For, the nearest first. */
function listForwarded({ headers }: IncomingMessage): string[] {
  const list = String(headers["x-forwarded-for"] ?? "").slice(-MAX_LIST_LENGTH);
  const entries = list.split(",").map((entry) => entry.trim());
  return entries.filter(Boolean).slice(-MAX_ENTRIES).toReversed();
}

function shortenIpv6(address: string): string {
  const [before = "", after] = address.split("::");
  const head = before.split(":").filter(Boolean);
  const tail = after?.split(":").filter(Boolean) ?? [];
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  const prefix = [...head, ...zeros, ...tail].slice(0, 4);
  return `${spellIpv6(`${prefix.join(":")}::`)}/64`;
}

/** Empty once the connection is closed. */
export const peerOf = ({ remoteAddress = "" }: Socket): string => readAddress(remoteAddress) ?? "";

/** One household or machine: `192.0.2.1` or `2001:db8::/64`. */
export const visitorAt = (address: string): string =>
  address.includes(":") ? shortenIpv6(address) : address;

/**
 * The address of the connection or, behind trusted proxies, the rightmost untrusted address of X-Forwarded-For. An entry that is not an
 * address ends the list. Empty once the connection is closed.
 */
export function findVisitor(request: IncomingMessage, trusted: Networks): string {
  let visitor = peerOf(request.socket);
  for (const entry of listForwarded(request)) {
    const next = isInNetworks(trusted, visitor) ? readEntry(entry) : undefined;
    if (next === undefined) break;
    visitor = next;
  }
  return visitorAt(visitor);
}
