import { expect, test } from "vitest";
import type { ZodType } from "zod";
import { AccountPlan } from "../../server/access/accounts.ts";
import { NewDeployment } from "../../server/projects/deployments.ts";
import { NewProject } from "../../server/projects/projects.ts";

const NONE = { commit: null, ref: null };

const BASES: ReadonlyMap<ZodType, object> = new Map<ZodType, object>([
  [AccountPlan, { email: "ann@example.com", plan: "free" }],
  [NewProject, { name: "Shop", url: "https://example.com/" }],
  [
    NewDeployment,
    { projectId: "prj_1", url: "https://example.com/", environment: "staging", ...NONE },
  ],
]);

test.each<[schema: ZodType, field: string, typed: string, fault: string]>([
  [AccountPlan, "email", "ann", "email_invalid"],
  [AccountPlan, "plan", "gold", "plan_unknown"],
  [NewProject, "name", " ", "name_empty"],
  [NewProject, "name", "x".repeat(101), "name_too_long"],
  [NewProject, "name", "a\tb", "name_has_controls"],
  [NewDeployment, "environment", "Big One", "environment_invalid"],
  [NewDeployment, "commit", "", "label_invalid"],
  [NewDeployment, "commit", "a\nb", "label_invalid"],
  [NewDeployment, "ref", "x".repeat(201), "label_invalid"],
])("rejected at its field, with a code: %#", (schema, field, typed, fault) => {
  const { error } = schema.safeParse({ ...BASES.get(schema), [field]: typed });
  expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([[[field], fault]]);
});

test.each<[schema: ZodType, field: string, typed: string, kept: string]>([
  [AccountPlan, "email", " Ann@Example.com ", "ann@example.com"],
  [NewProject, "name", ` ${"x".repeat(100)} `, "x".repeat(100)],
  [NewDeployment, "environment", " staging-2", "staging-2"],
  [NewDeployment, "ref", "🚢".repeat(200), "🚢".repeat(200)],
])("stored in its normal form: %#", (schema, field, typed, kept) => {
  expect(schema.parse({ ...BASES.get(schema), [field]: typed })).toMatchObject({ [field]: kept });
});
