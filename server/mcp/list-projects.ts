import type { Project } from "../../shared/project.ts";
import { ListProjectsInput, ListProjectsResult } from "../../shared/tools.ts";
import { getFound } from "../db/accounts/callers.ts";
import { listProjects } from "../db/projects/projects.ts";
import type { Text } from "../../shared/language.ts";
import { ENTERED_DATA, fitList, pageText } from "./results.ts";
import { defineTool, READS } from "./tool.ts";

const countProjects = (count: number): Text => ({
  fr: `Projets : ${count}`,
  en: `Projects: ${count}`,
});

const NOTHING: Text = { fr: "Aucun projet.", en: "No project." };

function describeProject(project: Project): Text {
  const { id, name, url, role, state, stateSince, score, lastCheckedAt } = project;
  const [since, checked] = [stateSince ?? "", lastCheckedAt ?? ""];
  const french = [
    since ? `${state} depuis ${since}` : state,
    score === null ? "sans score" : `score ${score}`,
    checked ? `vérifié ${checked}` : "jamais vérifié",
  ];
  const english = [
    since ? `${state} since ${since}` : state,
    score === null ? "no score" : `score ${score}`,
    checked ? `last probed ${checked}` : "never probed",
  ];
  const facts = { fr: french.join(", "), en: english.join(", ") };
  return {
    fr: `- ${name} (${id}, ${role}) : ${facts.fr}, ${url}`,
    en: `- ${name} (${id}, ${role}): ${facts.en}, ${url}`,
  };
}

export const listProjectsTool = defineTool({
  name: "list_projects",
  title: "List projects",
  description:
    "Lists the projects that this account owns or shares, each with its ID, name, URL, state (up, degraded, down, unknown) and latest score. Use it to find a project's ID, or to see the state of all projects.",
  input: ListProjectsInput,
  output: ListProjectsResult,
  annotations: READS,
  async call({ database }, { row, language }) {
    const { projects: found } = getFound(await listProjects(database.sql, row));
    const projects = found.map((project) => ({
      ...project,
      name: pageText(project.name),
      url: pageText(project.url),
    }));
    const heading = [ENTERED_DATA, countProjects(projects.length)];
    const words = { nothing: NOTHING, heading, describe: describeProject };
    return fitList(projects, words, language, (shown, rest) => ({ projects: shown, ...rest }));
  },
});
