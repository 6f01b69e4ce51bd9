import { ROBOTS_REQUESTS } from "../../base/bounds.ts";
import { fetchOnce, findLocation, type HttpClient, type ReceivedAnswer } from "../net/fetch.ts";
import type { Target } from "../net/guard.ts";
import { Slice } from "../net/slice.ts";
import { findUrl } from "../../base/syntax/url.ts";
import { readRobots } from "./body/robots.ts";
import { disallowsEverything, OWN_AGENT } from "./body/robots-rules.ts";
import { ACCEPT_ANY, targetAt } from "./answer.ts";

export interface RobotsPermission {
  refuses: boolean;
  /** False if the file could not be read now, so that it should be requested again soon. */
  isFinal: boolean;
}

const MAX_BYTES = 512_000;

/** Follows redirects only within the origin, because only its addresses were vetted. */
async function fetchFile(client: HttpClient, target: Target): Promise<ReceivedAnswer | null> {
  let next = targetAt(target, "/robots.txt");
  for (let left = ROBOTS_REQUESTS; ; left--) {
    const options = { accept: ACCEPT_ANY, maxBytes: MAX_BYTES };
    const { received } = await fetchOnce(client, next, options);
    const location = received ? findLocation(received) : undefined;
    const url = location === undefined ? undefined : findUrl(location, next.url);
    if (left <= 1 || url?.origin !== target.url.origin) return received;
    next = { ...target, url };
  }
}

const isBusy = ({ status }: ReceivedAnswer) => status === 429 || status >= 500;

/** A cut text loses its last line, because a part of a line may mean something else. */
function readText({ status, content }: ReceivedAnswer): string {
  if (content === null || status < 200 || status > 299) return "";
  const text = content.bytes.toString("utf8").replace(/^\ufeff/, "");
  if (content.state === "whole") return text;
  return text.slice(0, Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"), 0));
}

export async function readOwnerRobots(
  client: HttpClient,
  target: Target,
): Promise<RobotsPermission> {
  const received = await fetchFile(client, target);
  if (received === null || isBusy(received)) return { refuses: false, isFinal: false };
  const { rules } = await readRobots(readText(received), new Slice(client.signal));
  return { refuses: disallowsEverything(rules, OWN_AGENT), isFinal: !client.signal.aborted };
}
