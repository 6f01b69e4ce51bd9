import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { PALETTE, REPORT_STYLE } from "../../../shared/report/style.ts";

const OWN_STYLE = readFileSync(new URL("style.css", import.meta.url), "utf8");

export const packStyle = (style: string) =>
  style
    .replaceAll(/\s*([{};>])\s*|([:,])\s+/g, "$1$2")
    .replaceAll(";}", "}")
    .trim();

export const STYLE = packStyle(
  `${PALETTE}${OWN_STYLE.replace("/* REPORT_STYLE */", () => REPORT_STYLE)}`,
);

const sourceOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const STYLE_SOURCE = sourceOf(STYLE);

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
