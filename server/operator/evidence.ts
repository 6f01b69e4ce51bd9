import { AppError } from "../base/errors.ts";
import { defineById, type OperatorCommand } from "./command.ts";

export const EVIDENCE: OperatorCommand = {
  words: "evidence <check>",
  description: "print what a check saw, as JSON that `rescore` reads",
  inputOf: ({ check }) => ({ id: check }),
  prints: {
    text: (result) => JSON.stringify(result, undefined, 2),
    json: (result) => result,
  },
  async load() {
    const { findPackedEvidence } = await import("../db/checks/checks.ts");
    const { unpackEvidence } = await import("../engine/evidence/evidence-file.ts");
    return defineById(async ({ database: { sql } }, id) => {
      const packed = await findPackedEvidence(sql, id);
      if (packed === undefined) throw new AppError("evidence_not_found", { checkId: id });
      return unpackEvidence(packed);
    });
  },
};
