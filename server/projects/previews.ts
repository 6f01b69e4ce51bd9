import * as z from "zod";
import { TargetHeaders } from "../../shared/check.ts";
import type { Manager } from "../db/accounts/actors.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { findPreviews, updatePreviews } from "../db/projects/previews.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { fault, type InputFault } from "../base/input-faults.ts";
import { findHostPattern, isOfOneOwner } from "../base/syntax/host-pattern.ts";
import { changeProject, type SharedTransaction } from "./rights.ts";

const MAX_HOSTS = 20;
const MAX_HOSTS_LENGTH = 2000;
/** Has room for the maximum number of headers at their maximum length. */
const MAX_HEADERS_LENGTH = 32_768;

const Hosts = z
  .string()
  .max(MAX_HOSTS_LENGTH, fault("preview_hosts_invalid"))
  .transform((text) => [
    ...new Set(
      text
        .toLowerCase()
        .split(/[,\s]+/)
        .filter(Boolean),
    ),
  ])
  .refine(
    (hosts) =>
      hosts.length > 0 &&
      hosts.length <= MAX_HOSTS &&
      hosts.every((host) => findHostPattern(host) !== undefined),
    fault("preview_hosts_invalid"),
  );

/** An empty text removes the headers. */
const Headers = z
  .string()
  .max(MAX_HEADERS_LENGTH, fault("preview_headers_invalid"))
  .transform((text, context): TargetHeaders => {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
    const pairs = lines.map((line) => /^\s*([^:\s]+)\s*:(.*)$/.exec(line) ?? []);
    const given = pairs.map(
      ([, name = "", value = ""]) => [name.toLowerCase(), value.trim()] as const,
    );
    const read = TargetHeaders.safeParse(Object.fromEntries(given));
    if (read.success && new Set(given.map(([name]) => name)).size === given.length)
      return read.data;
    context.addIssue({ code: "custom", message: "preview_headers_invalid" satisfies InputFault });
    return z.NEVER;
  });

/** Without `headers`, the stored headers do not change. */
export const PreviewEdit = z.object({ hosts: Hosts, headers: Headers.optional() });
export type PreviewEdit = z.infer<typeof PreviewEdit>;

const changePreviews = (
  deps: Deps,
  actor: Manager,
  projectId: string,
  { hosts, headers }: { hosts: string[]; headers?: TargetHeaders | undefined },
  shared?: SharedTransaction,
) => {
  const change = async (sql: Sql) => {
    const stored = await findPreviews(sql, projectId);
    const names = headers === undefined ? stored.headers : Object.keys(headers);
    const patterns = hosts.flatMap((host) => findHostPattern(host) ?? []);
    if (names.length > 0 && !patterns.every(isOfOneOwner))
      throw new AppError("input_invalid", { fault: "preview_hosts_open", value: "" });
    const seal = () => deps.secretBox.seal(JSON.stringify(headers), projectId);
    const sealed = headers === undefined ? stored.sealed : names.length === 0 ? null : seal();
    await updatePreviews(sql, projectId, { hosts, headers: names, sealed });
    await insertEvent(sql, actor, { action: "project.previews_changed", projectId });
    return { hosts, headers: names };
  };
  return changeProject(deps, actor, "change", projectId, change, shared);
};

/** Throws `project_not_found`, `owner_only`, `input_invalid`, `secret_key_missing`. */
export const editPreviews = (
  deps: Deps,
  actor: Manager,
  projectId: string,
  edit: PreviewEdit,
  shared?: SharedTransaction,
) => changePreviews(deps, actor, projectId, edit, shared);

/** Also deletes the stored headers. Throws `project_not_found`, `owner_only`. */
export const switchPreviewsOff = (
  deps: Deps,
  actor: Manager,
  projectId: string,
  shared?: SharedTransaction,
) => changePreviews(deps, actor, projectId, { hosts: [], headers: {} }, shared);
