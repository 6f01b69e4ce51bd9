import * as z from "zod";
import type { Applied } from "../account-file/apply.ts";
import type { Change } from "../account-file/plan.ts";
import { fault } from "../base/input-faults.ts";
import { defineOperation, type AddCommands } from "./command.ts";

const SIGNS = { add: "+", change: "~", remove: "-" };
const NAMES = {
  project: "project",
  url: "URL",
  hook: "incoming webhook",
  alert: "alert",
  gate: "gate",
  previews: "previews",
  statusPage: "status page",
};

function show(value: unknown): string {
  const isNone = value === null || (Array.isArray(value) && value.length === 0);
  if (isNone) return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function writeLine({ action, what, project, name, differences = [] }: Change): string {
  const about = what === "project" ? `project ${project}` : `${project}: ${NAMES[what]}`;
  const thing = what === "project" || name === null ? about : `${about} ${name}`;
  const changed = differences.map(
    ({ member, from, to }) => `${member} ${show(from)} -> ${show(to)}`,
  );
  return [`${SIGNS[action]} ${thing}`, ...changed].join(", ");
}

type ApplyResult = Applied & { isPlanned: boolean };

const countOf = (changes: readonly Change[]) => ({
  add: changes.filter(({ action }) => action === "add").length,
  change: changes.filter(({ action }) => action === "change").length,
  remove: changes.filter(({ action }) => action === "remove").length,
});

function writeChanges({ changes, isPlanned }: ApplyResult): string {
  const { add, change, remove } = countOf(changes);
  const counts = `${isPlanned ? "Plan" : "Applied"}: ${add} to add, ${change} to change, ${remove} to remove`;
  return [...changes.map(writeLine), changes.length === 0 ? "No change" : counts].join("\n");
}

const noteMissingCredentials = ({ withoutCredential }: Applied) =>
  withoutCredential
    .map(
      ({ project, hook, id, repository }) =>
        `${project}: the incoming webhook ${hook} does not report statuses to ${repository}. Add a token or app key with: shipscore-server hook reporting ${id} ${repository} --token-stdin`,
    )
    .join("\n");

const listChanges = ({ changes }: Applied) => ({
  ...countOf(changes),
  changes: changes.map(({ action, what, project, name }) => ({ action, what, project, name })),
});

export const addApplyCommand: AddCommands = (program, operate) =>
  operate(
    program
      .command("apply <file>")
      .description("apply a YAML or JSON file to an account; - reads standard input")
      .option("--plan", "print the changes without making them")
      .option("--prune", "remove items that the file does not name"),
    {
      async inputOf({ file, ...rest }, { stdin, env }) {
        const { readAccountFile } = await import("./yaml-file.ts");
        return { ...rest, ...(await readAccountFile(String(file), stdin, env)) };
      },
      isLong: true,
      print(result: ApplyResult, { line, note }) {
        line(writeChanges(result));
        note(noteMissingCredentials(result));
      },
      toJson: listChanges,
      async load() {
        const { AccountFile } = await import("../account-file/file.ts");
        const { applyFile } = await import("../account-file/apply.ts");
        return defineOperation({
          input: z.object({
            content: AccountFile,
            targets: z.record(z.string(), z.string()),
            plan: z.boolean().default(false),
            prune: z.boolean().default(false),
          }),
          run: async (deps, { content, ...options }) => ({
            ...(await applyFile(deps, content, options)),
            isPlanned: options.plan,
          }),
        });
      },
    },
  );

export const addExportCommand: AddCommands = (program, operate) =>
  operate(
    program
      .command("export <email>")
      .description("print an account as a file for apply, without IDs and secrets")
      .option("--format <format>", "yaml or json", "yaml"),
    {
      async print(result, { line }, { format }) {
        if (format === "json") return line(JSON.stringify(result, undefined, 2));
        const { writeYaml } = await import("./yaml-file.ts");
        line(writeYaml(result).trimEnd());
      },
      async load() {
        const { Email } = await import("../access/accounts.ts");
        const { exportAccount } = await import("../account-file/export.ts");
        return defineOperation({
          input: z.object({
            email: Email,
            format: z.enum(["yaml", "json"], fault("format_unknown")),
          }),
          run: (deps, { email }) => exportAccount(deps, email),
        });
      },
    },
  );
