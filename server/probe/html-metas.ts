import type { Tag } from "./html-tokens.ts";
import { redactPolicy, redactRefresh, redactText, redactUrl, redactUrlsIn } from "./redact.ts";

const MAX_LABEL_LENGTH = 40;
const MAX_CONTENT_LENGTH = 1000;
const MAX_RAW_LENGTH = 10_000;
const MAX_POLICY_LENGTH = 8192;

const METAS = new Set(
  "description viewport robots googlebot bingbot referrer og:title og:description og:image og:image:url".split(
    " ",
  ),
);
const HTTP_EQUIVS = new Set(["content-security-policy", "refresh"]);

function readName(tag: Tag, attribute: string): string {
  return (tag.attributes.get(attribute) ?? "").trim().toLowerCase();
}

/** A pragma with white space around its name is none to browsers (HTML, 4.2.5.3). */
function readPragma(tag: Tag): string {
  return (tag.attributes.get("http-equiv") ?? "").toLowerCase();
}

/** Under which of the names that some rule reads a meta stands. */
export function namesOf(tag: Tag): Set<string> {
  const names = [readName(tag, "name"), readName(tag, "property")];
  const equivalent = readPragma(tag);
  const read = names.filter((name) => METAS.has(name));
  return new Set(HTTP_EQUIVS.has(equivalent) ? [...read, equivalent] : read);
}

/** The content of a meta, bounded and without secrets. */
export function keepContent(name: string, tag: Tag): string {
  const content = (tag.attributes.get("content") ?? "").slice(0, MAX_RAW_LENGTH);
  if (name === "content-security-policy") return redactPolicy(content, MAX_POLICY_LENGTH);
  if (name === "refresh") return redactRefresh(content);
  if (name.startsWith("og:image")) return redactUrl(content.trim());
  return redactUrlsIn(content, MAX_CONTENT_LENGTH);
}

/** The charset that a pragma names (HTML, "extracting a character encoding from a meta element"), as written. */
export function findPragmaCharset(content: string): string | undefined {
  return /charset\s*=\s*["']?([^\s;"']+)/i.exec(content)?.[1];
}

/** The charset that a meta declares, as written. */
export function findDeclaredCharset(tag: Tag): string | undefined {
  const isContentType = readPragma(tag) === "content-type";
  const content = isContentType ? tag.attributes.get("content") : undefined;
  const label = tag.attributes.get("charset") ?? findPragmaCharset(content ?? "");
  return label === undefined ? undefined : redactText(label.slice(0, 200), MAX_LABEL_LENGTH);
}
