import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { PALETTE, REPORT_STYLE } from "../../../shared/report/style.ts";

const OWN_STYLE = readFileSync(new URL("style.css", import.meta.url), "utf8");

/** Without what means nothing in it: white space around braces, semicolons and > and after colons and commas, and last semicolons. */
export const packStyle = (style: string) =>
  style
    .replaceAll(/\s*([{};>])\s*|([:,])\s+/g, "$1$2")
    .replaceAll(";}", "}")
    .trim();

/** The style of every page: light, dark, narrow and on paper. */
export const STYLE = packStyle(
  `${PALETTE}${OWN_STYLE.replace("/* The style of a report stands here. */", () => REPORT_STYLE)}`,
);

const sourceOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const STYLE_SOURCE = sourceOf(STYLE);

/**
 * The content security policy of a page: its own style, its one script, if it has one, this server's images and forms,
 * nothing else.
 */
export function policyOf(script?: string, style?: string): string {
  return [
    "default-src 'none'",
    `style-src ${style === undefined ? STYLE_SOURCE : sourceOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${sourceOf(script)}`, "connect-src 'self'"]),
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
