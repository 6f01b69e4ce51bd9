import { dirname, join, resolve } from "node:path";
import {
  type Acceptance,
  isAcceptable,
  lastDayOf,
  isAbout,
  isEnding,
  isExpired,
  listAccepted,
} from "../../shared/acceptance.ts";
import { encodePath } from "../../shared/pattern.ts";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import { checkGateFlags, type TypedGateFlags } from "../check/gate-flags.ts";
import { checkMinimum, readId, readRuleId } from "../check/rule-arguments.ts";
import type { PageFlags } from "../check/page-flags.ts";
import type { FormatName } from "../reports/formats.ts";
import type { ReportFlags } from "../reports/report-flags.ts";
import type { ReportTarget } from "../reports/targets.ts";
import { usageError } from "../terminal/errors.ts";
import { checkAt, type ConfigFile } from "./config-file.ts";
import { checkInside } from "./path-guard.ts";
import type { Path } from "./positions.ts";
import type { GateConfig } from "./schema.ts";
import { isUrl } from "../../shared/url.ts";
import { type CompletedCheck, type Checked, listGated, type Subject } from "../check/results.ts";

type Flags = PageFlags & ReportFlags & TypedGateFlags;

/** A page of the file: its path, and its conditions. */
export interface ConfiguredPage {
  readonly path: string;
  readonly gate: TypedGateFlags;
}

export interface Configured<F extends Flags> {
  /** The flags, and what the file says where they are silent; of the gate, the conditions of all pages. */
  readonly flags: F;
  readonly pages: readonly ConfiguredPage[];
  readonly isList: boolean;
  readonly acceptances: readonly Acceptance[];
}

/** Refuses an acceptance that could never hold. @throws CliError 2 */
export function checkAcceptance({ rule, until }: Acceptance, now: Date): void {
  readRuleId(rule);
  if (!isAcceptable(rule))
    throw usageError(
      `${rule} cannot be accepted, since it says whether the page can be reached`,
      "Fix the page",
    );
  const last = lastDayOf(now);
  if (until > last)
    throw usageError(`until ${until} is more than a year ahead`, `Give a day up to ${last}`);
}

/** The one page that a file without `pages` is about. */
const FIRST_PAGE = ["/"];

const baselineOf = ({ baseline }: TypedGateFlags) => baseline;

/**
 * Lays the flags over a file.
 * @param isSite true where its pages are checked, not those that were typed
 * @throws CliError 2, with line and column, for what the file may not say
 */
export function configure<F extends Flags>(
  file: ConfigFile,
  flags: F,
  now: Date,
  isSite: boolean,
): Configured<F> {
  const { config, path: filePath } = file;
  const { accept = [], gate: common = {}, reports = {}, sitemap, preview } = config;
  const pages = (config.pages ?? FIRST_PAGE).map(
    (page): { path: string; gate?: GateConfig | undefined } =>
      typeof page === "string" ? { path: page } : page,
  );
  const folder = dirname(filePath);
  const near = (path: string) => join(folder, path);
  const checkPath = (path: string, member: Path) =>
    checkAt(file, member, () =>
      checkInside(
        folder,
        path,
        member.join("."),
        "Give a path inside the folder of the file and outside .git, or use a flag",
      ),
    );

  function checkGate(gate: GateConfig, path: Path): void {
    if (gate.baseline !== undefined) checkPath(gate.baseline, [...path, "baseline"]);
    for (const [index, id] of (gate.require ?? []).entries())
      checkAt(file, [...path, "require", index], () => readId(id));
    for (const [id, points = 0] of Object.entries(gate.minCategory ?? {}))
      checkAt(file, [...path, "minCategory", id], () => checkMinimum(id, points));
  }

  /**
   * The conditions of the file, a page's own over the common ones, under those of the flags. Of two things to compare the
   * score with, the one that is said more narrowly stays.
   */
  function layOver(own: GateConfig = {}): TypedGateFlags {
    const { minCategory: _, failOnNew, baseline, ...rest } = { ...common, ...own };
    const typed = flags.minCategory?.map(({ id, points }) => [id, points] as const) ?? [];
    const least = { ...common.minCategory, ...own.minCategory, ...Object.fromEntries(typed) };
    const minimum = Object.entries(least).map(([id, points = 0]) => ({ id, points }));
    const laid = {
      ...rest,
      ...(failOnNew && { failOnNew }),
      ...(baseline !== undefined && { baseline: near(baseline) }),
      ...flags,
      ...(minimum.length > 0 && { minCategory: minimum }),
    } as TypedGateFlags;
    const narrowest = [flags, own].find((one) => one.project ?? one.baseline);
    if (laid.failOnNew || narrowest === undefined) return laid;
    const { project, baseline: reference, ...others } = laid;
    return {
      ...others,
      ...(project !== undefined && narrowest.project !== undefined && { project }),
      ...(reference !== undefined && narrowest.baseline !== undefined && { baseline: reference }),
    };
  }

  checkGate(common, ["gate"]);
  const laid = layOver();
  const checkLaid = (gate: TypedGateFlags, path: Path) =>
    checkAt(file, path, () => checkGateFlags(gate));
  if (!isSite || sitemap) checkLaid(laid, ["gate"]);
  const configured = pages.map(({ path: written, gate: own }, index): ConfiguredPage => {
    const path = encodePath(written);
    if (pages.findIndex((one) => encodePath(one.path) === path) < index)
      checkAt(file, ["pages", index], () => {
        throw usageError(`the page ${withoutSecrets(path)} is there twice`, "Give it once");
      });
    const gatePath = own ? ["pages", index, "gate"] : ["gate"];
    if (own) checkGate(own, gatePath);
    const gate = layOver(own);
    if (isSite) checkLaid(gate, gatePath);
    return { path, gate };
  });
  for (const [index, one] of accept.entries())
    checkAt(file, ["accept", index], () => checkAcceptance(one, now));
  const targets: ReportTarget[] = [...(flags.report ?? [])];
  const read = [filePath, ...[laid, ...configured.map(({ gate }) => gate)].map(baselineOf)];
  for (const [format, written = ""] of Object.entries(reports)) {
    checkPath(written, ["reports", format]);
    const path = near(written);
    const isPath = (other?: string) => other !== undefined && resolve(other) === resolve(path);
    const refuse = (message: string) =>
      checkAt(file, ["reports", format], () => {
        throw usageError(`${path} ${message}`, "Give the report a file of its own");
      });
    if (targets.some((target) => isPath(target.path))) refuse("is the file of two reports");
    if (read.some(isPath)) refuse("is read by this run");
    targets.push({ format: format as FormatName, path, makesFolder: true });
  }
  return {
    flags: {
      ...flags,
      ...laid,
      ...(preview && { preview }),
      ...(targets.length > 0 && { report: targets }),
    },
    pages: configured,
    isList: sitemap !== undefined || pages.length > 1,
    acceptances: accept,
  };
}

export type UsedAcceptances = ReturnType<typeof trackAcceptances>;

/** The path and the query under which a page is reported. */
function pathOf({ as }: Subject): string {
  if (!isUrl(as)) return "/";
  const { pathname, search } = new URL(as);
  return pathname + search;
}

const name = ({ rule, pages, reason }: Acceptance): string =>
  `the acceptance of ${rule}${pages ? ` on ${pages.join(", ")}` : ""} (${reason})`;

function warn(acceptance: Acceptance, now: Date): string[] {
  if (isExpired(acceptance, now))
    return [`${name(acceptance)} ended after ${acceptance.until}: the finding counts again.`];
  return isEnding(acceptance, now) ? [`${name(acceptance)} ends after ${acceptance.until}.`] : [];
}

/** @param isSite true where the pages are the file's own, all of them */
export function trackAcceptances(acceptances: readonly Acceptance[], now: Date, isSite: boolean) {
  const accept = (page: CompletedCheck) =>
    listAccepted(acceptances, pathOf(page), page.check.findings, now);
  const isExpiredNow = (one: Acceptance) => isExpired(one, now);
  const sorted = acceptances.toSorted((a, b) => Number(isExpiredNow(b)) - Number(isExpiredNow(a)));
  return {
    /** What a run begins by saying: which acceptances hold no more, and which end soon. */
    warnings: sorted.flatMap((one) => warn(one, now)),
    /** The acceptances that hold for findings of a page. */
    accept,
    /** What a run ends by saying: which acceptances met nothing, where every page could tell. */
    listIdle(checked: readonly Checked[]) {
      const answered = listGated(checked);
      if (answered.length < checked.length) return [];
      const met = new Set(answered.flatMap(accept));
      return acceptances
        .filter((one) => !isExpiredNow(one) && !met.has(one))
        .filter((one) => isSite || answered.some((page) => isAbout(one, pathOf(page))))
        .map((one) => `${name(one)} met no finding; remove it if it is no longer needed.`);
    },
  };
}
