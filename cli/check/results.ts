import type { Language } from "../../shared/language.ts";
import { type ReceivedCheck, readError } from "../client/api-responses.ts";
import type { CliError } from "../terminal/errors.ts";
import { maskTokens } from "../terminal/io.ts";
import {
  type GatedReport,
  explainAcceptance,
  withoutAccepted,
} from "../../shared/report/accepted.ts";
import type { ReportedFinding } from "../../shared/report/reported.ts";
import { findDocsUrl, withoutSecrets } from "../../shared/report/addresses.ts";
import { isUrl } from "../../shared/url.ts";
import type { Gate } from "../../shared/report/gate.ts";
import { costOf, describeCap, findCap, listCosts } from "../../shared/report/costs.ts";
import { describePoints, isSingular, namePoints, say } from "../../shared/report/words.ts";
import { groupBy } from "../../shared/group-by.ts";

export interface Subject {
  /** As typed, without tokens. */
  readonly url: string;
  /** The URL in reports: that of `--as`, or the typed one. */
  readonly as: string;
}

export function subjectOf(typed: string, stable = typed): Subject {
  return { url: maskTokens(typed), as: maskTokens(stable) };
}

export interface CompletedCheck extends Subject {
  readonly check: ReceivedCheck;
  /** Set by `--from`: the quota is out of date. */
  readonly isSaved?: true;
}

export interface GatedCheck extends CompletedCheck, Omit<GatedReport, "check"> {}

export interface Unchecked extends Subject {
  readonly error: CliError;
}

export type CheckOutcome = CompletedCheck | Unchecked;

export type Checked = GatedCheck | Unchecked;

export const listGated = (checked: readonly Checked[]): GatedCheck[] =>
  checked.filter((one) => "check" in one);

export const listChecks = (checked: readonly Checked[]): ReceivedCheck[] =>
  listGated(checked).map(({ check }) => check);

export function docsOf(finding: ReportedFinding, docsBase: URL | null): string {
  return findDocsUrl(finding, docsBase) ?? `shipscore explain ${finding.id}`;
}

export function urlOf(checked: Checked): string {
  return withoutSecrets("check" in checked ? checked.check.url : checked.url);
}

/** `example.com/blog`, without parameters. */
export function pathOf(address: string): string {
  if (!isUrl(address)) return withoutSecrets(address);
  const { host, pathname } = new URL(address);
  return host + pathname.replace(/;[^/]*/g, "").replace(/(?<!\/)\/+$/, "");
}

export function describeGate({ conditions, result, accepted }: Gate) {
  if (conditions.length === 0 && accepted === undefined) return undefined;
  return {
    met: result === "met",
    conditions: conditions.map(({ asked, isMet, text }) => ({ asked, met: isMet, text })),
    ...(accepted && { accepted: accepted.findings }),
  };
}

function describeCheck({ check, gate }: GatedCheck): object {
  const described = describeGate(gate);
  return described ? { ...check, gate: described } : check;
}

function describeUnchecked({ url, error: { exitCode, body, message } }: Unchecked): object {
  const error = readError(body)?.error ?? message;
  return { url: withoutSecrets(url), exitCode, error };
}

export function describeRun(checked: readonly Checked[], isList: boolean): object {
  const [only] = checked;
  if (!isList && only) return "check" in only ? describeCheck(only) : describeUnchecked(only);
  const checks = listGated(checked).map(describeCheck);
  const errors = checked.filter((one) => "error" in one).map(describeUnchecked);
  return errors.length > 0 ? { checks, errors } : { checks };
}

export function sortByScore<T extends Checked>(checked: readonly T[]): T[] {
  const scoreOf = (one: T) => ("check" in one ? one.check.score : -1);
  return checked.toSorted((one, other) => scoreOf(one) - scoreOf(other));
}

const MAX_LINES = 5;

function countPages(count: number, total: number, language: Language): string {
  const page = isSingular({ fr: count, en: total }[language], language) ? "page" : "pages";
  return { fr: `sur ${count} ${page} sur ${total}`, en: `on ${count} of ${total} ${page}` }[
    language
  ];
}

const NO_CAP = 100;

/** `hdr.csp costs 7 points on 20 of 20 pages: one fix is enough`. */
export function listCommonCosts(checked: readonly Checked[], language: Language): string[] {
  const pages = listGated(checked).map((page) => withoutAccepted(page));
  const costs = pages.flatMap((check) =>
    listCosts(check).map((finding) => ({
      id: finding.id,
      cost: costOf(finding),
      limit: findCap(check, finding)?.limit ?? NO_CAP,
    })),
  );
  return [...groupBy(costs, ({ id }) => id)]
    .filter(([, list]) => list.length > 1 && list.length * 2 >= pages.length)
    .map(([id, list]) => ({
      id,
      count: list.length,
      limit: Math.min(...list.map(({ limit }) => limit)),
      least: Math.min(...list.map(({ cost }) => cost)),
      most: Math.max(...list.map(({ cost }) => cost)),
      total: list.reduce((total, { cost }) => total + cost, 0),
    }))
    .toSorted((one, other) => one.limit - other.limit || other.total - one.total)
    .slice(0, MAX_LINES)
    .map(({ id, count, limit, least, most }) => {
      const figures = [...new Set([least, most])].map((each) => describePoints(each, language));
      const points = `${figures.join({ fr: " à ", en: " to " }[language])} ${namePoints(most, language)}`;
      const and = { fr: "et", en: "and" }[language];
      const cap = limit < NO_CAP ? ` ${and} ${describeCap({ limit }, language)}` : "";
      const where = `${points}${cap} ${countPages(count, pages.length, language)}`;
      const said = {
        fr: `${id} coûte ${where} : une seule correction suffit`,
        en: `${id} costs ${where}: one fix is enough`,
      };
      return say(said, language);
    });
}

export function listCommonAccepted(checked: readonly Checked[], language: Language): string[] {
  const pages = listGated(checked);
  const accepted = pages.flatMap(({ gate }) => gate.accepted?.findings ?? []);
  const lines = accepted.map((one) => `${one.rule} ${explainAcceptance(one, language)}`);
  return [...groupBy(lines, (line) => line)].map(
    ([line, { length }]) => `${line} (${countPages(length, pages.length, language)})`,
  );
}
