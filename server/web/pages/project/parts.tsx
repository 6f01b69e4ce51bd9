import { oneLine } from "../../../base/syntax/one-line.ts";

/** Stands where there is no figure. */
export const DASH = "–";

const LONGEST_NAME = 100;

/** A project's name, as it is shown. */
export const nameProject = (name: string): string => oneLine(name, LONGEST_NAME);

export function ProjectName({ name }: { name: string }) {
  return <>{nameProject(name)}</>;
}
