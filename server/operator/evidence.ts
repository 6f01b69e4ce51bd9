import * as z from "zod";
import { findPackedEvidence } from "../db/checks.ts";
import { unpackEvidence } from "../evidence/file.ts";
import { defineOperation, refuse } from "./operation.ts";

export const showEvidence = defineOperation({
  input: z.object({ id: z.string() }),
  async run(deps, { id }) {
    const packed = await findPackedEvidence(deps.database.sql, id);
    if (packed === undefined)
      throw refuse(
        `There is no evidence of a check ${id}. Its id is in the check's answer; evidence is kept for 90 days.`,
      );
    return unpackEvidence(packed);
  },
});
