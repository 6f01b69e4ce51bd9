import * as z from "zod";
import { EvidenceFile } from "../../server/verify/evidence-file.ts";
import { describeRules } from "./rules.ts";

/** What docs/ holds that is generated, by file name. */
export const PAGES: Readonly<Record<string, () => string>> = {
  "rules.md": describeRules,
  "evidence.schema.json": () =>
    `${JSON.stringify(z.toJSONSchema(EvidenceFile, { io: "input" }), undefined, 2)}\n`,
};
