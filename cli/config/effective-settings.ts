import { dirname, join, resolve } from "node:path";
import type { Language, Text } from "../../shared/language.ts";
import { describeDay } from "../../shared/report/times.ts";
import { say } from "../../shared/report/words.ts";
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

export interface ConfiguredPage {
  readonly path: string;
  readonly gate: TypedGateFlags;
}

export interface EffectiveSettings<F extends Flags> {
  /** The flags, completed from the file. Their gate is the one for all pages. */
  readonly flags: F;
  readonly pages: readonly ConfiguredPage[];
  readonly isList: boolean;
  readonly acceptances: readonly Acceptance[];
}

export function checkAcceptance({ rule, until }: Acceptance, now: Date): void {
  readRuleId(rule);
  if (!isAcceptable(rule))
    throw usageError(
      {
        fr: `${rule} ne peut pas être acceptée : cette règle indique si la page est accessible`,
        en: `${rule} cannot be accepted, because it says whether the page can be reached`,
      },
      { fr: "Corrigez la page", en: "Fix the page" },
    );
  const last = lastDayOf(now);
  if (until > last)
    throw usageError(
      {
        fr: `until ${until} est dans plus d'un an`,
        en: `until ${until} is more than a year from now`,
      },
      { fr: `Indiquez une date, au plus tard le ${last}`, en: `Use a date no later than ${last}` },
    );
}

/** The only page of a file without `pages`. */
const FIRST_PAGE = ["/"];

const SEPARATE_FILE: Text = {
  fr: "Indiquez un fichier réservé à ce rapport",
  en: "Use a separate file for the report",
};

const baselineOf = ({ baseline }: TypedGateFlags) => baseline;

/**
 * Flags override the file.
 * @param isSite true if the pages of the file are checked, not typed ones
 * @throws CliError 2, with line and column, for a value that the file may not have
 */
export function configure<F extends Flags>(
  file: ConfigFile,
  flags: F,
  now: Date,
  isSite: boolean,
): EffectiveSettings<F> {
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
      checkInside(folder, path, member.join("."), {
        fr: "Indiquez un chemin dans le dossier du fichier et hors de .git, ou utilisez une option",
        en: "Use a path inside the file's folder and outside .git, or use a flag",
      }),
    );

  function checkGate(gate: GateConfig, path: Path): void {
    if (gate.baseline !== undefined) checkPath(gate.baseline, [...path, "baseline"]);
    for (const [index, id] of (gate.require ?? []).entries())
      checkAt(file, [...path, "require", index], () => readId(id));
    for (const [id, points = 0] of Object.entries(gate.minCategory ?? {}))
      checkAt(file, [...path, "minCategory", id], () => checkMinimum(id, points));
  }

  /**
   * Flags override the page's conditions, which override the common ones. If both `project` and `baseline` are left for
   * the score, only the one from the flags or the page stays.
   */
  function mergeGate(own: GateConfig = {}): TypedGateFlags {
    const { minCategory: _, failOnNew, baseline, ...rest } = { ...common, ...own };
    const typed = flags.minCategory?.map(({ id, points }) => [id, points] as const) ?? [];
    const least = { ...common.minCategory, ...own.minCategory, ...Object.fromEntries(typed) };
    const minimum = Object.entries(least).map(([id, points = 0]) => ({ id, points }));
    const merged = {
      ...rest,
      ...(failOnNew && { failOnNew }),
      ...(baseline !== undefined && { baseline: near(baseline) }),
      ...flags,
      ...(minimum.length > 0 && { minCategory: minimum }),
    } as TypedGateFlags;
    const narrowest = [flags, own].find((one) => one.project ?? one.baseline);
    if (merged.failOnNew || narrowest === undefined) return merged;
    const { project, baseline: reference, ...others } = merged;
    return {
      ...others,
      ...(project !== undefined && narrowest.project !== undefined && { project }),
      ...(reference !== undefined && narrowest.baseline !== undefined && { baseline: reference }),
    };
  }

  checkGate(common, ["gate"]);
  const sharedGate = mergeGate();
  const checkMerged = (gate: TypedGateFlags, path: Path) =>
    checkAt(file, path, () => checkGateFlags(gate));
  if (!isSite || sitemap) checkMerged(sharedGate, ["gate"]);
  const configured = pages.map(({ path: written, gate: own }, index): ConfiguredPage => {
    const path = encodePath(written);
    if (pages.findIndex((one) => encodePath(one.path) === path) < index)
      checkAt(file, ["pages", index], () => {
        throw usageError(
          {
            fr: `la page ${withoutSecrets(path)} figure deux fois`,
            en: `the page ${withoutSecrets(path)} is listed twice`,
          },
          { fr: "Indiquez-la une seule fois", en: "List it once" },
        );
      });
    const gatePath = own ? ["pages", index, "gate"] : ["gate"];
    if (own) checkGate(own, gatePath);
    const gate = mergeGate(own);
    if (isSite) checkMerged(gate, gatePath);
    return { path, gate };
  });
  for (const [index, one] of accept.entries())
    checkAt(file, ["accept", index], () => checkAcceptance(one, now));
  const targets: ReportTarget[] = [...(flags.report ?? [])];
  const read = [filePath, ...[sharedGate, ...configured.map(({ gate }) => gate)].map(baselineOf)];
  for (const [format, written = ""] of Object.entries(reports)) {
    checkPath(written, ["reports", format]);
    const path = near(written);
    const isPath = (other?: string) => other !== undefined && resolve(other) === resolve(path);
    const refuse = (what: Text) =>
      checkAt(file, ["reports", format], () => {
        throw usageError(what, SEPARATE_FILE);
      });
    if (targets.some((target) => isPath(target.path)))
      refuse({
        fr: `${path} est le fichier de deux rapports`,
        en: `${path} is the file of two reports`,
      });
    if (read.some(isPath))
      refuse({ fr: `${path} est lu par cette exécution`, en: `${path} is read by this run` });
    targets.push({ format: format as FormatName, path, makesFolder: true });
  }
  return {
    flags: {
      ...flags,
      ...sharedGate,
      ...(preview && { preview }),
      ...(targets.length > 0 && { report: targets }),
    },
    pages: configured,
    isList: sitemap !== undefined || pages.length > 1,
    acceptances: accept,
  };
}

export type UsedAcceptances = ReturnType<typeof trackAcceptances>;

function pathOf({ as }: Subject): string {
  if (!isUrl(as)) return "/";
  const { pathname, search } = new URL(as);
  return pathname + search;
}

function describeAcceptance({ rule, pages, reason }: Acceptance): Text {
  const list = pages?.join(", ");
  return {
    fr: `l'acceptation de ${rule}${list ? ` sur ${list}` : ""} (${reason})`,
    en: `the acceptance of ${rule}${list ? ` on ${list}` : ""} (${reason})`,
  };
}

interface TrackOptions {
  readonly now: Date;
  readonly language: Language;
  /** True if the pages are all pages of the file. */
  readonly isSite: boolean;
}

function warn(acceptance: Acceptance, { now, language }: TrackOptions): string[] {
  const name = describeAcceptance(acceptance);
  const day = describeDay(new Date(acceptance.until), { language });
  const ended = {
    fr: `${name.fr} a pris fin le ${day} : le constat compte à nouveau.`,
    en: `${name.en} ended on ${day}: the finding counts again.`,
  };
  const ending = {
    fr: `${name.fr} prend fin le ${day}.`,
    en: `${name.en} ends on ${day}.`,
  };
  if (isExpired(acceptance, now)) return [say(ended, language)];
  return isEnding(acceptance, now) ? [say(ending, language)] : [];
}

export function trackAcceptances(acceptances: readonly Acceptance[], options: TrackOptions) {
  const { now, language, isSite } = options;
  const accept = (page: CompletedCheck) =>
    listAccepted(acceptances, pathOf(page), page.check.findings, now);
  const isExpiredNow = (one: Acceptance) => isExpired(one, now);
  const sorted = acceptances.toSorted((a, b) => Number(isExpiredNow(b)) - Number(isExpiredNow(a)));
  return {
    warnings: sorted.flatMap((one) => warn(one, options)),
    accept,
    listIdle(checked: readonly Checked[]) {
      const completed = listGated(checked);
      if (completed.length < checked.length) return [];
      const used = new Set(completed.flatMap(accept));
      return acceptances
        .filter((one) => !isExpiredNow(one) && !used.has(one))
        .filter((one) => isSite || completed.some((page) => isAbout(one, pathOf(page))))
        .map((one) => {
          const name = describeAcceptance(one);
          const idle = {
            fr: `${name.fr} ne correspond à aucun constat ; retirez-la si elle n'est plus nécessaire.`,
            en: `${name.en} matched no finding; remove it if it is no longer needed.`,
          };
          return say(idle, language);
        });
    },
  };
}
