import type { Evidence } from "../../evidence/evidence.ts";
import { redactUrlsIn } from "../privacy/redact.ts";
import type { Slice } from "../../net/slice.ts";

const MAX_LINE_LENGTH = 300;
/** A rule with a longer text between its asterisks matches nothing. */
const MAX_PIECE_LENGTH = 1000;
const AGENTS = ["*", "Googlebot", "Bingbot"];

export interface RobotsRule {
  allow: boolean;
  pattern: string;
  line: number;
  text: string;
}

/** By lower-cased agent. Empty for an agent whose groups have no rule. */
export type RobotsRules = ReadonlyMap<string, readonly RobotsRule[]>;
export const OWN_AGENT = "shipscore";
export const READ_AGENTS: ReadonlySet<string> = new Set(
  [...AGENTS, OWN_AGENT].map((agent) => agent.toLowerCase()),
);
const EVERYTHING = /^[/*]\**$/;

/** See RFC 9309, 2.2.2. */
export function normalizePath(path: string): string {
  return path
    .replace(/[^\x21-\x7e]+/g, (run) => encodeURIComponent(run.replace(/\p{Cs}/gu, "\ufffd")))
    .replace(/%[0-9a-f]{2}/gi, (escape) => {
      const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
    });
}

export function disallowsEverything(rules: RobotsRules, agent: string): boolean {
  const sweeping = (rules.get(agent) ?? []).filter(({ pattern }) => EVERYTHING.test(pattern));
  return sweeping.length > 0 && sweeping.every(({ allow }) => !allow);
}

function escapeSpecial(text: string): string {
  return text.replaceAll("*", "%2A").replaceAll("$", "%24");
}

/** Both are normalized. Takes at most the path's length times `MAX_PIECE_LENGTH`. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith("$");
  const pieces = (anchored ? pattern.slice(0, -1) : pattern).replaceAll("$", "%24").split("*");
  const [first = "", ...rest] = pieces;
  if (!path.startsWith(first)) return false;
  const last = anchored ? rest.pop() : undefined;
  if (anchored && last === undefined) return path === first;
  let position = first.length;
  for (const piece of rest) {
    const found = piece.length > MAX_PIECE_LENGTH ? -1 : path.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return last === undefined || (path.length - last.length >= position && path.endsWith(last));
}

/** The longest matching pattern wins. Of two equally long ones, the one that allows wins (RFC 9309, 2.2.2). */
async function findDeciding(
  rules: readonly RobotsRule[],
  path: string,
  slice: Slice,
): Promise<RobotsRule | undefined> {
  let best: RobotsRule | undefined;
  for (const rule of rules) {
    if (slice.isOver) await slice.end();
    if (slice.isLate) return undefined;
    const isLonger = !best || rule.pattern.length > best.pattern.length;
    const isKinder = rule.allow && rule.pattern.length === best?.pattern.length;
    if ((isLonger || isKinder) && matches(rule.pattern, path)) best = rule;
  }
  return best;
}

/** An agent's own group replaces that of `*`. The URL is unredacted, since rules match the query too. Null if time ran out. */
export async function findBlocks(
  rules: RobotsRules,
  { pathname, search }: URL,
  slice: Slice,
): Promise<Evidence["robots"]["blocks"]> {
  const path = escapeSpecial(normalizePath(pathname + search));
  const blocks: NonNullable<Evidence["robots"]["blocks"]> = [];
  for (const agent of AGENTS) {
    const named = rules.get(agent.toLowerCase()) ?? rules.get("*") ?? [];
    const rule = await findDeciding(named, path, slice);
    if (rule && !rule.allow)
      blocks.push({ agent, line: rule.line, text: redactUrlsIn(rule.text, MAX_LINE_LENGTH) });
  }
  return slice.isLate ? null : blocks;
}
