import * as z from "zod";
import { fault } from "../base/input-faults.ts";
import { OPERATOR } from "../db/accounts/actors.ts";
import type { ProjectGate } from "../db/projects/gates.ts";
import { column, listColumn } from "./columns.ts";
import type { CommandGroup, ListedRow, Printed } from "./command.ts";
import { defineList, defineOperation, hasEdit, ProjectInput } from "./command.ts";

function listConditions(gate: ProjectGate): ListedRow[] {
  const minima = Object.entries(gate.minCategory ?? {}).map(([id, least]) => `${id}=${least}`);
  const rows = [
    ["minimum score", gate.minScore],
    ["minimum points", minima.join(", ") || null],
    ["required", gate.require?.join(", ") ?? null],
    ["largest drop", gate.maxDrop],
    ["only what is new", gate.failOnNew && "yes"],
  ] as const;
  return rows.flatMap(([condition, value]) => (value === null ? [] : [{ condition, value }]));
}

const asGate = (result: ListedRow) => result as unknown as ProjectGate;

const SHOWN: Printed = {
  parts: [
    {
      rowsOf: (result) => listConditions(asGate(result)),
      columns: [column("CONDITION", "condition"), column("VALUE", "value")],
    },
    {
      rowsOf: (result) =>
        asGate(result).accept.map((one) => ({ ...one, pages: one.pages ?? ["all"] })),
      columns: [
        column("ACCEPTED", "rule"),
        column("UNTIL", "until"),
        listColumn("PAGES", "pages"),
        column("REASON", "reason"),
      ],
    },
  ],
};

export const GATE: CommandGroup = {
  name: "gate",
  description: "manage what a project's deployments must meet",
  commands: [
    {
      words: "show <project>",
      description: "show a project's gate, and the findings that it accepts",
      prints: SHOWN,
      async load() {
        const { findGate } = await import("../db/projects/gates.ts");
        return defineList(findGate);
      },
    },
    {
      words: "edit <project>",
      description: "set conditions of a project's gate; none unsets one",
      options: [
        { flags: "--min-score <n>", description: "the lowest score" },
        {
          flags: "--min-category <category=n>",
          description: "the least points of a category",
          isRepeatable: true,
        },
        { flags: "--require <ids>", description: "rules and categories that must pass" },
        { flags: "--max-drop <n>", description: "how far the score may fall below the last ship" },
        {
          flags: "--fail-on-new [none]",
          description: "allow no finding that is worse than in the last ship",
        },
      ],
      prints: { field: "project" },
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
    {
      words: "accept <project> <rule>",
      description: "accept the findings of a rule until a date",
      options: [
        { flags: "--reason <text>", description: "why", isRequired: true },
        {
          flags: "--until <date>",
          description: "the last day, such as 2027-03-31, at most a year from now",
          isRequired: true,
        },
        { flags: "--page <pattern>", description: "on these pages alone, such as /legacy/*" },
      ],
      prints: { field: "rule" },
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
    {
      words: "unaccept <project> <rule>",
      description: "stop accepting a rule's findings",
      prints: { field: "rule" },
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
  ],
};
