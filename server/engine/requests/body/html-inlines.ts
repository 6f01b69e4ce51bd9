import type { InlineStyle } from "../named-files.ts";
import { createHash } from "node:crypto";
import { JAVASCRIPT } from "../../../base/syntax/media-type.ts";
import { BoundedList } from "../../evidence/bounded-list.ts";
import type { Inline } from "../../evidence/html.ts";
import { findHashes, normalizeHash } from "../../evidence/source-hash.ts";
import { nonceOf, type Tag } from "./html-tokens.ts";
import { namesOf } from "./html-head.ts";
import {
  isAppliedByHandler,
  isCss,
  isNotOnScreen,
  isScript,
  type Reference,
  typeOf,
} from "./html-resources.ts";
import type { PageStep } from "./page-step.ts";
import { addsCode } from "./script-text.ts";
import { InlineScripts } from "./script-syntax.ts";
import { isImported, type MappedName, readPlainMap, toModule } from "./import-map.ts";
import { loadsCopy } from "./script-text.ts";
import { findPlainImports, findPlainReferences } from "./style-text.ts";

const MAX_STYLES = 10;
const MAX_HASHES = 1000;
const MAX_REPLACED = 20;
const MAX_POLICY_LENGTH = 65_536;
const MAX_TRACKER_LENGTH = 4000;
/** Words in the usual snippets that count visits, or that networks and WordPress add by themselves. */
const TRACKER =
  /googletagmanager\.com|google-analytics\.com|\bgtag\(|\bfbq\(|\bttq\b|\b_paq\b|\b_mtm\b|\b_gaq\b|\bdataLayer\b|clarity\.ms|hotjar\.com|static\.cloudflareinsights\.com|__CF\$cv\$params|\/cdn-cgi\/|_wpemojiSettings|NREUM|BOOMR/;

const NO_FACTS: Pick<Inline, "scheme" | "hashes" | "sha256" | "addsCode" | "isTracker"> = {
  scheme: "",
  hashes: [],
  sha256: "",
  addsCode: false,
  isTracker: false,
};

/** Line ends count as the parser reads them (HTML, 13.2.3.5). */
const normalize = (text: string): string => text.replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd");

const digest = (algorithm: string, text: string): string =>
  createHash(algorithm).update(text).digest("base64");

export class Inlines {
  scriptCount = 0;
  importMap = "";
  readonly styles: InlineStyle[] = [];
  readonly scripts = new InlineScripts();
  readonly replaced: number[] = [];
  #lastFile: Tag | undefined;
  readonly #mapped: MappedName[] = [];
  readonly #kept = new BoundedList<Inline>(16_384, 60);
  readonly #known = new Set<string>();
  readonly #page: string;
  readonly #step: PageStep;
  /** The hashes of the policies so far. A meta comes before what it governs. */
  readonly #hashes = new Set<string>();
  #open: { tag: Tag; kind: Inline["kind"]; end: number } | undefined;

  constructor(page: string, policy: string, step: PageStep) {
    this.#page = page;
    this.#step = step;
    this.#addPolicy(policy);
  }

  #addPolicy(policy: string): void {
    for (const hash of findHashes(policy.slice(0, MAX_POLICY_LENGTH)))
      if (this.#hashes.size < MAX_HASHES) this.#hashes.add(hash);
  }

  enter(tag: Tag): void {
    if (isScript(tag)) this.scriptCount += 1;
    if (tag.name === "script" && tag.attributes.has("src")) this.#lastFile = tag;
    if (tag.name === "meta" && namesOf(tag).has("content-security-policy"))
      this.#addPolicy(tag.attributes.get("content") ?? "");
    if (isAppliedByHandler(tag)) {
      const text = tag.attributes.get("onload") ?? "";
      this.#keep(tag, "handler", () => ({ ...NO_FACTS, hashes: this.#findHashes(text) }));
    }
    const kind = kindOf(tag);
    this.#open = kind && { tag, kind, end: tag.end + 1 };
  }

  addText(end: number): void {
    if (this.#open) this.#open.end = end;
  }

  leave(name: string): { tag: Tag; plain: Reference[] } | undefined {
    const { tag, kind, end } = this.#open ?? {};
    if (name !== tag?.name || !kind || end === undefined) return undefined;
    this.#open = undefined;
    const text = this.#page.slice(tag.end + 1, end);
    if (!/\S/.test(text)) return undefined;
    if (kind === "importmap") this.importMap ||= text;
    const isTracker = text.length <= MAX_TRACKER_LENGTH && TRACKER.test(text);
    const isRun = kind !== "style";
    this.#keep(tag, kind, () => ({
      ...NO_FACTS,
      hashes: this.#findHashes(text),
      sha256: isRun ? digest("sha256", normalize(text)) : "",
      addsCode: isRun && addsCode(text),
      isTracker,
    }));
    if (kind === "module" || (kind === "script" && isRunAsClassic(tag)))
      this.scripts.add(
        text,
        kind === "module",
        () => tag.line + countLines(this.#page.slice(tag.start, tag.end + 1)),
      );
    this.#noteReplaced(text);
    if (kind === "importmap") return { tag, plain: this.#readMapped(text) };
    if (kind === "script" || kind === "module")
      this.#step.addScript(text, tag, () => this.#findHashes(text).length > 0);
    if (kind === "style" && this.styles.length < MAX_STYLES && !isNotOnScreen(tag))
      this.styles.push({ text, line: tag.line });
    if (kind === "style") return { tag, plain: findPlainReferences(text) };
    if (kind !== "module") return undefined;
    const mapped = this.#mapped.filter((one) => isImported(text, one.name));
    return { tag, plain: [...findPlainImports(text), ...mapped.map(({ url }) => toModule(url))] };
  }

  #noteReplaced(text: string): void {
    const isFallback = this.#lastFile !== undefined && loadsCopy(text);
    if (isFallback && this.replaced.length < MAX_REPLACED)
      this.replaced.push(this.#lastFile?.end ?? 0);
    this.#lastFile = undefined;
  }

  #readMapped(text: string): Reference[] {
    this.#mapped.push(...readPlainMap(text));
    return this.#mapped.map(({ url }) => ({ ...toModule(url), kind: "other" }));
  }

  addFile(tag: Tag, { kind }: Reference): void {
    const key = `${tag.name} ${kind} ${nonceOf(tag)}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#keep(tag, kind, () => ({ ...NO_FACTS, scheme: "data:" }));
  }

  end(): Inline[] {
    return this.#kept.items;
  }

  #keep(tag: Tag, kind: Inline["kind"], describe: () => Pick<Inline, keyof typeof NO_FACTS>): void {
    const { name, line, end } = tag;
    this.#kept.offer(() => ({
      tag: name,
      line,
      offset: end,
      kind,
      nonce: nonceOf(tag),
      ...describe(),
    }));
  }

  #findHashes(text: string): string[] {
    const algorithms = new Set([...this.#hashes].map((hash) => hash.slice(0, "sha256".length)));
    const read = algorithms.size === 0 ? "" : normalize(text);
    return [...algorithms]
      .map((name) => normalizeHash(name, digest(name, read)))
      .filter((hash) => this.#hashes.has(hash));
  }
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

/** Old pages mark scripts of Internet Explorer by `language` or by `for` and `event` (HTML, 4.12.1.1). */
function isRunAsClassic({ attributes }: Tag): boolean {
  const type = attributes.get("type")?.trim().toLowerCase();
  const language = attributes.get("language")?.toLowerCase() ?? "";
  const stated = type ?? (language === "" ? "" : `text/${language}`);
  const isOfEvent = attributes.has("for") && attributes.has("event");
  return (stated === "" || JAVASCRIPT.test(stated)) && !isOfEvent;
}

function kindOf(tag: Tag): Inline["kind"] | undefined {
  if (tag.isForeign) return undefined;
  if (tag.name === "style") return isCss(tag) ? "style" : undefined;
  if (tag.name !== "script" || tag.attributes.has("src")) return undefined;
  const type = typeOf(tag);
  if (type === "importmap") return type;
  if (!isScript(tag) || tag.attributes.has("nomodule")) return undefined;
  return type === "module" ? type : "script";
}
