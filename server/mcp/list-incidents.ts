import type { Incident } from "../../shared/incident.ts";
import { ListIncidentsInput, ListIncidentsResult } from "../../shared/tools.ts";
import { getFound, type CallerRow } from "../db/accounts/callers.ts";
import { listAllIncidents, listIncidents } from "../db/watching/incidents.ts";
import { chooseProject } from "../db/projects/projects.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Language, Text } from "../../shared/language.ts";
import { fitList, PAGE_DATA, pageText } from "./results.ts";
import { defineTool, READS } from "./tool.ts";

type FoundIncident = Incident & { projectId?: string };

/** Treats URL and reason as data: the owner chose the URL, and the reason may quote the page. */
async function findIncidents(
  sql: Sql,
  row: CallerRow,
  project: string | undefined,
  language: Language,
): Promise<FoundIncident[]> {
  const found: FoundIncident[] = getFound(
    project === undefined
      ? await listAllIncidents(sql, row, language)
      : await listIncidents(sql, row, chooseProject(project), language),
  );
  return found.map((incident) => ({
    ...incident,
    url: pageText(incident.url),
    reason: pageText(incident.reason),
  }));
}

function describeIncident(incident: FoundIncident): Text {
  const { id, url, since, lastCheckedAt, reason, projectId } = incident;
  const ids = projectId === undefined ? id : `${id}, ${projectId}`;
  return {
    fr: `- ${url} (${ids}) depuis ${since}, contrôlée ${lastCheckedAt} : ${reason}`,
    en: `- ${url} (${ids}) since ${since}, last probed ${lastCheckedAt}: ${reason}`,
  };
}

const countIncidents = (count: number): Text => ({
  fr: `Incidents en cours, du plus ancien au plus récent : ${count}`,
  en: `Open incidents, oldest first: ${count}`,
});

const NOTHING: Text = { fr: "Aucun incident en cours.", en: "No open incident." };

export const listIncidentsTool = defineTool({
  name: "list_incidents",
  title: "List open incidents",
  description:
    "Lists the watched URLs that are failing now, with the reason and the start time, for one project or for all. Use it when asked whether something is down or broken.",
  input: ListIncidentsInput,
  output: ListIncidentsResult,
  annotations: READS,
  async call({ database }, { row, language }, { project }) {
    const incidents = await findIncidents(database.sql, row, project, language);
    const heading = [PAGE_DATA, countIncidents(incidents.length)];
    const words = { nothing: NOTHING, heading, describe: describeIncident };
    return fitList(incidents, words, language, (shown, rest) => ({ incidents: shown, ...rest }));
  },
});
