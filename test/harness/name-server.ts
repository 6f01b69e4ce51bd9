import { createSocket } from "node:dgram";
import { once } from "node:events";

const TYPES: Readonly<Record<number, string>> = { 1: "A", 2: "NS", 28: "AAAA" };

export const SERVFAIL = 2;
export const NXDOMAIN = 3;
export const REFUSED = 5;

/** The name server's answer to a question: an rcode, the data of records, or nothing at all. */
export type NameAnswer = number | readonly string[] | "silence";

export interface NameServer {
  /** `address:port` */
  address: string;
  /** The questions so far, as `TYPE name`. */
  questions: string[];
  close(): void;
}

/**
 * Starts a DNS server on loopback. The data of a record is an address, optionally after `CNAME target`. A name without an answer does not
 * exist.
 */
export async function startNameServer(
  find: (question: string) => NameAnswer | undefined,
): Promise<NameServer> {
  const questions: string[] = [];
  const server = createSocket("udp4", (query, peer) => {
    const { name, end } = readName(query);
    const question = `${TYPES[query.readUInt16BE(end)]} ${name}`;
    questions.push(question);
    const answer = find(question) ?? NXDOMAIN;
    if (answer !== "silence")
      server.send(writeAnswer(query, end, name, answer), peer.port, peer.address);
  });
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  return { address: `127.0.0.1:${server.address().port}`, questions, close: () => server.close() };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let offset = 12;
  for (let length = query.readUInt8(offset); length > 0; length = query.readUInt8(offset)) {
    labels.push(query.toString("latin1", offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  return { name: labels.join("."), end: offset + 1 };
}

function writeAnswer(
  query: Buffer,
  nameEnd: number,
  name: string,
  answer: number | readonly string[],
): Buffer {
  const records = typeof answer === "number" ? [] : answer;
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (typeof answer === "number" ? answer : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(12, nameEnd + 4), ...writeRecords(name, records)]);
}

function writeRecords(name: string, records: readonly string[]): Buffer[] {
  let owner = name;
  return records.map((record) => {
    const [, alias] = /^CNAME (.*)$/.exec(record) ?? [];
    const type = alias ? 5 : record.includes(":") ? 28 : 1;
    const data = alias ? writeName(alias) : writeAddress(record);
    const fixed = Buffer.alloc(10);
    fixed.writeUInt16BE(type, 0);
    fixed.writeUInt16BE(1, 2);
    fixed.writeUInt16BE(data.length, 8);
    const bytes = Buffer.concat([writeName(owner), fixed, data]);
    owner = alias ?? owner;
    return bytes;
  });
}

function writeName(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** An IPv4 address, or an IPv6 one with `::`. */
function writeAddress(address: string): Buffer {
  if (!address.includes(":")) return Buffer.from(address.split(".").map(Number));
  const [head = "", tail = ""] = address.split("::");
  const [before, after] = [head.split(":"), tail.split(":")];
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  const groups = [...before, ...zeros, ...after];
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}
