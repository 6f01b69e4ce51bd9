import type { Language } from "../../shared/language.ts";
import { type Checked, listCommonCosts, sortByScore, urlOf } from "../check/results.ts";

import { describeVerdict, say, WORDS } from "../../shared/report/words.ts";
import { formatChecked, formatUnchecked } from "../../shared/report/markdown.ts";
import { cell, code, formatTable, prose } from "../../shared/report/markdown-text.ts";
import type { About } from "./report.ts";
import { describeError } from "../terminal/errors.ts";

function describeGate(checked: Checked, language: Language): string {
  if ("error" in checked || checked.gate.conditions.length === 0) return "";
  return checked.gate.result === "met"
    ? `✅ ${say(WORDS.allMet, language)}`
    : `❌ **${say(WORDS.notAllMet, language)}**`;
}

function formatOverview(checked: readonly Checked[], language: Language): string {
  const rows = sortByScore(checked).map((one) => [
    cell(code(urlOf(one))),
    "check" in one ? String(one.check.score) : "",
    "check" in one
      ? cell(prose(describeVerdict(one.check.verdict, language)))
      : say(WORDS.notChecked, language),
    describeGate(one, language),
  ]);
  const head = [WORDS.page, WORDS.score, WORDS.verdict, WORDS.gate];
  const titles = head.map((words) => say(words, language));
  const common = listCommonCosts(checked, language).map((line) => `- ${prose(line)}`);
  const table = formatTable([titles, ...rows], "| :-- | --: | :-- | :-- |");
  return `${[table, ...(common.length > 0 ? [common.join("\n")] : [])].join("\n\n")}\n`;
}

function describeLeft(left: number, total: number, language: Language): string {
  const file = "`--report markdown=FILE`";
  const note = {
    fr: `Pages omises, faute de place : ${left} sur ${total}. ${file} les contient toutes.`,
    en: `Pages left out, for lack of space: ${left} of ${total}. ${file} has all of them.`,
  };
  return `${say(note, language)}\n`;
}

/** `maxBytes` counts UTF-8. Pages that do not fit are left out, and their number is noted. */
export function formatMarkdownReport(
  checked: readonly Checked[],
  about: About,
  maxBytes: number = Number.POSITIVE_INFINITY,
): string {
  const { language } = about;
  const overview = checked.length > 1 ? [formatOverview(checked, language)] : [];
  const pages = checked.map((each) =>
    "error" in each
      ? formatUnchecked(urlOf(each), describeError(each.error, language), language)
      : formatChecked(each, about),
  );
  const whole = [...overview, ...pages].join("\n");
  if (Buffer.byteLength(whole) <= maxBytes) return whole;
  const note = (left: number) => describeLeft(left, pages.length, language);
  const fits = (text: string) => Buffer.byteLength(text + note(pages.length)) <= maxBytes;
  let text = overview.map((table) => `${table}\n`).find(fits) ?? "";
  let count = 0;
  for (const page of pages) {
    if (!fits(`${text}${page}\n`)) break;
    text += `${page}\n`;
    count++;
  }
  return text + note(pages.length - count);
}
