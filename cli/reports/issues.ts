import type { Language, Text } from "../../shared/language.ts";
import { costOf, findCap, listCosts } from "../../shared/report/costs.ts";
import { isUnjudged, listOpenRoots } from "../../shared/report/obstacles.ts";
import type { ReportedFinding } from "../../shared/report/reported.ts";
import { labelText, say } from "../../shared/report/words.ts";
import { pathOf } from "../check/results.ts";
import type { ReceivedCheck } from "../client/api-responses.ts";
import { describeError, type CliError } from "../terminal/errors.ts";
import { createHash } from "node:crypto";
import { isUrl } from "../../shared/url.ts";

export function listReported(check: ReceivedCheck): ReportedFinding[] {
  return [...listOpenRoots(check), ...listCosts(check)];
}

export type Weight = "blocking" | "heavy" | "light";

const HEAVY_COST = 3;

export function weigh(check: ReceivedCheck, finding: ReportedFinding): Weight {
  if (isUnjudged(finding) || findCap(check, finding)) return "blocking";
  return costOf(finding) >= HEAVY_COST ? "heavy" : "light";
}

/** Without an issue, a tracker would treat the page as good. */
export const UNCHECKED: { readonly id: string; readonly title: Text } = {
  id: "not-checked",
  title: { fr: "La page n'a pas été vérifiée", en: "The page was not checked" },
};

export function explainUnchecked(error: CliError, language: Language): string {
  return labelText(say(UNCHECKED.title, language), describeError(error, language), language);
}

/** These formats require the relative path of a file: `example.com/blog`. */
export function filePathOf(address: string): string {
  const [host = "", ...folders] = pathOf(address).split("/");
  return [encodeURIComponent(host), ...folders].join("/");
}

/** The same in every run. URLs with different queries are different pages. */
export function fingerprintOf(address: string, id: string): string {
  const page = isUrl(address) ? new URL(address).href : address;
  return createHash("sha256").update(`${page}\n${id}`).digest("hex").slice(0, 32);
}
