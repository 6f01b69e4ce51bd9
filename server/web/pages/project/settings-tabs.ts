import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ComponentChildren } from "preact";
import { AppError } from "../../../base/errors.ts";
import { FORM_FAULTS } from "../../../base/input-faults.ts";
import type { findAlert } from "../../../db/alerts/alerts.ts";
import type { findHook } from "../../../db/deployments/hooks.ts";
import type { ProjectSettings } from "../../../db/projects/project-settings.ts";
import type { ActorsProject } from "../../../db/projects/roles.ts";
import type { Deps, StoreDeps } from "../../../deps.ts";
import { type Right, requireRightTo } from "../../../projects/rights.ts";
import type { Sitemap } from "../../../projects/sitemap.ts";
import type { WatchedMany } from "../../../projects/watching.ts";
import { refuse, type Refusals, type Refusal } from "../../kit/forms.ts";
import { formsOf, type AddForm } from "../../kit/session/form-handlers.ts";
import type { ListQuery } from "../../kit/session/paged-list.tsx";
import { getSignedIn, type SignedInRequest } from "../../kit/session/signed-in.ts";

/** In the order of the tabs. The first is `/projects/ID/settings` itself. */
export const SETTINGS_PAGES = [
  "general",
  "urls",
  "people",
  "hooks",
  "alerts",
  "maintenance",
  "gate",
  "previews",
  "badge",
  "status-page",
] as const;
export type SettingsPage = (typeof SETTINGS_PAGES)[number];

export interface SettingsProps {
  settings: ProjectSettings;
  signedIn: SignedInRequest;
  many: WatchedMany | undefined;
  sitemap: Sitemap | undefined;
  wanted: ListQuery;
  origin: string;
  hasMail: boolean;
  /** The shortest interval that the operator allows. */
  leastSeconds: number;
  hasLocations: boolean;
  /** The kind of the alert or maintenance window in the form. */
  kind: string | undefined;
}

export interface RefusedSettings extends Refusal {
  many?: WatchedMany;
  sitemap?: Sitemap;
}

/** `id`: of the project, or `:id` for a route. */
export const pathOfSettings = (id: string, page: SettingsPage = "general"): string =>
  `/projects/${id}/settings${page === "general" ? "" : `/${page}`}`;

export function pageOfSettings({ routeOptions: { url, config } }: FastifyRequest): SettingsPage {
  const path = config.formOn ?? url;
  return SETTINGS_PAGES.find((page) => pathOfSettings(":id", page) === path) ?? "general";
}

export type OfProject = FastifyRequest<{ Params: { id: string } }>;
/** `of`: the id of a hook, of an alert or of a member's account. */
export type OfOne = FastifyRequest<{ Params: { id: string; of?: string } }>;

/** Throws the refusal of `RIGHTS`. */
export const requireOwn = (
  { database }: StoreDeps,
  request: OfProject,
  right: Right = "change",
): Promise<ActorsProject> =>
  requireRightTo(database.sql, getSignedIn(request).actor, right, request.params.id);

export function requireOfPath(
  { params: { id: projectId } }: OfProject,
  found: { projectId: string } | undefined,
): void {
  if (found && found.projectId !== projectId)
    throw new AppError("project_not_found", { projectId });
}

export interface FormOfProject {
  project: ActorsProject;
}

export type AddProjectForm = AddForm<FormOfProject>;

export interface SettingsTab {
  refusals?: Refusals;
  Content: (props: SettingsProps) => ComponentChildren;
  addForms: (addForm: AddProjectForm, deps: Deps, door: FastifyInstance) => void;
}

interface ProjectPage {
  path: string;
  refusals?: Refusals | undefined;
  find?: typeof findAlert | typeof findHook;
  send: (deps: Deps, request: OfOne, reply: FastifyReply, extras: { refused: Refusal }) => unknown;
}

/** Each form's path is the page's path and a suffix. */
export function projectFormsOf(
  door: FastifyInstance,
  deps: Deps,
  { path, refusals, find, send }: ProjectPage,
): AddProjectForm {
  const addForm = formsOf<FormOfProject>(door, deps, {
    page: path,
    refusals,
    async prepare(request, id) {
      const project = await requireOwn(deps, request as OfOne);
      if (find) requireOfPath(request as OfOne, await find(deps.database.sql, id));
      return { project };
    },
    render: (request, reply, refused) => send(deps, request as OfOne, reply, { refused }),
  });
  return (suffix, act, options) => addForm(`${path}${suffix}`, act, options);
}

export function refuseFields(
  error: { readonly issues: readonly { path: readonly PropertyKey[]; message: string }[] },
  names: Readonly<Record<string, string>> = {},
): Refusal {
  const problems = error.issues.map(({ path: [key], message }) => {
    const field = String(key);
    return [names[field] ?? field, FORM_FAULTS[message as keyof typeof FORM_FAULTS]] as const;
  });
  return refuse(Object.fromEntries(problems));
}
