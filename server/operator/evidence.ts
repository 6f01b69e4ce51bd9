import * as z from "zod";
import { findPackedEvidence } from "../db/checks.ts";
import { unpackEvidence } from "../evidence/file.ts";
import { AppError } from "../errors.ts";
import { defineOperation } from "./operation.ts";

export const showEvidence = defineOperation({
  input: z.object({ id: z.string() }),
  async run(deps, { id }) {
    const packed = await findPackedEvidence(deps.database.sql, id);
    if (packed === undefined) throw new AppError("evidence_not_found", { checkId: id });
    return unpackEvidence(packed);
  },
});
