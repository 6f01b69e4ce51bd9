import type { Evidence } from "./evidence.ts";
import { redactUrlsIn } from "./redact.ts";
import { Slice } from "./slice.ts";
import { findUrl } from "./url.ts";

const MAX_LENGTH = 512_000;
const MAX_SITEMAPS = 3;
const MAX_LINE_LENGTH = 300;
/** Google's parser reads no more of a line either. */
const MAX_READ_LENGTH = 16_664;
const AGENTS = ["*", "Googlebot", "Bingbot"];
const READ_AGENTS = new Set(AGENTS.map((agent) => agent.toLowerCase()));

interface Rule {
  allow: boolean;
  pattern: string;
  line: number;
  text: string;
}

/** A line without its comment. */
interface Line {
  number: number;
  content: string;
}

interface RobotsFacts extends Pick<Evidence["robots"], "badLine"> {
  blocks: NonNullable<Evidence["robots"]["blocks"]>;
  sitemaps: URL[];
}

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

/** Goes through the lines once; of all rules it keeps, for each agent, the one that decides so far. */
class RobotsReader {
  readonly sitemaps: URL[] = [];
  badLine: RobotsFacts["badLine"] = null;
  readonly #path: string;
  readonly #deciding = new Map<string, Rule>();
  readonly #named = new Set<string>();
  #agents: string[] = [];
  #hasGroup = false;
  #isNaming = false;

  constructor({ pathname, search }: URL) {
    this.#path = escapeSpecial(normalizePath(pathname + search));
  }

  read(raw: string, number: number): void {
    const [content = ""] = raw.slice(0, MAX_READ_LENGTH).split("#", 1);
    if (!content.trim() || this.#readLine({ number, content })) return;
    this.badLine ??= {
      line: number,
      text: redactUrlsIn(raw.slice(0, MAX_READ_LENGTH), MAX_LINE_LENGTH),
    };
  }

  /** For each agent that may not fetch the URL, the line that says so; a group of its own replaces that of `*`. */
  getBlocks(): RobotsFacts["blocks"] {
    return AGENTS.flatMap((agent) => {
      const rule = this.#deciding.get(
        this.#named.has(agent.toLowerCase()) ? agent.toLowerCase() : "*",
      );
      if (!rule || rule.allow) return [];
      return [{ agent, line: rule.line, text: redactUrlsIn(rule.text, MAX_LINE_LENGTH) }];
    });
  }

  #readLine(line: Line): boolean {
    const { content } = line;
    const colon = content.indexOf(":");
    const key = content.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    const value = content.slice(colon + 1).trim();
    if (key === "user-agent") return this.#nameAgent(value);
    if (key === "allow" || key === "disallow") return this.#addRule(line, key === "allow", value);
    if (key === "sitemap") return this.#addSitemap(value);
    return /^[a-z][a-z-]*$/.test(key);
  }

  #nameAgent(value: string): boolean {
    const agent = value === "*" ? value : (/^[a-z_-]+/i.exec(value)?.[0].toLowerCase() ?? "");
    if (!this.#isNaming) this.#agents = [];
    this.#isNaming = true;
    this.#hasGroup = true;
    if (READ_AGENTS.has(agent)) {
      this.#agents.push(agent);
      this.#named.add(agent);
    }
    return value !== "";
  }

  #addRule({ number, content }: Line, allow: boolean, value: string): boolean {
    this.#isNaming = false;
    const isPath = /^[/*]/.test(value);
    if (isPath && this.#agents.length > 0) {
      const rule = { allow, pattern: normalizePath(value), line: number, text: content };
      for (const agent of this.#agents) this.#weigh(agent, rule);
    }
    return this.#hasGroup && (isPath || value === "");
  }

  /** The longest pattern decides, and of two as long the one that allows (RFC 9309, 2.2.2). */
  #weigh(agent: string, rule: Rule): void {
    const best = this.#deciding.get(agent);
    const isLonger = !best || rule.pattern.length > best.pattern.length;
    const isKinder = rule.allow && rule.pattern.length === best?.pattern.length;
    if ((isLonger || isKinder) && matches(rule.pattern, this.#path))
      this.#deciding.set(agent, rule);
  }

  #addSitemap(value: string): boolean {
    const url = /^https?:\/\//i.test(value) ? findUrl(value) : undefined;
    if (url && this.sitemaps.length < MAX_SITEMAPS) this.sitemaps.push(url);
    return url !== undefined;
  }
}

/**
 * What a robots.txt (RFC 9309) says to search engines about one URL, read in slices.
 * `blocks`: for each agent that may not fetch `url`, the Disallow line that decides. `badLine`: the first that no
 * crawler can read. `sitemaps`: the first 3, not redacted.
 * @param url with its query values, which the rules are matched against
 */
export async function readRobots(text: string, url: URL): Promise<RobotsFacts> {
  const reader = new RobotsReader(url);
  const slice = new Slice();
  const length = Math.min(text.length, MAX_LENGTH);
  let number = 1;
  let start = text.startsWith("\ufeff") ? 1 : 0;
  for (let index = start; index <= length; index++) {
    const isEnd = index === length || text[index] === "\n" || text[index] === "\r";
    if (!isEnd) continue;
    if (index > start) reader.read(text.slice(start, index), number);
    number += 1;
    if (text[index] === "\r" && text[index + 1] === "\n") index += 1;
    start = index + 1;
    if (slice.isOver) await slice.end();
  }
  return { blocks: reader.getBlocks(), badLine: reader.badLine, sitemaps: reader.sitemaps };
}
