import type { Html, Resource } from "../../evidence/html.ts";
import { hideCredentials } from "../privacy/credentials.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import type { Tag } from "./html-tokens.ts";

/** The languages that an element names, in HTML and in XML; null where it names none. */
export function readLanguages({ attributes }: Tag): Pick<Html, "lang" | "xmlLang"> {
  const read = (name: string): string | null => {
    const lang = attributes.get(name);
    return lang === undefined ? null : oneLine(lang.slice(0, 200), 64);
  };
  return { lang: read("lang"), xmlLang: read("xml:lang") };
}

/** A declarative shadow root is shown; any other template is inert. */
export function isShadowRoot(tag: Tag): boolean {
  return /^(?:open|closed)$/i.test(tag.attributes.get("shadowrootmode") ?? "");
}

/** Whether assistive technology leaves out the element and what is in it. */
export function isUnheard({ attributes }: Tag): boolean {
  return /^true$/i.test(attributes.get("aria-hidden") ?? "");
}

/** Whether assistive technology has a name for the image, or is told to leave it out (HTML-AAM, 4.1.3). */
export function hasAlternative(tag: Tag): boolean {
  const { attributes } = tag;
  if (attributes.has("alt") || isUnheard(tag)) return true;
  if (/^(?:none|presentation)$/i.test((attributes.get("role") ?? "").trim())) return true;
  return ["aria-label", "aria-labelledby", "title"].some((name) => attributes.get(name)?.trim());
}

/** Whether the element is an input that no visitor sees. */
export function isHiddenInput({ name, attributes }: Tag): boolean {
  return name === "input" && /^hidden$/i.test((attributes.get("type") ?? "").trim());
}

const MAX_NONCE_LENGTH = 128;
/** What is read of an integrity, and what is kept: two digests of the longest kind. */
export const MAX_RAW_INTEGRITY = 1000;
export const MAX_INTEGRITY = 200;

/** The nonce of a script or style sheet; empty if it has none. */
export function nonceOf({ attributes }: Tag): string {
  return hideCredentials(oneLine(attributes.get("nonce") ?? "", MAX_NONCE_LENGTH));
}

/** What an element declares about its file. */
export function guardOf(tag: Tag): Pick<Resource, "integrity" | "crossorigin" | "nonce"> {
  const { name, attributes } = tag;
  const declared = attributes.get("crossorigin")?.toLowerCase();
  const mode = declared === "use-credentials" ? declared : ("anonymous" as const);
  const crossorigin = declared === undefined ? null : mode;
  const nonce = nonceOf(tag);
  if (name !== "script" && name !== "link") return { integrity: null, crossorigin, nonce };
  const integrity = oneLine(
    (attributes.get("integrity") ?? "").slice(0, MAX_RAW_INTEGRITY),
    MAX_INTEGRITY,
  );
  return { integrity, crossorigin, nonce };
}

const NOT_DISPLAYED = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i;
const MAX_STYLE_LENGTH = 1000;

/** Whether what the element contains is hidden until a script shows it; what a search in the page finds is not. */
export function isHidden({ name, attributes }: Tag): boolean {
  if (name === "dialog") return !attributes.has("open");
  const hidden = name === "input" ? undefined : attributes.get("hidden");
  if (hidden !== undefined) return !/^until-found$/i.test(hidden);
  return NOT_DISPLAYED.test(attributes.get("style")?.slice(0, MAX_STYLE_LENGTH) ?? "");
}
