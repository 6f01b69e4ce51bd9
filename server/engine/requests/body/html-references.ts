import type { Asset, CardImage } from "../../evidence/evidence.ts";
import { findUrl, MAX_URL_LENGTH } from "../../../base/syntax/url.ts";
import {
  MAX_INTEGRITY,
  readSecurityAttributes,
  MAX_RAW_INTEGRITY,
  type Tag,
} from "./html-tokens.ts";
import { redactUrl } from "../privacy/redact.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import type { Guard } from "../../net/guard.ts";
import type { Html, Link, HostClass, Resource } from "../../evidence/html.ts";
import { BoundedList } from "../../evidence/bounded-list.ts";
import { isLoaded, type Reference } from "./html-resources.ts";
import { areOfOneDomain } from "../../../base/syntax/host-pattern.ts";

const METAS = new Map<string, CardImage["meta"]>([
  ["og:image", "og:image"],
  ["og:image:url", "og:image"],
  ["twitter:image", "twitter:image"],
  ["twitter:image:src", "twitter:image"],
]);

export interface CardImageCandidate {
  url: URL;
  meta: CardImage["meta"];
}

export class CardImages {
  readonly #found: CardImageCandidate[] = [];

  add(name: string, content: string): void {
    const meta = METAS.get(name);
    if (!meta || this.#found.some((one) => one.meta === meta)) return;
    const url = /^\s*https:/i.test(content) && findUrl(content.trim().slice(0, MAX_URL_LENGTH));
    if (url) this.#found.push({ url, meta });
  }

  get found(): CardImageCandidate[] {
    const [first, ...others] = this.#found;
    return first ? [first, ...others.filter(({ url }) => url.href !== first.url.href)] : [];
  }
}

const MAX_LENGTH = 65_536;
const MAX_FILES = 200;

/** See HTML, 8.1.6.1. */
function readIntegrity(importMap: string, base: URL): ReadonlyMap<string, string> {
  const listed = importMap.length > MAX_LENGTH ? {} : readObject(readJson(importMap)["integrity"]);
  return new Map(
    Object.entries(listed)
      .slice(0, MAX_FILES)
      .flatMap(([address, integrity]) => {
        const url = findUrl(address, base);
        return url && typeof integrity === "string"
          ? [[redactUrl(url), oneLine(integrity, MAX_INTEGRITY)] as const]
          : [];
      }),
  );
}

function readJson(text: string): Record<string, unknown> {
  try {
    return readObject(JSON.parse(text));
  } catch {
    return {};
  }
}

function readObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Any other missing file only leaves a gap. */
export function isVitalKind(kind: Resource["kind"]): boolean {
  return kind === "script" || kind === "module" || kind === "style";
}

export interface AssetCandidate {
  url: URL;
  kind: Resource["kind"];
  tag: string;
  line: number;
  load: Asset["load"];
  isCors: boolean;
  /** The attribute as written. Null without it: then the page's own policy applies. */
  referrerPolicy: string | null;
  integrity: string | null;
  /** The style sheet or manifest that names the file. Null if the page does. */
  in: string | null;
}

interface LinkReference {
  href: string;
  line: number;
  mayBeRequested?: boolean;
  isMenu?: boolean;
  text?: string;
}

export interface LinkCandidate {
  url: URL;
  line: number;
}

/** Modules, fonts and manifests are always fetched with CORS. */
const ALWAYS_CORS: readonly string[] = ["module", "font", "manifest"];
const MAX_DISTINCT = 2000;
const MAX_POLICY_LENGTH = 64;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
/** URLs with these schemes cause no request. */
const INLINE = new Set(["data", "blob", "about", "javascript"]);
const ACTION =
  /\/(?:(?:log|sign)[-_]?(?:out|off)|unsubscribe|deconnexion|desinscription)(?:[/.]|$)/i;
/** Schemes of links that are kept, including `file`, a leftover of development. */
const LINKED = new Set(["", "https", "http", "file"]);

function schemeOf(raw: string): string {
  return SCHEME.exec(raw)?.[1]?.toLowerCase() ?? "";
}

function isWeb(url: URL | undefined): url is URL {
  return url?.protocol === "https:" || url?.protocol === "http:";
}

/** Cloudflare's replacements for addresses and forms, and links that would end a visitor's session or subscription. */
function isAction({ pathname }: URL): boolean {
  return pathname.startsWith("/cdn-cgi/") || ACTION.test(pathname);
}

function bareAddress(text: string): string {
  return text.replace(/^https?:\/\//i, "").replace(/\/$/, "");
}

function withoutFragment(url: string): string {
  const mark = url.indexOf("#");
  return (mark < 0 ? url : url.slice(0, mark)).trim();
}

export class References {
  readonly resources = new BoundedList<Resource>(36_864, 200, 240);
  readonly links = new BoundedList<Link>(16_384, 100, 120);
  readonly cardImages = new CardImages();
  blockingCount = 0;
  linkCount = 0;
  readonly #page: URL;
  readonly #classify: Guard["classify"];
  readonly #classes = new Map<string, HostClass>();
  readonly #knownResources = new Set<string>();
  readonly #knownVital = new Set<string>();
  readonly #knownBlocking = new Set<string>();
  readonly #knownLinks = new Set<string>();
  readonly #assets = new Map<string, AssetCandidate>();
  readonly #linked = new Map<string, LinkCandidate>();
  #base: URL;
  #isMediaLater = false;
  #baseTag: Tag | undefined;
  #isBaseUsed = false;

  constructor(page: URL, classify: Guard["classify"]) {
    this.#page = page;
    this.#base = page;
    this.#classify = classify;
  }

  get assetCandidates(): AssetCandidate[] {
    return [...this.#assets.values()];
  }

  /** Leaves out URLs that are requested as files. */
  get linkCandidates(): LinkCandidate[] {
    return [...this.#linked.values()].filter(({ url }) => !this.#assets.has(url.href));
  }

  /** Only the first base element counts (HTML, 4.2.3). */
  enter(tag: Tag): void {
    const href = tag.attributes.get("href");
    if (tag.name === "audio" || tag.name === "video") this.#isMediaLater = !isLoaded(tag, "media");
    if (tag.name !== "base" || href === undefined || this.#baseTag) return;
    this.#baseTag = tag;
    const url = findUrl(href, this.#page);
    if (isWeb(url)) this.#base = url;
  }

  get baseUrl(): URL {
    return this.#base;
  }

  get base(): Html["base"] {
    if (!this.#baseTag) return null;
    const { line, end } = this.#baseTag;
    return { url: redactUrl(this.#base), line, offset: end, isUsed: this.#isBaseUsed };
  }

  resourcesUnder(importMap: string): Resource[] {
    const known = readIntegrity(importMap, this.#base);
    return this.resources.items.map((file) => {
      const given = file.kind === "module" && file.integrity === "" && known.get(file.url);
      return given ? { ...file, integrity: given } : file;
    });
  }

  addResource(reference: Reference, tag: Tag): void {
    const raw = withoutFragment(reference.url);
    const { kind, blocking } = reference;
    const isVital = isVitalKind(kind);
    const known = this.#knownOf(isVital, blocking);
    if (raw === "" || known.has(raw) || INLINE.has(schemeOf(raw))) return;
    if (blocking) this.blockingCount += 1;
    if (known.size >= MAX_DISTINCT) return;
    known.add(raw);

    const url = this.#resolve(raw);
    const hostClass = this.#classOf(url);
    const { name, line, attributes } = tag;
    this.resources.offer(
      () => ({
        url: redactUrl(url ?? raw),
        line,
        tag: name,
        kind,
        hostClass,
        blocking,
        offset: tag.end,
        ...readSecurityAttributes(tag),
      }),
      isVital || hostClass !== "public" || url?.protocol === "http:",
    );
    if (!reference.isSample || !isWeb(url) || (name === "source" && this.#isMediaLater)) return;
    if (name === "iframe" && url.host !== this.#page.host) return;
    const isCors = ALWAYS_CORS.includes(kind) || attributes.has("crossorigin");
    const referrerPolicy = attributes.get("referrerpolicy")?.slice(0, MAX_POLICY_LENGTH) || null;
    const integrity = attributes.get("integrity")?.slice(0, MAX_RAW_INTEGRITY) || null;
    const isAside =
      kind === "script" &&
      attributes.has("async") &&
      !areOfOneDomain(url.hostname, this.#page.hostname);
    const use = isAside ? "other" : kind;
    const { load = "now" } = reference;
    const from = { tag: name, line, in: null };
    this.#addAsset({ url, kind: use, ...from, load, isCors, referrerPolicy, integrity });
  }

  /** Returns the URL without secrets. An empty address means the page, as for a form without an action. */
  locate(address: string): string {
    const raw = withoutFragment(address);
    return redactUrl(raw === "" ? this.#page : (this.#resolve(raw) ?? raw));
  }

  /** Leaves out a link to a private host whose text is its address: the page shows it as an example. */
  addLink({ href, line, mayBeRequested = true, isMenu = false, text = "" }: LinkReference): void {
    const raw = withoutFragment(href);
    if (raw === "" || this.#knownLinks.has(raw) || !LINKED.has(schemeOf(raw))) return;
    if (this.#isExample(raw, text)) return;
    this.linkCount += 1;
    if (this.#knownLinks.size >= MAX_DISTINCT) return;
    this.#knownLinks.add(raw);

    const url = this.#resolve(raw);
    const hostClass = this.#classOf(url);
    this.links.offer(
      () => ({ url: redactUrl(url ?? raw), line, hostClass, isMenu }),
      hostClass !== "public",
    );
    const isOwn = isWeb(url) && url.host === this.#page.host;
    if (!mayBeRequested || !isOwn || isAction(url) || this.#isPage(url)) return;
    if (!this.#linked.has(url.href)) this.#linked.set(url.href, { url, line });
  }

  #isExample(raw: string, text: string): boolean {
    if (bareAddress(raw) !== bareAddress(text)) return false;
    return this.#classOf(findUrl(raw, this.#base)) !== "public";
  }

  resolveStep(raw: string): URL | undefined {
    return findUrl(raw, this.#base);
  }

  #resolve(raw: string): URL | undefined {
    const url = findUrl(raw, this.#base);
    if (this.#base !== this.#page && !this.#isBaseUsed)
      this.#isBaseUsed = url?.href !== findUrl(raw, this.#page)?.href;
    return url;
  }

  #isPage({ href }: URL): boolean {
    return href === withoutFragment(this.#page.href);
  }

  /** A file is vital if any of its uses is. */
  #addAsset(candidate: AssetCandidate): void {
    const { href } = candidate.url;
    if (this.#isPage(candidate.url)) return;
    const known = this.#assets.get(href);
    if (!known) this.#assets.set(href, candidate);
    else if (isVitalKind(candidate.kind) && !isVitalKind(known.kind))
      Object.assign(known, candidate);
  }

  #knownOf(isVital: boolean, blocking: boolean): Set<string> {
    if (blocking) return this.#knownBlocking;
    return isVital ? this.#knownVital : this.#knownResources;
  }

  #classOf(url: URL | undefined): HostClass {
    if (!url) return "invalid";
    const origin = `${url.protocol}//${url.host}`;
    const known = this.#classes.get(origin) ?? this.#classify(url);
    this.#classes.set(origin, known);
    return known;
  }
}
