import type { Project } from "../../shared/project.ts";
import { ListProjectsInput, ListProjectsResult } from "../../shared/tools.ts";
import { getFound } from "../db/accounts/callers.ts";
import { listProjects } from "../db/projects/projects.ts";
import type { Text } from "../base/language.ts";
import { fitList } from "./fit.ts";
import { pageText } from "./page-text.ts";
import { defineTool, READS } from "./tool.ts";
import { writeLines } from "./words.ts";

const countProjects = (count: number): Text => ({
  fr: count === 0 ? "Aucun projet." : `Projets : ${count}`,
  en: count === 0 ? "No project." : `Projects: ${count}`,
});

function describeProject(project: Project): Text {
  const { id, role, state, stateSince, score, lastCheckedAt } = project;
  const [name, url] = [pageText(project.name), pageText(project.url)];
  const [since, checked] = [stateSince ?? "", lastCheckedAt ?? ""];
  const french = [
    since ? `${state} depuis ${since}` : state,
    score === null ? "sans score" : `score ${score}`,
    checked ? `vérifié ${checked}` : "jamais vérifié",
  ];
  const english = [
    since ? `${state} since ${since}` : state,
    score === null ? "no score" : `score ${score}`,
    checked ? `checked ${checked}` : "never checked",
  ];
  return {
    fr: `- ${name} (${id}, ${role}) : ${french.join(", ")}, ${url}`,
    en: `- ${name} (${id}, ${role}): ${english.join(", ")}, ${url}`,
  };
}

/** The projects of `GET /projects`. */
export const listProjectsTool = defineTool({
  name: "list_projects",
  title: "List projects",
  description:
    "Lists the projects that this account owns or shares, each with its id, name, address, state (up, degraded, down, unknown) and latest score. Use it to find a project's id or exact name, or to see how all of them do.",
  input: ListProjectsInput,
  output: ListProjectsResult,
  annotations: READS,
  async call({ database }, { row, language }) {
    const projects = getFound(await listProjects(database.sql, row));
    return fitList(projects, ({ items, rest, restLines }) => {
      const lines = [countProjects(projects.length), ...items.map(describeProject), ...restLines];
      return {
        structured: { projects: [...items], ...rest },
        text: writeLines(lines, language),
      };
    });
  },
});
