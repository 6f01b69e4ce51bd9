import * as z from "zod";
import { Email } from "../access/accounts.ts";
import { Name } from "../access/name.ts";
import { NewAlert } from "../alerts/alerts.ts";
import { fault } from "../base/input-faults.ts";
import { GateEdit } from "../projects/gates.ts";
import { HookProviderName } from "../projects/hooks.ts";
import { PreviewEdit } from "../projects/previews.ts";
import { ProjectEdit, NewProject } from "../projects/projects.ts";
import { StatusPageEdit } from "../projects/status-pages.ts";

const named = <Item extends z.ZodType<{ name: string }>>(item: Item) =>
  z
    .array(item)
    .refine(
      (items) => new Set(items.map(({ name }) => name)).size === items.length,
      fault("file_name_twice"),
    )
    .optional();

/** A file never contains a secret URL. The environment variable that `env` names contains the URL where the file is applied. */
const TARGET_INVALID = fault("file_target_invalid");
const Target = z
  .union([z.string(), z.strictObject({ env: z.string() })], TARGET_INVALID)
  .refine((to) => typeof to === "object" || Email.safeParse(to).success, TARGET_INVALID);

const HookInFile = z.strictObject({
  name: Name,
  provider: HookProviderName,
  repository: z.string().nullable().optional(),
  api: z.string().nullable().optional(),
});

const AlertInFile = z.strictObject({
  name: NewAlert.shape.label.unwrap().min(1, fault("name_empty")),
  kind: NewAlert.shape.kind,
  target: Target.optional(),
  on: z
    .array(z.string())
    .transform((occasions) => occasions.join(","))
    .pipe(NewAlert.shape.on)
    .optional(),
  after: NewAlert.shape.after.unwrap().optional(),
  remind: NewAlert.shape.remind.unwrap().optional(),
  language: NewAlert.shape.language,
});

const Acceptance = z.strictObject({
  rule: z.string(),
  pages: z.array(z.string()).length(1).nullable().default(null),
  reason: z.string(),
  until: z.string(),
});

const WholeAcceptance = Acceptance.extend({ pages: z.array(z.string()).nullable() });

/** Flags have `none` where a file has null. */
const toFlag = (value: unknown[] | number | null): string => {
  const text = [value ?? []].flat().join(",");
  return text === "" ? "none" : text;
};

const GateInFile = z
  .strictObject({
    minScore: z.number().nullable().transform(toFlag),
    minCategory: z
      .record(z.string(), z.number())
      .nullable()
      .transform((minima): unknown =>
        toFlag(Object.entries(minima ?? {}).map((one) => one.join("="))),
      ),
    require: z.array(z.string()).nullable().transform(toFlag),
    maxDrop: z.number().nullable().transform(toFlag),
    failOnNew: z
      .boolean()
      .nullable()
      .transform((isAsked) => isAsked || "none"),
    accept: z.array(Acceptance),
  })
  .partial()
  .pipe(GateEdit.extend({ accept: z.array(WholeAcceptance).optional() }));

const PreviewsInFile = z.strictObject({
  hosts: z
    .array(z.string())
    .transform((hosts) => hosts.join(","))
    .pipe(PreviewEdit.shape.hosts),
});

const StatusPageInFile = StatusPageEdit.omit({ show: true, hide: true })
  .extend({
    title: StatusPageEdit.shape.title.nullable(),
    urls: z.record(NewProject.shape.url, z.string()).optional(),
  })
  .strict();

const ProjectInFile = z.strictObject({
  name: Name,
  url: NewProject.shape.url.optional(),
  urls: z.array(NewProject.shape.url).optional(),
  interval: ProjectEdit.shape.interval,
  failures: ProjectEdit.shape.failures,
  gate: GateInFile.nullable().optional(),
  previews: PreviewsInFile.nullable().optional(),
  statusPage: StatusPageInFile.nullable().optional(),
  hooks: named(HookInFile),
  alerts: named(AlertInFile),
});
export type ProjectInFile = z.output<typeof ProjectInFile>;

/** Names identify items. Omitted fields do not change. */
export const AccountFile = z.strictObject({
  version: z.literal(1),
  account: Email,
  projects: named(ProjectInFile).default([]),
});
export type AccountFile = z.output<typeof AccountFile>;
