import type { FastifyRequest } from "fastify";
import type { ProjectSettings } from "../../../db/projects/project-settings.ts";
import type { ActorsProject } from "../../../db/projects/roles.ts";
import type { StoreDeps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import type { Right } from "../../../projects/rights.ts";
import { requireRightTo } from "../../../projects/rights.ts";
import type { Sitemap } from "../../../projects/sitemap.ts";
import type { WatchedMany } from "../../../projects/watching.ts";
import type { Refused } from "../../kit/forms.ts";
import type { Wanted } from "../../kit/session/list-query.ts";
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
  wanted: Wanted;
  /** The server's own origin. */
  origin: string;
  /** Whether this server sends e-mails. */
  hasMail: boolean;
  /** The shortest interval that the operator allows. */
  leastSeconds: number;
  /** Whether servers name their places. */
  hasPlaces: boolean;
  /** What the alert or the window is that is to be added. */
  kind: string | undefined;
}

/** What an answer shows besides the settings as they are. */
export interface Shown extends Partial<Pick<SettingsProps, "many" | "sitemap">> {
  refused?: Refused;
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

/** Before anything is said about what was typed. Throws the refusal of `RIGHTS`. */
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
