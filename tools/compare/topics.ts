import { readFileSync } from "node:fs";
import { judgeByRules } from "./opinion.ts";
import {
  readOurCookies,
  readOurHead,
  readOurMode,
  readOurRobots,
  readOurType,
} from "./readings.ts";
import type { Judge, Peer, TopicRow, Settlement, Settlements, Topic } from "./topic.ts";

/** A case is the parts that its topic makes a row of, or its name with its lines. */
type Case = string | readonly string[] | Readonly<Record<string, readonly string[]>>;

interface Cases {
  readonly rows: readonly Case[];
  readonly settled: readonly (Settlement & {
    readonly peer: Peer;
    readonly cases: readonly string[];
  })[];
}

type MakeRow = (...parts: readonly string[]) => TopicRow;

const CASES = JSON.parse(readFileSync(new URL("cases.json", import.meta.url), "utf8")) as Readonly<
  Record<string, Cases>
>;

const makeHeader =
  (name: string): MakeRow =>
  (value = "") => [`\`${value}\``, `${name}: ${value}`];

const makeText =
  (nameOfNothing: string): MakeRow =>
  (text = "") => [text === "" ? nameOfNothing : text, text];

const makeCookies: MakeRow = (...lines) => [
  lines.map((line) => `\`${line}\``).join(", "),
  ...lines.map((line) => `Set-Cookie: ${line}`),
];

const makeJar: MakeRow = (...lines) => [
  lines.map((line) => JSON.stringify(line)).join(" then "),
  ...lines.map((line) => `Set-Cookie: ${line}`),
];

const makeCredentials: MakeRow = (origin = "") => [
  `\`${origin}\`, with credentials`,
  `Access-Control-Allow-Origin: ${origin}`,
  "Access-Control-Allow-Credentials: true",
];

const makeType: MakeRow = (value = "") => [value === "" ? "empty" : JSON.stringify(value), value];

const makeRobots: MakeRow = (path = "", ...lines) => [
  `${path}: ${lines.map((line) => JSON.stringify(line)).join(" ")}`,
  path,
  ...lines,
];

function makeRows(one: Case, makeRow: MakeRow): readonly TopicRow[] {
  if (typeof one === "string") return [makeRow(one)];
  if (Array.isArray(one)) return [makeRow(...(one as readonly string[]))];
  return Object.entries(one).map(([name, lines]): TopicRow => [name, ...lines]);
}

function describeTopic(
  title: string,
  judge: Judge,
  peers: readonly Peer[],
  makeRow: MakeRow,
  isNamedByInput = false,
): Topic {
  const { rows, settled } = CASES[title] ?? { rows: [], settled: [] };
  const settledBy = (peer: Peer): Settlements =>
    Object.fromEntries(
      settled
        .filter((one) => one.peer === peer)
        .flatMap(({ cases, why, section, url }) =>
          cases.map((name) => [name, { why, section, url }] as const),
        ),
    );
  return {
    title,
    isNamedByInput,
    judge,
    peers,
    rows: rows.flatMap((one) => makeRows(one, makeRow)),
    settled: Object.fromEntries(peers.map((peer) => [peer, settledBy(peer)])),
  };
}

function describeHeader(
  title: string,
  ids: readonly string[],
  makeRow = makeHeader(title),
  ...others: readonly Peer[]
): Topic {
  return describeTopic(title, judgeByRules(...ids), ["MDN HTTP Observatory", ...others], makeRow);
}

/** All comparisons, in the order of docs/compared.md. */
export const TOPICS: readonly Topic[] = [
  describeHeader("Strict-Transport-Security", ["hdr.hsts"]),
  describeHeader("Content-Security-Policy", ["hdr.csp"], undefined, "csp_evaluator"),
  describeHeader(
    "X-Frame-Options and frame-ancestors",
    ["hdr.framing"],
    makeHeader("X-Frame-Options"),
  ),
  describeHeader("X-Content-Type-Options", ["hdr.nosniff"]),
  describeHeader("Referrer-Policy", ["hdr.referrer"]),
  describeHeader("Set-Cookie", ["cookie.secure", "cookie.session"], makeCookies),
  describeHeader("Access-Control-Allow-Origin", ["cors.credentials"], makeCredentials),
  describeHeader("Cross-Origin-Resource-Policy", ["hdr.valid"]),
  describeTopic("Cookies that are kept", readOurCookies, ["tough-cookie"], makeJar, true),
  describeTopic("Content-Type", readOurType, ["whatwg-mimetype"], makeType, true),
  describeTopic("robots.txt", readOurRobots, ["robots-parser"], makeRobots, true),
  describeTopic("Doctype", readOurMode, ["parse5"], makeText("nothing"), true),
  describeTopic("Document head", readOurHead, ["parse5"], makeText(""), true),
];
