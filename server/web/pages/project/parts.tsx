import type { Text } from "../../../base/language.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";

/** Stands where there is no figure. */
export const DASH = "–";

const LONGEST_NAME = 100;

/** A project's name, as it is shown. */
export const nameProject = (name: string): string => oneLine(name, LONGEST_NAME);

/** The title of a page of a project that is about something of it. */
export const titleOf = ({ fr, en }: Text, project: string): Text => ({
  fr: `${fr} – ${nameProject(project)}`,
  en: `${en} – ${nameProject(project)}`,
});

interface ProjectLinkProps {
  id: string;
  name: string;
}

/** Leads to a project, by its name. */
export const ProjectLink = ({ id, name }: ProjectLinkProps) => (
  <a href={`/projects/${id}`}>{nameProject(name)}</a>
);
