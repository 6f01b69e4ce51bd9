import type { Evidence } from "../../evidence/evidence.ts";
import type { Html } from "../../evidence/html.ts";
import { pageMetas } from "./metas.ts";
import { findHashes } from "../../evidence/source-hash.ts";
import { listMembers, pageHeader } from "../../evidence/accessors.ts";
import { type HostSource, type SourceExpression, findSource } from "./source-expression.ts";

export const SOURCE_LISTS: ReadonlySet<string> = new Set(
  "default-src script-src script-src-elem script-src-attr style-src style-src-elem style-src-attr img-src font-src connect-src media-src object-src prefetch-src child-src frame-src fenced-frame-src worker-src manifest-src base-uri form-action frame-ancestors navigate-to".split(
    " ",
  ),
);
/** The directives for script elements. The first one in a policy counts (CSP 3, 6.8.3). */
export const SCRIPT_DIRECTIVES: readonly string[] = [
  "script-src-elem",
  "script-src",
  "default-src",
];
const OTHER_DIRECTIVES: ReadonlySet<string> = new Set(
  "sandbox report-uri report-to upgrade-insecure-requests block-all-mixed-content require-trusted-types-for trusted-types plugin-types require-sri-for referrer reflected-xss disown-opener webrtc".split(
    " ",
  ),
);

/** More than a sensible site sends, but few enough to assess within a few milliseconds. */
const MAX_POLICIES = 32;
const MAX_TOTAL_LENGTH = 16_384;

/** Directives that a policy in a meta element can't set (CSP 3, 3.3). */
const NOT_IN_META = ["frame-ancestors", "report-uri", "sandbox"];

export class Directive {
  readonly values: readonly string[];
  #sources: readonly SourceExpression[] | undefined;
  #index: SourceIndex | undefined;

  constructor(values: readonly string[]) {
    this.values = values;
  }

  /** Excludes `'none'`, which has a meaning only if it is the only source. */
  get sources(): readonly SourceExpression[] {
    return (this.#sources ??= this.values
      .map(findSource)
      .filter((source) => source !== undefined)
      .filter(({ text }) => text !== "'none'"));
  }

  /** An index that finds a matching source without comparing all sources. */
  get index(): SourceIndex {
    return (this.#index ??= indexSources(this.sources));
  }
}

export interface SourceIndex {
  /** The prefix `'nonce-` is in lower case here, whatever case the policy uses. */
  readonly texts: ReadonlySet<string>;
  readonly schemes: readonly string[];
  /** The hashes as `normalizeHash` writes them. */
  readonly hashes: ReadonlySet<string>;
  readonly hasNonce: boolean;
  readonly hasUrlHash: boolean;
  /** The key of a wildcard is the part after its asterisk. The key of `*`, which allows any host, is the empty string. */
  readonly hosts: ReadonlyMap<string, readonly HostSource[]>;
}

function indexSources(sources: readonly SourceExpression[]): SourceIndex {
  const textsOf = (wanted: SourceExpression["kind"]) =>
    sources.filter(({ kind }) => kind === wanted).map(({ text }) => text);
  return {
    texts: new Set(sources.map(({ text }) => text.replace(/^'nonce-/i, "'nonce-"))),
    schemes: textsOf("scheme"),
    hashes: new Set(textsOf("hash").flatMap(findHashes)),
    hasNonce: textsOf("nonce").length > 0,
    hasUrlHash: textsOf("hash").some((text) => /^'url-/i.test(text)),
    hosts: indexHosts(sources),
  };
}

function indexHosts(sources: readonly SourceExpression[]): Map<string, HostSource[]> {
  const hosts = new Map<string, HostSource[]>();
  for (const source of sources) {
    if (source.kind !== "host") continue;
    const name = source.host.replace(/^\*/, "");
    const known = hosts.get(name);
    if (known) known.push(source);
    else hosts.set(name, [source]);
  }
  return hosts;
}

export interface Policy {
  readonly source: string;
  readonly directives: ReadonlyMap<string, Directive>;
  readonly isCut: boolean;
  /** The meta that sets the policy for everything after it. Undefined for a header, which covers the whole page. */
  readonly meta?: Position;
}

type Position = Pick<Html["metas"][number], "offset">;

export function governs({ meta }: Policy, position: Position): boolean {
  return !meta || meta.offset < position.offset;
}

export function lacksToken({ directives }: Policy, token: string): boolean {
  const words = directives.get("sandbox")?.values;
  return words !== undefined && !words.some((word) => word.toLowerCase() === token);
}

/** Whether browsers know the directive, or once did. */
export function isDirective(name: string): boolean {
  return SOURCE_LISTS.has(name) || OTHER_DIRECTIVES.has(name);
}

/** Browsers drop directives with characters outside ASCII. */
export function splitPolicy(source: string): { name: string; values: string[] }[] {
  return source.split(";").flatMap((part) => {
    const [name = "", ...values] = part.trim().split(/\s+/);
    if (name === "" || /[^\0-\x7f]/.test(part)) return [];
    return [{ name: name.toLowerCase(), values }];
  });
}

/** If two directives have the same name, the first counts (CSP 3, 2.2.1). */
function parsePolicy(source: string): Policy {
  const directives = new Map<string, Directive>();
  for (const { name, values } of splitPolicy(source))
    if (!directives.has(name)) directives.set(name, new Directive(values));
  return { source, directives, isCut: source.endsWith("…") };
}

function isPolicy({ directives, isCut }: Policy): boolean {
  return isCut || [...directives.keys()].some(isDirective);
}

/** Merges everything after the 32nd policy, or beyond 16,384 characters, into one policy that is marked as cut. */
export function readPolicies(values: readonly string[]): Policy[] {
  const kept: string[] = [];
  let room = MAX_TOTAL_LENGTH;
  for (const member of listMembers(values)) {
    room -= member.length;
    const fits = room >= 0 && kept.length < MAX_POLICIES;
    kept.push(fits ? member : "…");
    if (!fits) break;
  }
  return kept.map(parsePolicy);
}

export function parsePolicies(values: readonly string[]): Policy[] {
  return readPolicies(values).filter(isPolicy);
}

/** The policies that browsers enforce: first those of the header, then one for each meta in head (CSP 3, 3.3). */
export function enforcedPolicies(evidence: Evidence): Policy[] {
  const metas = pageMetas(evidence, "content-security-policy").filter(({ isInHead }) => isInHead);
  const policies = metas.map((meta) => {
    const policy = parsePolicy(meta.content);
    const kept = [...policy.directives].filter(([name]) => !NOT_IN_META.includes(name));
    return { ...policy, directives: new Map(kept), meta };
  });
  return [
    ...parsePolicies(pageHeader(evidence, "content-security-policy")),
    ...policies.filter(isPolicy),
  ];
}

export interface SourceList {
  readonly directive: string;
  readonly sources: readonly SourceExpression[];
}

export function findDirective(
  { directives }: Policy,
  names: readonly string[],
): readonly [name: string, directive: Directive] | undefined {
  for (const name of names) {
    const directive = directives.get(name);
    if (directive) return [name, directive];
  }
  return undefined;
}

export function findSources(policy: Policy, ...names: readonly string[]): SourceList | undefined {
  const [directive, found] = findDirective(policy, names) ?? [];
  return directive !== undefined && found ? { directive, sources: found.sources } : undefined;
}
