import type { Evidence } from "../../evidence/evidence.ts";
import { redactUrlsIn } from "../privacy/redact.ts";
import { normalizePath, READ_AGENTS, type RobotsRule, type RobotsRules } from "./robots-rules.ts";
import { Slice } from "../../net/slice.ts";
import { findUrl } from "../../../base/syntax/url.ts";

const MAX_LENGTH = 512_000;
const MAX_SITEMAPS = 3;
const MAX_LINE_LENGTH = 300;
/** The line limit of Google's parser. */
const MAX_READ_LENGTH = 16_664;

interface Line {
  number: number;
  content: string;
}

export interface RobotsFacts extends Pick<Evidence["robots"], "badLine"> {
  rules: RobotsRules;
  sitemaps: URL[];
  isWhole: boolean;
}

class RobotsReader {
  readonly sitemaps: URL[] = [];
  badLine: RobotsFacts["badLine"] = null;
  readonly rules = new Map<string, RobotsRule[]>();
  #agents = new Set<string>();
  #hasGroup = false;
  #isNaming = false;

  read(raw: string, number: number): void {
    const [content = ""] = raw.slice(0, MAX_READ_LENGTH).split("#", 1);
    if (!content.trim() || this.#readLine({ number, content })) return;
    this.badLine ??= {
      line: number,
      text: redactUrlsIn(raw.slice(0, MAX_READ_LENGTH), MAX_LINE_LENGTH),
    };
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
    if (!this.#isNaming) this.#agents = new Set();
    this.#isNaming = true;
    this.#hasGroup = true;
    if (READ_AGENTS.has(agent)) {
      this.#agents.add(agent);
      if (!this.rules.has(agent)) this.rules.set(agent, []);
    }
    return value !== "";
  }

  #addRule({ number, content }: Line, allow: boolean, value: string): boolean {
    this.#isNaming = false;
    const isPath = /^[/*]/.test(value);
    if (isPath && this.#agents.size > 0) {
      const rule = { allow, pattern: normalizePath(value), line: number, text: content };
      for (const agent of this.#agents) this.rules.get(agent)?.push(rule);
    }
    return this.#hasGroup && (isPath || value === "");
  }

  #addSitemap(value: string): boolean {
    const url = /^https?:\/\//i.test(value) ? findUrl(value) : undefined;
    if (url && this.sitemaps.length < MAX_SITEMAPS) this.sitemaps.push(url);
    return url !== undefined;
  }
}

/** RFC 9309. `badLine`: the first that crawlers cannot parse. `sitemaps`: the first 3, unredacted. */
export async function readRobots(text: string, slice = new Slice()): Promise<RobotsFacts> {
  const reader = new RobotsReader();
  const length = Math.min(text.length, MAX_LENGTH);
  let number = 1;
  let start = text.startsWith("\ufeff") ? 1 : 0;
  for (let index = start; index <= length && !slice.isLate; index++) {
    const isEnd = index === length || text[index] === "\n" || text[index] === "\r";
    if (!isEnd) continue;
    if (index > start) reader.read(text.slice(start, index), number);
    number += 1;
    if (text[index] === "\r" && text[index + 1] === "\n") index += 1;
    start = index + 1;
    if (slice.isOver) await slice.end();
  }
  const { badLine, rules, sitemaps } = reader;
  return { badLine, rules, sitemaps, isWhole: !slice.isLate };
}
