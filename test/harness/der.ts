/** Writers for the few DER forms (ITU-T X.690) that a certificate needs. */

function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Uint8Array.of(tag, ...lengthOf(content.length)), content]);
}

function lengthOf(size: number): number[] {
  if (size < 0x80) return [size];
  return size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
}

export const sequence = (...parts: readonly Uint8Array[]) => tagged(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]) => tagged(0x31, ...parts);
export const explicit = (index: number, content: Uint8Array) => tagged(0xa0 + index, content);
export const implicit = (index: number, content: Uint8Array) => tagged(0x80 + index, content);
export const integer = (bytes: Uint8Array) => tagged(0x02, bytes);
export const octets = (content: Uint8Array) => tagged(0x04, content);
export const bits = (content: Uint8Array) => tagged(0x03, Uint8Array.of(0), content);
export const text = (value: string) => tagged(0x0c, Buffer.from(value));
export const yes = () => tagged(0x01, Uint8Array.of(0xff));
export const nothing = () => tagged(0x05);

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
}

export function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-T:]|\.\d+/g, "");
  return date.getUTCFullYear() < 2050
    ? tagged(0x17, Buffer.from(digits.slice(2)))
    : tagged(0x18, Buffer.from(digits));
}

function base128(value: number): number[] {
  const last = value & 0x7f;
  const rest = value >>> 7;
  return rest === 0 ? [last] : [...base128(rest).map((byte) => byte | 0x80), last];
}
