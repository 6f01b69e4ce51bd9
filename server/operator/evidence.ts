import { AppError } from "../base/errors.ts";
import { defineById, type AddCommands } from "./command.ts";

export const addEvidenceCommand: AddCommands = (program, operate) =>
  operate(
    program
      .command("evidence <check>")
      .description("print the evidence of a check, as JSON that `rescore` reads"),
    {
      inputOf: ({ check }) => ({ id: check }),
      print: (result, { line }) => line(JSON.stringify(result, undefined, 2)),
      async load() {
        const { findPackedEvidence } = await import("../db/checks/checks.ts");
        const { unpackEvidence } = await import("../engine/evidence/packed-evidence.ts");
        return defineById(async ({ database: { sql } }, id) => {
          const packed = await findPackedEvidence(sql, id);
          if (packed === undefined) throw new AppError("evidence_not_found", { checkId: id });
          const evidence = await unpackEvidence(packed);
          if (evidence) return evidence;
          throw new AppError("evidence_outdated", { name: `Check ${id}` });
        });
      },
    },
  );
