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

/** `uncheckable`: its integrity cannot be compared. `altered`: its content does not match its integrity. */
type Cause = "policy" | "sandbox" | "cors" | "corp" | "uncheckable" | "altered";

export interface Blocked extends Reference {
  readonly kind: Inline["kind"] | "form" | "base";
  readonly cause: Cause;
  /** Whether the page is broken without it: its looks, its own scripts or where its forms are sent. */
  readonly isVital: boolean;
}

export interface Judged {
  readonly page: URL;
  readonly html: Html;
  readonly policies: readonly Policy[];
  readonly assets: ReadonlyMap<string, Evidence["assets"][number]>;
  /** Whether it loads only files of other origins that allow it explicitly (HTML, 7.1.4). */
  readonly isIsolated: boolean;
}

/** The first one in a policy counts (CSP 3, 6.8.3). */
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
/** The directives of elements whose file is `other`. All others of that kind are not needed to show the page. */
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
