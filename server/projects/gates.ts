import * as z from "zod";
import { Acceptance, isAcceptable, lastDayOf, listAccepted } from "../../shared/acceptance.ts";
import { compareChecks } from "../../shared/report/compare.ts";
import { evaluateGate, type Gate, type GateFlags } from "../../shared/report/gate.ts";
import type { ReportedCheck } from "../../shared/report/reported.ts";
import type { Manager } from "../db/accounts/actors.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { findGate, updateGate, type ProjectGate } from "../db/projects/gates.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { fault } from "../base/input-faults.ts";
import { RULESET } from "../engine/judge/ruleset.ts";
import { changeProject, type SharedTransaction } from "./rights.ts";

export const MAX_ACCEPTED = 50;
const MAX_REASON_LENGTH = 300;
const MAX_PATTERN_LENGTH = 300;

const isRule = (id: string) => RULESET.rows.some((row) => row.id === id);
const pointsOf = (category: string) =>
  RULESET.rows.reduce((sum, row) => sum + (row.category === category ? row.points : 0), 0);
/** This value removes a condition. A condition without a value does not change. */
const NONE = "none";
/** The list of all rules and categories is shorter than this. */
const MAX_LIST_LENGTH = 4000;
const UpToAHundred = z
  .string()
  .trim()
  .regex(/^(?:none|\d{1,2}|100)$/, fault("gate_number_invalid"))
  .transform((text) => (text === NONE ? null : Number(text)));

const CategoryMinimum = z
  .string()
  .trim()
  .regex(/^[a-z]+=\d{1,3}(?:\.\d)?$/, fault("gate_category_invalid"))
  .transform((text) => text.split("="))
  .transform(([id = "", least]) => [id, Number(least)] as const)
  .refine(
    ([id, least]) => pointsOf(id) > 0 && least <= pointsOf(id),
    fault("gate_category_invalid"),
  );

const RuleOrCategory = z
  .string()
  .refine((id) => isRule(id) || pointsOf(id) > 0, fault("gate_rule_unknown"));

const splitList = (text: string) =>
  text.trim() === NONE ? null : [...new Set(text.split(",").map((part) => part.trim()))];

export const GateEdit = z.object({
  minScore: UpToAHundred.optional(),
  minCategory: z
    .preprocess(
      (given) => [given].flat().join(","),
      z.string().max(MAX_LIST_LENGTH, fault("gate_category_invalid")).transform(splitList),
    )
    .pipe(z.array(CategoryMinimum).nullable())
    .transform((minima) => minima && Object.fromEntries(minima))
    .optional(),
  require: z
    .string()
    .max(MAX_LIST_LENGTH, fault("gate_rule_unknown"))
    .transform(splitList)
    .pipe(z.array(RuleOrCategory).nullable())
    .optional(),
  maxDrop: UpToAHundred.optional(),
  failOnNew: z
    .union([z.literal(true), z.literal(NONE).transform(() => null)], fault("gate_number_invalid"))
    .optional(),
});
export type GateEdit = z.infer<typeof GateEdit>;

export const NewAcceptance = z.object({
  rule: z
    .string()
    .trim()
    .refine((id) => isRule(id) && isAcceptable(id), fault("accepted_rule_unknown")),
  reason: z
    .string()
    .trim()
    .regex(new RegExp(`^\\P{Cc}{1,${MAX_REASON_LENGTH}}$`, "u"), fault("accepted_reason_invalid")),
  until: z
    .string()
    .trim()
    .refine((day) => isDayToCome(day), fault("accepted_until_invalid")),
  page: z
    .string()
    .trim()
    .regex(
      new RegExp(`^[/*](?![/\\\\])\\P{Cc}{0,${MAX_PATTERN_LENGTH}}$`, "u"),
      fault("accepted_page_invalid"),
    )
    .optional(),
});
export type NewAcceptance = z.infer<typeof NewAcceptance>;

function isDayToCome(day: string, now = new Date()): boolean {
  const isDay = Acceptance.shape.until.safeParse(day).success;
  return isDay && day >= now.toISOString().slice(0, 10) && day <= lastDayOf(now);
}

const changeGate = (
  deps: Deps,
  actor: Manager,
  projectId: string,
  change: (gate: ProjectGate) => ProjectGate,
  shared?: SharedTransaction,
) => {
  const changeIt = async (sql: Sql) => {
    const gate = change(await findGate(sql, projectId));
    await updateGate(sql, projectId, gate);
    await insertEvent(sql, actor, { action: "project.gate_changed", projectId });
    return gate;
  };
  return changeProject(deps, actor, "change", projectId, changeIt, shared);
};

/** Throws `project_not_found`, `owner_only`. */
export function editGate(
  deps: Deps,
  actor: Manager,
  projectId: string,
  edit: GateEdit,
  shared?: SharedTransaction,
): Promise<ProjectGate> {
  const given = Object.entries(edit).filter(([, value]) => value !== undefined);
  const change = (gate: ProjectGate) => ({ ...gate, ...Object.fromEntries(given) });
  return changeGate(deps, actor, projectId, change, shared);
}

/** Throws `project_not_found`, `owner_only`, `too_many_accepted`. */
export function acceptFinding(
  deps: Deps,
  actor: Manager,
  projectId: string,
  { rule, page, reason, until }: NewAcceptance,
  shared?: SharedTransaction,
): Promise<ProjectGate> {
  const change = (gate: ProjectGate) => {
    const others = gate.accept.filter((one) => one.rule !== rule || one.pages?.[0] !== page);
    if (others.length >= MAX_ACCEPTED)
      throw new AppError("too_many_accepted", { projectId, limit: MAX_ACCEPTED });
    const pages = page === undefined ? null : [page];
    return { ...gate, accept: [...others, { rule, pages, reason, until }] };
  };
  return changeGate(deps, actor, projectId, change, shared);
}

/** Throws `project_not_found`, `owner_only`, `accepted_not_found`. */
export function unacceptFinding(
  deps: Deps,
  actor: Manager,
  projectId: string,
  rule: string,
  shared?: SharedTransaction,
): Promise<ProjectGate> {
  const change = (gate: ProjectGate) => {
    const accept = gate.accept.filter((one) => one.rule !== rule);
    if (accept.length === gate.accept.length)
      throw new AppError("accepted_not_found", { projectId, rule });
    return { ...gate, accept };
  };
  return changeGate(deps, actor, projectId, change, shared);
}

/** `check` is set only while its evidence is stored. */
export interface EarlierShip {
  score: number | null;
  verdict: string | null;
  ruleset: string | null;
  check?: ReportedCheck | undefined;
}

export interface GateResult {
  hasConditions: boolean;
  met: boolean;
  /** The failed conditions in English, such as `score under 80` or `hdr.hsts`. */
  failures: string[];
  score: number;
  /** The score if accepted findings counted as passed; null if none is accepted. */
  acceptedScore: number | null;
  acceptedCount: number;
  /** The difference from the score of the last ship; null unless that ship has a score under the same ruleset. */
  difference: number | null;
  gate: Gate;
}

export const listMinima = ({ minCategory }: Pick<ProjectGate, "minCategory">): string[] =>
  Object.entries(minCategory ?? {}).map((minimum) => minimum.join("="));

function flagsOf(gate: ProjectGate): GateFlags {
  const { minScore, minCategory, require, maxDrop, failOnNew } = gate;
  const minima = Object.entries(minCategory ?? {}).map(([id, points]) => ({ id, points }));
  return {
    ...(minScore !== null && { minScore }),
    minCategory: minima,
    require: require ?? [],
    ...(maxDrop !== null && { maxDrop }),
    ...(failOnNew && { failOnNew }),
    missingBaseline: "pass",
  };
}

/** Evaluates the gate as the command does. Without a last ship there is no drop, and no finding is new. */
export function evaluateProjectGate(
  gate: ProjectGate,
  check: ReportedCheck,
  lastShip: EarlierShip | null,
): GateResult {
  const { pathname, search } = new URL(check.url);
  const accept = gate.accept.map(({ pages, ...one }) => ({ ...one, ...(pages && { pages }) }));
  const now = new Date(check.checkedAt);
  const accepted = listAccepted(accept, pathname + search, check.findings, now);
  const baseline =
    lastShip?.check === undefined
      ? { ...(lastShip && { lastShip }) }
      : { comparison: compareChecks(lastShip.check, check) };
  const evaluated = evaluateGate(check, flagsOf(gate), baseline, "en", accepted);
  const isComparable = lastShip?.ruleset === check.ruleset && lastShip.score !== null;
  return {
    hasConditions: evaluated.conditions.length > 0,
    met: evaluated.result === "met",
    failures: evaluated.conditions.flatMap(({ isMet, brief }) => (isMet ? [] : [brief])),
    score: check.score,
    acceptedScore: evaluated.accepted?.score ?? null,
    acceptedCount: accepted.length,
    difference: isComparable ? check.score - (lastShip.score ?? 0) : null,
    gate: evaluated,
  };
}
