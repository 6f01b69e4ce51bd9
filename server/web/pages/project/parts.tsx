import { oneLine } from "../../../base/syntax/one-line.ts";

/** Stands where there is no figure. */
export const DASH = "–";

const LONGEST_NAME = 100;
const LONGEST_ADDRESS = 80;

/** A project's name, as it is shown. */
export const nameProject = (name: string): string => oneLine(name, LONGEST_NAME);

export function ProjectName({ name }: { name: string }) {
  return <>{nameProject(name)}</>;
}

/** An address, cut if it is long: a page has a hundred of them, and each may have 2,000 characters. */
export function Address({ url }: { url: string }) {
  return <>{oneLine(url, LONGEST_ADDRESS)}</>;
}

/** An address that leads there, unless it is cut. */
export function LinkedAddress({ url }: { url: string }) {
  if (url.length > LONGEST_ADDRESS) return <Address url={url} />;
  return <a href={url}>{oneLine(url, LONGEST_ADDRESS)}</a>;
}
