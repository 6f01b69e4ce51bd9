import type { Evidence } from "../../evidence/evidence.ts";
import type { Html, Inline } from "../../evidence/html.ts";
import {
  type Policy,
  SCRIPT_DIRECTIVES,
  type SourceIndex,
  findDirective,
  governs,
} from "./policy.ts";
import type { Reference } from "./references.ts";

/**
 * `uncheckable`: browsers cannot compare the file with its integrity. `altered`: the file does not match its integrity.
 * `unproven`: Integrity-Policy requires an integrity.
 */
type Cause = "policy" | "sandbox" | "cors" | "corp" | "uncheckable" | "altered" | "unproven";

export interface Blocked extends Reference {
  readonly kind: Inline["kind"] | "form" | "base";
  readonly cause: Cause;
  /** Whether blocking this breaks the page: its appearance, its own scripts or the target of its forms. */
  readonly isVital: boolean;
}

export interface Judged {
  readonly page: URL;
  readonly html: Html;
  readonly policies: readonly Policy[];
  readonly assets: ReadonlyMap<string, Evidence["assets"][number]>;
  /** Whether the page loads a file of another origin only if that file allows it explicitly (HTML, 7.1.4). */
  readonly isIsolated: boolean;
  /** Whether Integrity-Policy blocks scripts without integrity. */
  readonly requiresIntegrity: boolean;
}

/** The directives for each kind, in order: the first one that a policy contains applies (CSP 3, 6.8.3). */
export const GOVERNING: Readonly<Record<Blocked["kind"], readonly string[]>> = {
  script: SCRIPT_DIRECTIVES,
  module: SCRIPT_DIRECTIVES,
  importmap: SCRIPT_DIRECTIVES,
  handler: ["script-src-attr", "script-src", "default-src"],
  style: ["style-src-elem", "style-src", "default-src"],
  image: ["img-src", "default-src"],
  icon: ["img-src", "default-src"],
  font: ["font-src", "default-src"],
  manifest: ["manifest-src", "default-src"],
  media: ["media-src", "default-src"],
  frame: ["frame-src", "child-src", "default-src"],
  other: [],
  form: ["form-action"],
  base: ["base-uri"],
};
/** The directives for elements of kind `other`. The page can be shown without all other files of that kind. */
const OTHERS: ReadonlyMap<string, readonly string[]> = new Map([
  ["object", ["object-src", "default-src"]],
  ["embed", ["object-src", "default-src"]],
  ["track", ["media-src", "default-src"]],
]);
const SCRIPT_KINDS: readonly string[] = ["script", "module", "importmap"];
export function isScriptKind(kind: Blocked["kind"]): boolean {
  return SCRIPT_KINDS.includes(kind);
}

export function listDirectives(kind: Inline["kind"], tag: string): readonly string[] {
  return OTHERS.get(tag) ?? GOVERNING[kind];
}

export type Block = Pick<Blocked, "cause" | "answer">;

function blockedBy(directive: string): Block {
  const answer = { fr: `exclu par ${directive}`, en: `excluded by ${directive}` };
  return { cause: "policy", answer };
}

export function findPolicyBlock(
  { policies }: Judged,
  position: { readonly offset: number },
  names: readonly string[],
  allows: (list: SourceIndex) => boolean,
): Block | undefined {
  for (const policy of policies) {
    if (policy.isCut || !governs(policy, position)) continue;
    const [name, directive] = findDirective(policy, names) ?? [];
    if (name !== undefined && directive && !allows(directive.index)) return blockedBy(name);
  }
  return undefined;
}

export function sandboxed(token: string): Block {
  const answer = { fr: `sandbox sans ${token}`, en: `sandbox without ${token}` };
  return { cause: "sandbox", answer };
}
