import type { Evidence } from "./evidence.ts";
import { redactUrlsIn } from "./redact.ts";

const MAX_LENGTH = 512_000;
const MAX_SITEMAPS = 3;
const MAX_LINE_LENGTH = 300;
const AGENTS = ["*", "Googlebot", "Bingbot"];

interface Rule {
  allow: boolean;
  pattern: string;
  line: number;
  text: string;
}

interface Group {
  agents: string[];
  rules: Rule[];
}

type RobotsFacts = Pick<Evidence["robots"], "blocks" | "badLine"> & { sitemaps: URL[] };

/** RFC 9309, 2.2.2: escapes of unreserved characters are undone, everything else beyond ASCII is escaped. */
function normalizePath(path: string): string {
  return path
    .replace(/[^\x21-\x7e]+/g, (run) => encodeURIComponent(run.replace(/\p{Cs}/gu, "\ufffd")))
    .replace(/%[0-9a-f]{2}/gi, (escape) => {
      const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
    });
}

function escapeSpecial(text: string): string {
  return text.replaceAll("*", "%2A").replaceAll("$", "%24");
}

/** Whether `*` (anything) and a last `$` (the end) lead the pattern to the path; both normalised, linear in the path. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith("$");
  const pieces = (anchored ? pattern.slice(0, -1) : pattern).replaceAll("$", "%24").split("*");
  const [first = "", ...rest] = pieces;
  if (!path.startsWith(first)) return false;
  const last = anchored ? rest.pop() : undefined;
  if (anchored && last === undefined) return path === first;
  let position = first.length;
  for (const piece of rest) {
    const found = path.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return last === undefined || (path.length - last.length >= position && path.endsWith(last));
}

function findDecidingRule(rules: readonly Rule[], path: string): Rule | undefined {
  let deciding: Rule | undefined;
  for (const rule of rules) {
    const isLonger = !deciding || rule.pattern.length > deciding.pattern.length;
    const isKinder = rule.allow && rule.pattern.length === deciding?.pattern.length;
    if ((isLonger || isKinder) && matches(rule.pattern, path)) deciding = rule;
  }
  return deciding;
}

function rulesFor(groups: readonly Group[], agent: string): Rule[] {
  const named = groups.filter((group) => group.agents.includes(agent.toLowerCase()));
  const chosen = named.length > 0 ? named : groups.filter((group) => group.agents.includes("*"));
  return chosen.flatMap((group) => group.rules);
}

/**
 * What a robots.txt (RFC 9309) says to search engines about one URL.
 * `blocks`: for each agent that may not fetch `url`, the Disallow line that decides. `badLine`: the first that no
 * crawler can read. `sitemaps`: the first 3, not redacted.
 * @param url with its query values, which the rules are matched against
 */
export function readRobots(text: string, url: URL): RobotsFacts {
  const groups: Group[] = [];
  const sitemaps: URL[] = [];
  let badLine: RobotsFacts["badLine"] = null;
  let isNaming = false;

  const lines = text
    .slice(0, MAX_LENGTH)
    .replace(/^\ufeff/, "")
    .split(/\r\n|\n|\r/);
  for (const [index, raw] of lines.entries()) {
    const [content = ""] = raw.split("#", 1);
    if (!content.trim()) continue;
    const line = index + 1;
    if (!readLine(content, line)) badLine ??= { line, text: redactUrlsIn(raw, MAX_LINE_LENGTH) };
  }

  function readLine(content: string, line: number): boolean {
    const colon = content.indexOf(":");
    const key = content.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const value = content.slice(colon + 1).trim();
    if (key === "user-agent") return nameAgent(value);
    if (key === "allow" || key === "disallow")
      return addRule(key === "allow", value, line, content);
    if (key === "sitemap") return addSitemap(value);
    return /^[a-z][a-z-]*$/.test(key);
  }

  function nameAgent(value: string): boolean {
    const agent = value === "*" ? value : (/^[a-z_-]+/i.exec(value)?.[0].toLowerCase() ?? "");
    if (!isNaming) groups.push({ agents: [], rules: [] });
    isNaming = true;
    groups.at(-1)?.agents.push(agent);
    return value !== "";
  }

  function addRule(allow: boolean, value: string, line: number, content: string): boolean {
    isNaming = false;
    const group = groups.at(-1);
    const isPath = /^[/*]/.test(value);
    const pattern = normalizePath(value);
    if (group && isPath) group.rules.push({ allow, pattern, line, text: content });
    return group !== undefined && (isPath || value === "");
  }

  function addSitemap(value: string): boolean {
    if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) return false;
    if (sitemaps.length < MAX_SITEMAPS) sitemaps.push(new URL(value));
    return true;
  }

  const path = escapeSpecial(normalizePath(url.pathname + url.search));
  const blocks = AGENTS.flatMap((agent) => {
    const rule = findDecidingRule(rulesFor(groups, agent), path);
    if (!rule || rule.allow) return [];
    return [{ agent, line: rule.line, text: redactUrlsIn(rule.text, MAX_LINE_LENGTH) }];
  });
  return { blocks, badLine, sitemaps };
}
