import type { z } from "zod";
import { AppError } from "../base/errors.ts";
import { readIssue } from "../base/input-faults.ts";
import { OPERATOR } from "../db/accounts/actors.ts";
import { NO_GATE, type ProjectAcceptance } from "../db/projects/gates.ts";
import { acceptFinding, editGate, NewAcceptance, unacceptFinding } from "../projects/gates.ts";
import { editPreviews, switchPreviewsOff } from "../projects/previews.ts";
import { editStatusPage, removeStatusPage } from "../projects/status-pages.ts";
import type { ProjectInFile } from "./file.ts";
import type { FoundProject } from "./found.ts";
import { compare, type Change, type Step } from "./steps.ts";

/** What could be typed. Throws `input_invalid`. */
function typed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new AppError("input_invalid", readIssue(parsed.error.issues));
}

/** A list as it is to be, by its keys: what the file does not name stays, unless it is pruned. */
function merge<Item>(
  found: readonly Item[],
  wanted: readonly Item[] | undefined,
  keyOf: (item: Item) => string,
  prune: boolean,
): Item[] {
  const items = [...(prune && wanted ? [] : found), ...(wanted ?? [])];
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  return [...byKey.keys()].toSorted().flatMap((key) => byKey.get(key) ?? []);
}

/** The step of what a project has once. `wanted` is undefined where it is left alone, null for none. */
function planOnce<Wanted extends object>(
  about: Pick<Change, "what" | "project"> & { isThere: boolean; prune: boolean },
  found: object,
  wanted: Wanted | null | undefined,
  run: { edit: (wanted: Wanted) => Step["run"]; remove: Step["run"] },
): Step[] {
  const { what, project, isThere, prune } = about;
  const one = { what, project, name: null };
  if (wanted === undefined) return [];
  if (wanted === null)
    return isThere && prune ? [{ changes: [{ action: "remove", ...one }], run: run.remove }] : [];
  const differences = compare(found, wanted);
  const action = isThere ? "change" : "add";
  return differences.length === 0
    ? []
    : [{ changes: [{ action, ...one, differences }], run: run.edit(wanted) }];
}

const keyOfAcceptance = ({ rule, pages }: ProjectAcceptance) => [rule, ...(pages ?? [])].join(" ");

function planGate(found: FoundProject | undefined, wanted: ProjectInFile, prune: boolean): Step[] {
  const before = found?.gate ?? NO_GATE;
  const accept = merge(before.accept, wanted.gate?.accept, keyOfAcceptance, prune);
  const gate = wanted.gate && { ...wanted.gate, accept };
  const sorted = { ...before, accept: merge(before.accept, undefined, keyOfAcceptance, false) };
  const isIn = (list: readonly ProjectAcceptance[], one: ProjectAcceptance) =>
    list.some((other) => compare(other, one).length === 0);
  const gone = new Set(before.accept.filter((one) => !isIn(accept, one)).map(({ rule }) => rule));
  const put = accept
    .filter((one) => gone.has(one.rule) || !isIn(before.accept, one))
    .map(({ pages, ...one }) => {
      const next = { ...one, page: pages?.[0] };
      return isIn(before.accept, { ...one, pages }) ? next : typed(NewAcceptance, next);
    });
  const isThere = compare(NO_GATE, before).length > 0;
  const about = { what: "gate" as const, project: wanted.name, isThere, prune };
  return planOnce(about, sorted, gate, {
    edit: (next) => async (deps, id, shared) => {
      const { accept: _, ...conditions } = next;
      await editGate(deps, OPERATOR, id, conditions, shared);
      for (const rule of gone) await unacceptFinding(deps, OPERATOR, id, rule, shared);
      for (const one of put) await acceptFinding(deps, OPERATOR, id, one, shared);
    },
    async remove(deps, id, shared) {
      const none = { minScore: null, minCategory: null, require: null, maxDrop: null };
      await editGate(deps, OPERATOR, id, { ...none, failOnNew: null }, shared);
      for (const rule of new Set(before.accept.map((one) => one.rule)))
        await unacceptFinding(deps, OPERATOR, id, rule, shared);
    },
  });
}

function planPreviews(found: FoundProject | undefined, wanted: ProjectInFile, prune: boolean) {
  const before = { hosts: found?.previews?.hosts ?? [] };
  const isThere = before.hosts.length > 0;
  const about = { what: "previews" as const, project: wanted.name, isThere, prune };
  return planOnce(about, before, wanted.previews, {
    edit: (previews) => (deps, id, shared) => editPreviews(deps, OPERATOR, id, previews, shared),
    remove: (deps, id, shared) => switchPreviewsOff(deps, OPERATOR, id, shared),
  });
}

function planStatusPage(found: FoundProject | undefined, wanted: ProjectInFile, prune: boolean) {
  const before = found?.statusPage ?? null;
  const about = {
    what: "statusPage" as const,
    project: wanted.name,
    isThere: before !== null,
    prune,
  };
  return planOnce(about, before ?? {}, wanted.statusPage, {
    edit:
      ({ urls, title, ...choice }) =>
      (deps, id, shared) => {
        const show = Object.entries(urls ?? {}).map((one) => one.join("="));
        const edit = { ...choice, title: title === null ? "" : title, show, hide: [] };
        return editStatusPage(deps, OPERATOR, id, edit, urls !== undefined, shared);
      },
    remove: (deps, id, shared) => removeStatusPage(deps, OPERATOR, id, shared),
  });
}

/** The steps of what a project has once: its gate, its previews and its status page. Throws `input_invalid`. */
export const planSections = (
  found: FoundProject | undefined,
  wanted: ProjectInFile,
  prune: boolean,
): Step[] => [
  ...planGate(found, wanted, prune),
  ...planPreviews(found, wanted, prune),
  ...planStatusPage(found, wanted, prune),
];
