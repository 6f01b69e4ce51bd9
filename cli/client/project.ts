import type { Text } from "../../shared/language.ts";
import type { Api } from "./api.ts";
import type { ReceivedProject } from "./api-responses.ts";
import { CliError, usageError } from "../terminal/errors.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { isUrl } from "../../shared/url.ts";

const ID = /^prj_[0-9A-Za-z]+$/;

function findHref(address: string): string | undefined {
  const url = /^[a-z]+:\/\//i.test(address) ? address : `https://${address}`;
  return isUrl(url) ? new URL(url).href : undefined;
}

function matchProjects(projects: readonly ReceivedProject[], wanted: string): ReceivedProject[] {
  const href = findHref(wanted);
  return projects.filter(
    ({ id, name, url }) =>
      id === wanted || name === wanted || (href !== undefined && findHref(url) === href),
  );
}

function adviseOnName(projects: readonly ReceivedProject[], wanted: string): Text {
  const folded = wanted.trim().toLowerCase();
  const near = projects.filter(({ name }) => folded !== "" && name.toLowerCase().includes(folded));
  if (near.length === 0)
    return {
      fr: "Lancez « shipscore projects » pour lister ceux que ce jeton permet de voir",
      en: "Run 'shipscore projects' to list the projects visible to this token",
    };
  const names = near.map(({ name }) => `"${name}"`);
  return {
    fr: `Vouliez-vous dire ${names.join(" ou ")} ?`,
    en: `Did you mean ${names.join(" or ")}?`,
  };
}

/**
 * An id is returned without a request, so its name is not known.
 * @throws CliError 2 if several match, 44 if none does
 */
export async function getProject(
  api: Api,
  wanted: string,
): Promise<{ readonly id: string; readonly name?: string }> {
  if (ID.test(wanted)) return { id: wanted };
  const { projects } = await api.listProjects();
  const [match, ...others] = matchProjects(projects, wanted);
  if (match === undefined)
    throw new CliError(
      EXIT.projectNotFound,
      {
        fr: `aucun projet visible n'a l'identifiant, le nom ou l'URL "${wanted}"`,
        en: `no visible project has the ID, name or URL "${wanted}"`,
      },
      adviseOnName(projects, wanted),
    );
  if (others.length > 0) {
    const candidates = [match, ...others].map(({ id, name, url }) => `${id} (${name}, ${url})`);
    throw usageError(
      {
        fr: `"${wanted}" désigne plusieurs projets : ${candidates.join(", ")}`,
        en: `"${wanted}" matches several projects: ${candidates.join(", ")}`,
      },
      { fr: "Indiquez l'identifiant de l'un d'eux", en: "Use the ID of one of them" },
    );
  }
  return { id: match.id, name: match.name };
}

export const getProjectId = async (api: Api, wanted: string) => (await getProject(api, wanted)).id;

export async function findProjectName(api: Api, id: string): Promise<string | undefined> {
  const { projects } = await api.listProjects();
  return projects.find((project) => project.id === id)?.name;
}
