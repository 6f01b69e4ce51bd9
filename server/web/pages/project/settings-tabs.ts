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

/** The pages of a project's settings, in their order; the first is `/projects/ID/settings` itself. */
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

/** What a page of the settings is told, for the project's owner. */
export interface SettingsProps {
  settings: ProjectSettings;
  signedIn: SignedInRequest;
  /** What became of many URLs, of which some were refused. */
  many: WatchedMany | undefined;
  /** What a sitemap lists that has just been read. */
  sitemap: Sitemap | undefined;
  /** What is wanted of its list. */
  wanted: ListQuery;
  /** The server's own origin. */
  origin: string;
  /** Whether this server sends e-mails. */
  hasMail: boolean;
  /** The shortest interval that the operator allows. */
  leastSeconds: number;
  /** Whether servers name their locations. */
  hasLocations: boolean;
  /** What the alert or the window is that is to be added. */
  kind: string | undefined;
}

/** A form of the settings that is shown again, with what it found out. */
export interface RefusedSettings extends Refusal {
  many?: WatchedMany;
  sitemap?: Sitemap;
}

/** `id`: of the project, or `:id` for a route. */
export const pathOfSettings = (id: string, page: SettingsPage = "general"): string =>
  `/projects/${id}/settings${page === "general" ? "" : `/${page}`}`;

/** The page of the settings that a request is for, or whose form it sends. */
export function pageOfSettings({ routeOptions: { url, config } }: FastifyRequest): SettingsPage {
  const path = config.formOn ?? url;
  return SETTINGS_PAGES.find((page) => pathOfSettings(":id", page) === path) ?? "general";
}

export type OfProject = FastifyRequest<{ Params: { id: string } }>;
/** `of`: the id of a hook, of an alert or of a member's account. */
export type OfOne = FastifyRequest<{ Params: { id: string; of?: string } }>;

/** The project in the request's path. Throws the refusal of `RIGHTS`. */
export const requireOwn = (
  { database }: StoreDeps,
  request: OfProject,
  right: Right = "change",
): Promise<ActorsProject> =>
  requireRightTo(database.sql, getSignedIn(request).actor, right, request.params.id);

/** Throws `project_not_found` for what is of another project than the path's. */
export function requireOfPath(
  { params: { id: projectId } }: OfProject,
  found: { projectId: string } | undefined,
): void {
  if (found && found.projectId !== projectId)
    throw new AppError("project_not_found", { projectId });
}

/** Part of each form of a project. */
export interface FormOfProject {
  project: ActorsProject;
}

export type AddProjectForm = AddForm<FormOfProject>;

/** A page of the settings: its content, its forms, and their errors. */
export interface SettingsTab {
  refusals?: Refusals;
  Content: (props: SettingsProps) => ComponentChildren;
  addForms: (addForm: AddProjectForm, deps: Deps, door: FastifyInstance) => void;
}

interface ProjectPage {
  path: string;
  refusals?: Refusals | undefined;
  /** Finds the hook or the alert whose page it is. */
  find?: typeof findAlert | typeof findHook;
  send: (deps: Deps, request: OfOne, reply: FastifyReply, extras: { refused: Refusal }) => unknown;
}

/** Returns the function that registers the forms of a project's page, each by what its path has after that of the page. */
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

/** What is wrong at each field, by the names that the form gives them. */
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
