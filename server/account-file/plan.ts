import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { addAlert, editAlert, removeAlert } from "../alerts/alerts.ts";
import { checkTarget, type CheckedTarget } from "../alerts/targets.ts";
import { AppError } from "../base/errors.ts";
import { readIssue, type InputFault } from "../base/input-faults.ts";
import { OPERATOR } from "../db/accounts/actors.ts";
import { NO_GATE, type ProjectAcceptance } from "../db/projects/gates.ts";
import type { Deps } from "../deps.ts";
import { acceptFinding, editGate, NewAcceptance, unacceptFinding } from "../projects/gates.ts";
import { factsOf } from "../base/hook-providers.ts";
import { addHook, removeHook } from "../projects/hooks.ts";
import { editPreviews, switchPreviewsOff } from "../projects/previews.ts";
import { editProject } from "../projects/projects.ts";
import type { SharedTransaction } from "../projects/rights.ts";
import { editStatusPage, removeStatusPage } from "../projects/status-pages.ts";
import { refuseUnverifiable, requireVerifiable } from "../projects/urls.ts";
import { unwatchUrl, watchUrls } from "../projects/watching.ts";
import type { ProjectInFile } from "./file.ts";
import type { FoundProject } from "./export.ts";

interface Difference {
  member: string;
  from: unknown;
  to: unknown;
}

/** `name` is null for things that a project has only once. */
export interface Change {
  action: "add" | "change" | "remove";
  what: "project" | "url" | "hook" | "alert" | "gate" | "previews" | "statusPage";
  project: string;
  name: string | null;
  differences?: readonly Difference[];
}

export interface Step {
  changes: readonly Change[];
  /** Runs slow checks, which can refuse the step before anything is changed. */
  vet?: (deps: Deps) => Promise<unknown>;
  run: (deps: Deps, projectId: string, shared: SharedTransaction) => Promise<unknown>;
}

function compare(found: object, wanted: object): Difference[] {
  const before = new Map(Object.entries(found));
  return Object.entries(wanted).flatMap(([member, to]) => {
    const from: unknown = before.get(member) ?? null;
    return to === undefined || isDeepStrictEqual(from, to) ? [] : [{ member, from, to }];
  });
}

function typed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new AppError("input_invalid", readIssue(parsed.error.issues));
}

/** Items that the file does not name stay, unless the list is pruned. */
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

/** An undefined `wanted` changes nothing. A null `wanted` removes the setting if `prune` is true. */
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

const planSections = (
  found: FoundProject | undefined,
  wanted: ProjectInFile,
  prune: boolean,
): Step[] => [
  ...planGate(found, wanted, prune),
  ...planPreviews(found, wanted, prune),
  ...planStatusPage(found, wanted, prune),
];

export interface PlanOptions {
  /** True to remove items that the file does not name. */
  prune: boolean;
  /** The values of the environment variables that targets name. */
  targets: Readonly<Record<string, string>>;
}

const VETTING_MS = 60_000;

const refuse = (fault: InputFault, value: string) =>
  new AppError("input_invalid", { fault, value });

/** A list that is missing from the file is never pruned. */
const listUnnamed = <Item>(
  found: readonly Item[],
  wanted: readonly Item[] | undefined,
  prune: boolean,
) => (prune && wanted ? found.filter((item) => !wanted.includes(item)) : []);

const nameOf = ({ name }: { name: string }) => name;

function planSettings(found: FoundProject, wanted: ProjectInFile): Step[] {
  const { name: project, url, interval, failures } = wanted;
  const differences = compare(found, { url, interval, failures });
  if (differences.length === 0) return [];
  const isMoved = url !== undefined && url !== found.url;
  return [
    {
      changes: [{ action: "change", what: "project", project, name: project, differences }],
      ...(isMoved && { vet: (deps) => requireVerifiable(deps, OPERATOR, url) }),
      run: (deps, id, shared) =>
        editProject(deps, OPERATOR, id, { url, interval, failures }, shared),
    },
  ];
}

function planUrls(found: FoundProject | undefined, wanted: ProjectInFile, prune: boolean): Step[] {
  const { name: project, url: address = found?.url, urls } = wanted;
  const watched = found?.urls ?? [];
  const change = (action: "add" | "remove", name: string): Change => ({
    action,
    what: "url",
    project,
    name,
  });
  const added = [...new Set(urls)].filter((url) => url !== address && !watched.includes(url));
  const removed = listUnnamed(watched, urls, prune).filter((url) => url !== address);
  const steps: Step[] = removed.map((url) => ({
    changes: [change("remove", url)],
    run: (deps, id, shared) => unwatchUrl(deps, OPERATOR, id, { url }, shared),
  }));
  if (added.length > 0)
    steps.push({
      changes: added.map((url) => change("add", url)),
      async vet(deps) {
        for (const error of (await refuseUnverifiable(deps, OPERATOR, added, VETTING_MS)).values())
          throw error;
      },
      async run(deps, id, shared) {
        const { refused } = await watchUrls(deps, OPERATOR, id, added, shared);
        if (refused[0]) throw refused[0].error;
      },
    });
  return steps;
}

function planHooks(found: FoundProject | undefined, wanted: ProjectInFile, prune: boolean): Step[] {
  const { name: project, hooks = [] } = wanted;
  const there = new Map(found?.hooks.map((hook) => [hook.name, hook]));
  const gone = listUnnamed([...there.keys()], wanted.hooks?.map(nameOf), prune);
  const removing = gone.map((name): Step => ({
    changes: [{ action: "remove", what: "hook", project, name }],
    run: (deps, _, shared) => removeHook(deps, OPERATOR, there.get(name)?.id ?? "", shared),
  }));
  const adding = hooks.flatMap(({ name, provider }): Step[] => {
    const known = there.get(name);
    if (known && known.provider !== provider) throw refuse("hook_provider_stays", name);
    if (known) return [];
    const secret = factsOf(provider).choosesSecret ? null : undefined;
    return [
      {
        changes: [{ action: "add", what: "hook", project, name }],
        run: (deps, id, shared) => addHook(deps, OPERATOR, id, { provider, secret, name }, shared),
      },
    ];
  });
  return [...removing, ...adding];
}

type AlertInFile = NonNullable<ProjectInFile["alerts"]>[number];

/** The returned function reads the value when the alert is added. */
function targetOf({ name, kind, target }: AlertInFile, { targets }: PlanOptions): () => string {
  if (target === undefined) throw refuse("alert_needs_target", name);
  if (typeof target === "string" && kind !== "email") throw refuse("file_target_invalid", name);
  return () => {
    if (typeof target === "string") return target;
    const value = targets[target.env];
    if (value === undefined) throw refuse("target_variable_missing", target.env);
    return value;
  };
}

function planAlerts(found: FoundProject | undefined, wanted: ProjectInFile, options: PlanOptions) {
  const { name: project, alerts = [] } = wanted;
  const there = new Map(found?.alerts.map((alert) => [alert.name, alert]));
  const gone = listUnnamed([...there.keys()], wanted.alerts?.map(nameOf), options.prune);
  const removing = gone.map((name): Step => ({
    changes: [{ action: "remove", what: "alert", project, name }],
    run: (deps, _, shared) => removeAlert(deps, OPERATOR, there.get(name)?.id ?? "", shared),
  }));
  const others = alerts.flatMap((alert): Step[] => {
    const { name, kind, target: _target, ...edit } = alert;
    const known = there.get(name);
    if (known && known.kind !== kind) throw refuse("alert_kind_stays", name);
    if (known) {
      const differences = compare(known, edit);
      const { on = known.on, after = known.after, remind = known.remind } = edit;
      const { language = known.language } = edit;
      const next = { ...known, on, after, remind, language, label: name, target: "" };
      return differences.length === 0
        ? []
        : [
            {
              changes: [{ action: "change", what: "alert", project, name, differences }],
              run: (deps, _, shared) => editAlert(deps, OPERATOR, known.id, next, shared),
            },
          ];
    }
    const readTarget = targetOf(alert, options);
    let target: CheckedTarget;
    return [
      {
        changes: [{ action: "add", what: "alert", project, name }],
        async vet(deps) {
          target = await checkTarget(deps, OPERATOR, kind, readTarget());
        },
        run(deps, id, shared) {
          const { on = ["incident", "drop"], after = null, remind = null, language } = edit;
          const added = { kind, label: name, on, after, remind, language, target: target.target };
          return addAlert(deps, OPERATOR, id, added, { ...shared, target });
        },
      },
    ];
  });
  return [...removing, ...others];
}

/** `found` is undefined for a new project. Throws `input_invalid`. */
export function planProject(
  found: FoundProject | undefined,
  wanted: ProjectInFile,
  options: PlanOptions,
): Step[] {
  return [
    ...(found ? planSettings(found, wanted) : []),
    ...planUrls(found, wanted, options.prune),
    ...planSections(found, wanted, options.prune),
    ...planHooks(found, wanted, options.prune),
    ...planAlerts(found, wanted, options),
  ];
}
