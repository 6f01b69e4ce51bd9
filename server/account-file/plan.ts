import { addAlert, editAlert, removeAlert } from "../alerts/alerts.ts";
import { checkTarget, type CheckedTarget } from "../alerts/targets.ts";
import { AppError } from "../base/errors.ts";
import type { InputFault } from "../base/input-faults.ts";
import { OPERATOR } from "../db/accounts/actors.ts";
import { addHook, choosesSecret, removeHook } from "../projects/hooks.ts";
import { editProject } from "../projects/projects.ts";
import { refuseUnverifiable, requireVerifiable } from "../projects/urls.ts";
import { unwatchUrl, watchUrls } from "../projects/watching.ts";
import type { ProjectInFile } from "./file.ts";
import type { FoundProject } from "./found.ts";
import { planSections } from "./sections.ts";
import { compare, type Change, type Step } from "./steps.ts";

export interface PlanOptions {
  /** True to remove what the file does not name. */
  prune: boolean;
  /** The values of the variables that targets name. */
  targets: Readonly<Record<string, string>>;
}

const VETTING_MS = 60_000;

const refuse = (fault: InputFault, value: string) =>
  new AppError("input_invalid", { fault, value });

/** Those of a list that the file does not name, of what it has a list. */
const unnamed = <Item>(
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
  const removed = unnamed(watched, urls, prune).filter((url) => url !== address);
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
  const gone = unnamed([...there.keys()], wanted.hooks?.map(nameOf), prune);
  const removing = gone.map((name): Step => ({
    changes: [{ action: "remove", what: "hook", project, name }],
    run: (deps, _, shared) => removeHook(deps, OPERATOR, there.get(name)?.id ?? "", shared),
  }));
  const adding = hooks.flatMap(({ name, provider }): Step[] => {
    const known = there.get(name);
    if (known && known.provider !== provider) throw refuse("hook_provider_stays", name);
    if (known) return [];
    const secret = choosesSecret(provider) ? null : undefined;
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

/** Where a new alert goes, to be read when it is made. */
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
  const gone = unnamed([...there.keys()], wanted.alerts?.map(nameOf), options.prune);
  const removing = gone.map((name): Step => ({
    changes: [{ action: "remove", what: "alert", project, name }],
    run: (deps, _, shared) => removeAlert(deps, OPERATOR, there.get(name)?.id ?? "", shared),
  }));
  const others = alerts.flatMap((alert): Step[] => {
    const { name, kind, target: _, ...edit } = alert;
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

/** What makes a project as the file says; undefined is one that is not there yet. Throws `input_invalid`. */
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
