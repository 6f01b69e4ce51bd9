/**
 * Which addresses are public, a second time: the IANA special-purpose registries of IPv4 and IPv6 typed out again as
 * first and last address, compared as numbers, with nothing of the server's own tables or of node:net.
 */
const IPV4_BITS = 32n;
const IPV6_BITS = 128n;

function v4(text: string): bigint {
  return text.split(".").reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
}

/** Reads eight groups, `::` for a run of zeros, and a dotted end. */
function v6(text: string): bigint {
  const dotted = /(?<=:)\d+\.\d+\.\d+\.\d+$/.exec(text)?.[0];
  const end = dotted === undefined ? "" : v4(dotted).toString(16).padStart(8, "0");
  const hex =
    dotted === undefined ? text : text.replace(dotted, `${end.slice(0, 4)}:${end.slice(4)}`);
  const [left = "", right] = hex.split("::");
  const groups = (half: string) => (half === "" ? [] : half.split(":"));
  const [before, after] = [groups(left), groups(right ?? "")];
  const zeros = right === undefined ? 0 : 8 - before.length - after.length;
  const all = [...before, ...Array.from({ length: zeros }, () => "0"), ...after];
  return all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

type Range = readonly [first: bigint, last: bigint];

const NOT_PUBLIC_V4: readonly Range[] = [
  ["0.0.0.0", "0.255.255.255"],
  ["10.0.0.0", "10.255.255.255"],
  ["100.64.0.0", "100.127.255.255"],
  ["127.0.0.0", "127.255.255.255"],
  ["168.63.129.16", "168.63.129.16"],
  ["169.254.0.0", "169.254.255.255"],
  ["172.16.0.0", "172.31.255.255"],
  ["192.0.0.0", "192.0.0.255"],
  ["192.0.2.0", "192.0.2.255"],
  ["192.31.196.0", "192.31.196.255"],
  ["192.52.193.0", "192.52.193.255"],
  ["192.88.99.0", "192.88.99.255"],
  ["192.168.0.0", "192.168.255.255"],
  ["192.175.48.0", "192.175.48.255"],
  ["198.18.0.0", "198.19.255.255"],
  ["198.51.100.0", "198.51.100.255"],
  ["203.0.113.0", "203.0.113.255"],
  ["224.0.0.0", "239.255.255.255"],
  ["240.0.0.0", "255.255.255.255"],
].map(([first = "", last = ""]): Range => [v4(first), v4(last)]);

/** Global unicast is 2000::/3; all around it is refused, and these within it. */
const NOT_PUBLIC_V6: readonly Range[] = [
  ["::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"],
  ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
].map(([first = "", last = ""]): Range => [v6(first), v6(last)]);

function isWithin(ranges: readonly Range[], address: bigint): boolean {
  return ranges.some(([first, last]) => first <= address && address <= last);
}

/** Whether anybody on the Internet could reach the address; text that is no address is not public. */
export function isPublic(text: string): boolean {
  if (/^\d+\.\d+\.\d+\.\d+$/.test(text)) return !isWithin(NOT_PUBLIC_V4, v4(text));
  if (!/^[0-9a-f:]+(?:\d+\.\d+\.\d+\.\d+)?$/i.test(text)) return false;
  return !isWithin(NOT_PUBLIC_V6, v6(text));
}

/** The first and last addresses of every range, and those that touch them, as numbers. */
export function edges(family: 4 | 6): bigint[] {
  const bits = family === 4 ? IPV4_BITS : IPV6_BITS;
  return (family === 4 ? NOT_PUBLIC_V4 : NOT_PUBLIC_V6)
    .flatMap(([first, last]) => [first - 1n, first, last, last + 1n])
    .filter((edge) => edge >= 0n && edge < 1n << bits);
}
