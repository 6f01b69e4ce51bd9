import { isDeepStrictEqual } from "node:util";
import type { Deps } from "../deps.ts";
import type { SharedTransaction } from "../projects/rights.ts";

/** A member of a file that says something else than the database, and both values. */
export interface Difference {
  member: string;
  from: unknown;
  to: unknown;
}

/** One line of a plan. `name` is null for what a project has once. */
export interface Change {
  action: "add" | "change" | "remove";
  what: "project" | "url" | "hook" | "alert" | "gate" | "previews" | "statusPage";
  project: string;
  name: string | null;
  differences?: readonly Difference[];
}

/** What is done at once, and the changes that it makes. */
export interface Step {
  changes: readonly Change[];
  /** What takes time and may refuse the step, before anything is changed. */
  vet?: (deps: Deps) => Promise<unknown>;
  run: (deps: Deps, projectId: string, shared: SharedTransaction) => Promise<unknown>;
}

/** What a file says otherwise; members that it leaves out are the same. */
export function compare(found: object, wanted: object): Difference[] {
  const before = new Map(Object.entries(found));
  return Object.entries(wanted).flatMap(([member, to]) => {
    const from: unknown = before.get(member) ?? null;
    return to === undefined || isDeepStrictEqual(from, to) ? [] : [{ member, from, to }];
  });
}
