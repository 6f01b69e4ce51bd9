import * as z from "zod";
import { fault } from "../base/input-faults.ts";
import { OPERATOR } from "../db/accounts/actors.ts";
import type { ProjectGate } from "../db/projects/gates.ts";
import {
  collect,
  defineList,
  defineOperation,
  hasEdit,
  ProjectInput,
  type AddCommands,
} from "./command.ts";
import { column, listColumn, printFields, type ListedRow, type Printer } from "./output.ts";

function listConditions(gate: ProjectGate): ListedRow[] {
  const minima = Object.entries(gate.minCategory ?? {}).map(([id, least]) => `${id}=${least}`);
  const rows = [
    ["minimum score", gate.minScore],
    ["minimum points", minima.join(", ") || null],
    ["required", gate.require?.join(", ") ?? null],
    ["largest drop", gate.maxDrop],
    ["fail on new findings", gate.failOnNew && "yes"],
  ] as const;
  return rows.flatMap(([condition, value]) => (value === null ? [] : [{ condition, value }]));
}

async function printGate(gate: ProjectGate, { table }: Printer): Promise<void> {
  await table(listConditions(gate), [column("CONDITION", "condition"), column("VALUE", "value")]);
  const accepted = gate.accept.map((one) => ({ ...one, pages: one.pages ?? ["all"] }));
  await table(accepted, [
    column("ACCEPTED", "rule"),
    column("UNTIL", "until"),
    listColumn("PAGES", "pages"),
    column("REASON", "reason"),
  ]);
}

export const addGateCommands: AddCommands = (program, operate) => {
  const group = program
    .command("gate")
    .description("manage the conditions that a project's deployments must meet");
  operate(
    group.command("show <project>").description("show a project's gate and accepted findings"),
    {
      print: printGate,
      async load() {
        const { findGate } = await import("../db/projects/gates.ts");
        return defineList(findGate);
      },
    },
  );
  operate(
    group
      .command("edit <project>")
      .description("set conditions of a project's gate; the value none removes a condition")
      .option("--min-score <n>", "the minimum score")
      .option(
        "--min-category <category=n>",
        "the minimum points of a category, repeatable",
        collect,
      )
      .option("--require <ids>", "rules and categories that must pass")
      .option(
        "--max-drop <n>",
        "how far the score may drop below that of the last production deployment",
      )
      .option(
        "--fail-on-new [none]",
        "allow no finding that is worse than in the last production deployment",
      ),
    {
      print: printFields("project"),
      async load() {
        const { editGate, GateEdit } = await import("../projects/gates.ts");
        return defineOperation({
          input: GateEdit.extend(ProjectInput.shape).refine(hasEdit, fault("nothing_to_edit")),
          run: async (deps, { project, ...edit }) => ({
            project,
            ...(await editGate(deps, OPERATOR, project, edit)),
          }),
        });
      },
    },
  );
  operate(
    group
      .command("accept <project> <rule>")
      .description("accept the findings of a rule until a date")
      .requiredOption("--reason <text>", "the reason")
      .requiredOption("--until <date>", "the last day, such as 2027-03-31, at most a year from now")
      .option("--page <pattern>", "only on these pages, such as /legacy/*"),
    {
      print: printFields("rule"),
      async load() {
        const { acceptFinding, NewAcceptance } = await import("../projects/gates.ts");
        return defineOperation({
          input: NewAcceptance.extend(ProjectInput.shape),
          async run(deps, { project, ...accepted }) {
            const gate = await acceptFinding(deps, OPERATOR, project, accepted);
            return { project, rule: accepted.rule, ...gate };
          },
        });
      },
    },
  );
  operate(
    group.command("unaccept <project> <rule>").description("stop accepting a rule's findings"),
    {
      print: printFields("rule"),
      async load() {
        const { unacceptFinding } = await import("../projects/gates.ts");
        return defineOperation({
          input: ProjectInput.extend({ rule: z.string() }),
          run: async (deps, { project, rule }) => ({
            project,
            rule,
            ...(await unacceptFinding(deps, OPERATOR, project, rule)),
          }),
        });
      },
    },
  );
};
