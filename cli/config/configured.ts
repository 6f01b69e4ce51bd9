import { dirname, isAbsolute, join, resolve } from "node:path";
import { type Acceptance, isAcceptable, lastDayOf } from "../../shared/acceptance.ts";
import { spellPath } from "../../shared/pattern.ts";
import { withoutSecrets } from "../check/addresses.ts";
import { checkGateFlags, type TypedGateFlags } from "../check/gate-flags.ts";
import { checkMinimum, readId, readRuleId } from "../check/known-ids.ts";
import type { PageFlags } from "../check/page-flags.ts";
import type { FormatName } from "../reports/formats.ts";
import type { ReportFlags } from "../reports/report-flags.ts";
import type { ReportTarget } from "../reports/targets.ts";
import { usageError } from "../terminal/errors.ts";
import { checkAt, type ConfigFile } from "./config-file.ts";
import type { Path } from "./places.ts";
import type { GateConfig } from "./schema.ts";

type Flags = PageFlags & ReportFlags & TypedGateFlags;

/** A page of the file: its path, and its conditions. */
export interface ConfiguredPage {
  readonly path: string;
  readonly gate: TypedGateFlags;
}

/** What a run takes from its file and its flags. */
export interface Configured<F extends Flags> {
  /** The flags, and what the file says where they are silent; of the gate, the conditions of all pages. */
  readonly flags: F;
  readonly pages: readonly ConfiguredPage[];
  /** True where its pages are a list. */
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

/**
 * Lays the flags over a file.
 * @throws CliError 2, with line and column, for what the file may not say
 */
export function configure<F extends Flags>(file: ConfigFile, flags: F, now: Date): Configured<F> {
  const { config, path: filePath } = file;
  const { accept = [], gate: common = {}, pages = FIRST_PAGE, reports = {}, preview } = config;
  const near = (path: string) => (isAbsolute(path) ? path : join(dirname(filePath), path));
  const typedMinimum = flags.minCategory?.map(({ id, points }) => [id, points] as const) ?? [];

  function checkGate(gate: GateConfig, path: Path): void {
    for (const [index, id] of (gate.require ?? []).entries())
      checkAt(file, [...path, "require", index], () => readId(id));
    for (const [id, points = 0] of Object.entries(gate.minCategory ?? {}))
      checkAt(file, [...path, "minCategory", id], () => checkMinimum(id, points));
  }

  /** The conditions of the file, some of them laid over others, under those of the flags. */
  function layFlagsOver(gate: GateConfig, path: Path): TypedGateFlags {
    const { minCategory, failOnNew, baseline, ...rest } = gate;
    const minimum = Object.entries({ ...minCategory, ...Object.fromEntries(typedMinimum) });
    const laid = {
      ...rest,
      ...(failOnNew && { failOn: "new" as const }),
      ...(baseline !== undefined && { baseline: near(baseline) }),
      ...flags,
      ...(minimum.length > 0 && {
        minCategory: minimum.map(([id, points = 0]) => ({ id, points })),
      }),
    } as TypedGateFlags;
    checkAt(file, path, () => checkGateFlags(laid));
    return laid;
  }

  function readPage(page: (typeof pages)[number], index: number): ConfiguredPage {
    const { path: written, gate: own } = typeof page === "string" ? { path: page } : page;
    const path = spellPath(written);
    const same = pages.findIndex(
      (one) => spellPath(typeof one === "string" ? one : one.path) === path,
    );
    if (same < index)
      checkAt(file, ["pages", index], () => {
        throw usageError(`the page ${withoutSecrets(path)} is there twice`, "Give it once");
      });
    if (own) checkGate(own, ["pages", index, "gate"]);
    const minCategory = { ...common.minCategory, ...own?.minCategory };
    const gate = { ...common, ...own, minCategory };
    return { path, gate: layFlagsOver(gate, own ? ["pages", index, "gate"] : ["gate"]) };
  }

  checkGate(common, ["gate"]);
  for (const [index, one] of accept.entries())
    checkAt(file, ["accept", index], () => checkAcceptance(one, now));
  const targets: ReportTarget[] = [...(flags.report ?? [])];
  const gates = [
    common,
    ...pages.map((page) => (typeof page === "string" ? {} : (page.gate ?? {}))),
  ];
  const read = [filePath, ...gates.flatMap(({ baseline }) => (baseline ? [near(baseline)] : []))];
  for (const [format, written = ""] of Object.entries(reports)) {
    const path = near(written);
    if (targets.some((target) => resolve(target.path) === resolve(path)))
      checkAt(file, ["reports", format], () => {
        throw usageError(`${path} is the file of two reports`, "Give each a file of its own");
      });
    if (read.some((other) => resolve(other) === resolve(path)))
      checkAt(file, ["reports", format], () => {
        throw usageError(`${path} is read by this run`, "Give the report a file of its own");
      });
    targets.push({ format: format as FormatName, path, makesFolder: true });
  }
  return {
    flags: {
      ...flags,
      ...layFlagsOver(common, ["gate"]),
      ...(preview && { preview }),
      ...(targets.length > 0 && { report: targets }),
    },
    pages: pages.map(readPage),
    isList: config.sitemap !== undefined || pages.length > 1,
    acceptances: accept,
  };
}
