export interface Element {
  tag: number;
  content: Buffer;
}

export function childrenOf({ content }: Element): Element[] {
  return readElements(content);
}

/** The bytes may come from a stranger: a length that points outside them is cut. */
export function readElements(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  for (let offset = 0; offset + 2 <= bytes.length;) {
    const first = bytes.readUInt8(offset + 1);
    const lengthBytes = first < 0x80 ? 0 : Math.min(first & 0x7f, 4, bytes.length - offset - 2);
    const start = offset + 2 + lengthBytes;
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(offset + 2, lengthBytes);
    elements.push({ tag: bytes.readUInt8(offset), content: bytes.subarray(start, start + length) });
    offset = start + length;
  }
  return elements;
}

const EXTENSIONS = 0xa3;

/** Returns the value of an extension of a certificate (RFC 5280, 4.2). `id` is in hexadecimal. */
export function readExtensionValue(body: Element, id: string): Element[] {
  const extensions = childrenOf(body).find(({ tag }) => tag === EXTENSIONS);
  const lists = extensions ? childrenOf(extensions).flatMap(childrenOf) : [];
  const parts = lists.map(childrenOf).find(([name]) => name?.content.toString("hex") === id);
  return readElements(parts?.at(-1)?.content ?? Buffer.alloc(0));
}

export function readExtension(body: Element, id: string): Element[] {
  return readExtensionValue(body, id).flatMap(childrenOf);
}

const VERSION = 0xa0;

/** Returns the DER of the issuer's and of the subject's name (RFC 5280, 4.1), as keys for a map. */
export function readNames(certificate: Buffer): { issuer: string; subject: string } {
  const [body] = readElements(certificate).flatMap(childrenOf);
  const fields = body ? childrenOf(body).filter(({ tag }) => tag !== VERSION) : [];
  const keyOf = (field: Element | undefined): string => field?.content.toString("base64") ?? "";
  return { issuer: keyOf(fields[2]), subject: keyOf(fields[4]) };
}
