import type { Evidence } from "../../evidence/evidence.ts";
import type { Html } from "../../evidence/html.ts";
import { pageMetas } from "./metas.ts";
import { listMembers, pageHeader } from "../../evidence/page.ts";
import { type SourceExpression, findSource } from "./source-expression.ts";

/** Directives whose values are a list of sources. */
export const SOURCE_LISTS: ReadonlySet<string> = new Set(
  "default-src script-src script-src-elem script-src-attr style-src style-src-elem style-src-attr img-src font-src connect-src media-src object-src prefetch-src child-src frame-src fenced-frame-src worker-src manifest-src base-uri form-action frame-ancestors navigate-to".split(
    " ",
  ),
);
const OTHER_DIRECTIVES: ReadonlySet<string> = new Set(
  "sandbox report-uri report-to upgrade-insecure-requests block-all-mixed-content require-trusted-types-for trusted-types plugin-types require-sri-for referrer reflected-xss disown-opener webrtc".split(
    " ",
  ),
);

/** More than a sensible site sends, but few enough to judge within a few milliseconds. */
const MAX_POLICIES = 32;
const MAX_TOTAL_LENGTH = 16_384;

/** Directives that a policy in a meta element can't set (CSP 3, 3.3). */
const NOT_IN_META = ["frame-ancestors", "report-uri", "sandbox"];

/** The values of one directive, and their source expressions, parsed when first used. */
class Directive {
  readonly values: readonly string[];
  #sources: readonly SourceExpression[] | undefined;

  constructor(values: readonly string[]) {
    this.values = values;
  }

  /** The source expressions, without `'none'`, which only has a meaning on its own. */
  get sources(): readonly SourceExpression[] {
    return (this.#sources ??= this.values
      .map(findSource)
      .filter((source) => source !== undefined)
      .filter(({ text }) => text !== "'none'"));
  }
}

export interface Policy {
  readonly source: string;
  /** By lower-cased name. */
  readonly directives: ReadonlyMap<string, Directive>;
  /** True if the evidence holds only the beginning of the policy. */
  readonly isCut: boolean;
  /**
   * The meta that sets the policy for what follows it in the page; undefined for a header, which covers the whole
   * page.
   */
  readonly meta?: Place;
}

/** Where something stands in the page. */
type Place = Pick<Html["metas"][number], "offset">;

/** Whether the policy covers what stands there. */
export function governs({ meta }: Policy, place: Place): boolean {
  return !meta || meta.offset < place.offset;
}

/** Whether browsers know the directive, or once did. */
export function isDirective(name: string): boolean {
  return SOURCE_LISTS.has(name) || OTHER_DIRECTIVES.has(name);
}

/** The names and values of a policy's directives, in order, duplicates included, those outside ASCII left out. */
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

/**
 * The parts of a header's values between commas, policies or not. Everything after the 32nd, or beyond 16,384
 * characters, is one part marked as cut.
 */
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

/** The policies in a header's values; a text without a known directive is not one. */
export function parsePolicies(values: readonly string[]): Policy[] {
  return readPolicies(values).filter(isPolicy);
}

/**
 * The policies that browsers enforce on the page: first those of the header, then those of metas in head, one each
 * (CSP 3, 3.3).
 */
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

/** What the first of these directives that the policy contains allows; undefined if it contains none. */
export function findSources(
  { directives }: Policy,
  ...names: readonly string[]
): SourceList | undefined {
  for (const directive of names) {
    const sources = directives.get(directive)?.sources;
    if (sources) return { directive, sources };
  }
  return undefined;
}
