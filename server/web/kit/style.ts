import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { PALETTE, REPORT_STYLE } from "../../../shared/report/style.ts";

const OWN_STYLE = readFileSync(new URL("style.css", import.meta.url), "utf8");

/** The style of every page: light, dark, narrow and on paper; without spaces that say nothing, since each page has it. */
export const STYLE =
  `${PALETTE}\n${OWN_STYLE.replace("/* The style of a report stands here. */", () => REPORT_STYLE)}`.replaceAll(
    /\s*([{};,])\s*/g,
    "$1",
  );

const sourceOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const STYLE_SOURCE = sourceOf(STYLE);

interface Needs {
  /** The page's one script, if it has one; it may ask this server. */
  script?: string | undefined;
  /** True for a page with a form, which sends to this server alone. */
  hasForm?: boolean;
}

/** The content security policy of a page: its own style and script, this server's images, nothing else. */
export function policyOf({ script, hasForm = false }: Needs = {}): string {
  return [
    "default-src 'none'",
    `style-src ${STYLE_SOURCE}`,
    ...(script === undefined ? [] : [`script-src ${sourceOf(script)}`, "connect-src 'self'"]),
    "img-src 'self'",
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join("; ");
}
