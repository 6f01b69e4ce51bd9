import * as fc from "fast-check";
import { edges } from "./address-oracle.ts";

function dotted(address: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join(".");
}

function groupsOf(address: bigint): string[] {
  return Array.from({ length: 8 }, (_, index) =>
    ((address >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
  );
}

/** Numbers of IPv4 addresses, those on either side of a range's edge above all. */
export const v4Number: fc.Arbitrary<bigint> = fc.oneof(
  fc.constantFrom(...edges(4)),
  fc.bigInt({ min: 0n, max: (1n << 32n) - 1n }),
  fc.constantFrom(0x5db8d70en, 0x08080808n, 0x01010101n),
);

const v6Number = fc.oneof(
  fc.constantFrom(...edges(6)),
  fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
  fc.bigInt({ min: 0x2n << 124n, max: (0x4n << 124n) - 1n }),
  v4Number.chain((low) =>
    fc.constantFrom(
      low,
      (0xffffn << 32n) + low,
      (0x64ff9bn << 96n) + low,
      (0x2002n << 112n) + (low << 80n),
    ),
  ),
);

const v6Text = fc
  .tuple(v6Number, fc.constantFrom("full", "padded", "short", "dotted"), fc.boolean())
  .map(([number, form, isUpper]) => {
    const groups = groupsOf(number);
    const padded = groups.map((group) => group.padStart(4, "0"));
    const text = {
      full: groups.join(":"),
      padded: padded.join(":"),
      short: new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1),
      dotted: `${groups.slice(0, 6).join(":")}:${dotted(number & 0xffffffffn)}`,
    }[form];
    return isUpper ? (text ?? "").toUpperCase() : (text ?? "");
  });

/** Addresses as text, in every spelling that a resolver or a URL may bring. */
export const addressText: fc.Arbitrary<string> = fc.oneof(v4Number.map(dotted), v6Text);

/** One IPv4 address in the spellings that WHATWG URLs take for it, the plain one first. */
export const v4Spellings: fc.Arbitrary<string[]> = v4Number.map((number) => {
  const octets = dotted(number).split(".").map(Number);
  const [a = 0, b = 0] = octets;
  const rest = (from: number) => Number(number & ((1n << BigInt(8 * (4 - from))) - 1n));
  return [
    octets.join("."),
    String(number),
    `0x${number.toString(16)}`,
    `0${number.toString(8)}`,
    octets.map((octet) => `0x${octet.toString(16)}`).join("."),
    octets.map((octet) => `0${octet.toString(8)}`).join("."),
    octets.map((octet) => `0x0000${octet.toString(16).toUpperCase()}`).join("."),
    `${a}.${rest(1)}`,
    `${a}.${b}.${rest(2)}`,
    `${octets.join(".")}.`,
    octets
      .join(".")
      .split("")
      .map((each) => `%${each.charCodeAt(0).toString(16)}`)
      .join(""),
    octets.join("\u3002"),
  ];
});
