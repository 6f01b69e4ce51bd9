import { ROBOTS_REQUESTS } from "../../base/bounds.ts";
import { fetchOnce, findLocation, type HttpClient, type Received } from "../net/fetch.ts";
import type { Target } from "../net/guard.ts";
import { Slice } from "../net/slice.ts";
import { findUrl } from "../../base/syntax/url.ts";
import { refusesScans } from "./body/owner-file.ts";
import { readRobots } from "./body/robots.ts";
import { isShutOut, OWN_AGENT } from "./body/robots-rules.ts";
import { ACCEPT_ANY, targetAt } from "./answer.ts";

/** What an owner says about public scans of an origin. */
export interface OwnerAnswer {
  /** The URL of the file that refuses them, or null. */
  refusedIn: string | null;
  /** False if a file could not be had just now, so that it is worth asking again soon. */
  isFinal: boolean;
}

interface OwnerFile {
  path: string;
  maxBytes: number;
  refuses(text: string, slice: Slice): boolean | Promise<boolean>;
}

const FILES: readonly OwnerFile[] = [
  { path: "/.well-known/shipscore.txt", maxBytes: 16_384, refuses: refusesScans },
  {
    path: "/robots.txt",
    maxBytes: 512_000,
    refuses: async (text, slice) => isShutOut((await readRobots(text, slice)).rules, OWN_AGENT),
  },
];

/** Sends one GET, and follows redirects within the origin alone: its addresses are the ones that were vetted. */
async function fetchFile(
  client: HttpClient,
  target: Target,
  { path, maxBytes }: OwnerFile,
): Promise<Received | null> {
  let next = targetAt(target, path);
  for (let left = ROBOTS_REQUESTS; ; left--) {
    const { received } = await fetchOnce(client, next, { accept: ACCEPT_ANY, maxBytes });
    const location = received ? findLocation(received) : undefined;
    const url = location === undefined ? undefined : findUrl(location, next.url);
    if (left <= 1 || url?.origin !== target.url.origin) return received;
    next = { ...target, url };
  }
}

const isBusy = ({ status }: Received) => status === 429 || status >= 500;

/** The text of a 2xx; of one that was not read to its end, without its last line, which may mean something else. */
function readText({ status, content }: Received): string {
  if (content === null || status < 200 || status > 299) return "";
  const text = content.bytes.toString("utf8").replace(/^\ufeff/, "");
  if (content.state === "whole") return text;
  return text.slice(0, Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"), 0));
}

async function askFile(
  client: HttpClient,
  target: Target,
  file: OwnerFile,
): Promise<{ refuses: boolean; isFinal: boolean }> {
  const received = await fetchFile(client, target, file);
  if (received === null || isBusy(received)) return { refuses: false, isFinal: false };
  const refuses = await file.refuses(readText(received), new Slice(client.signal));
  return { refuses, isFinal: !client.signal.aborted };
}

/** Asks an origin's files whether its owner refuses public scans; what cannot be had or read refuses nothing. */
export async function askOwnerFiles(client: HttpClient, target: Target): Promise<OwnerAnswer> {
  const answers = await Promise.all(FILES.map((file) => askFile(client, target, file)));
  const refusing = FILES.find((_, index) => answers[index]?.refuses);
  return {
    refusedIn: refusing ? new URL(refusing.path, target.url).href : null,
    isFinal: refusing !== undefined || answers.every(({ isFinal }) => isFinal),
  };
}
