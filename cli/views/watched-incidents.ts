import { countOthers, say } from "../../shared/report/words.ts";
import type { ProjectIncident } from "../client/json-output.ts";
import { cleanText, cleanValue } from "../terminal/json.ts";
import type { Io, Screen } from "../terminal/io.ts";
import { formatRows, type Row } from "./rows.ts";
import type { Display } from "../terminal/command.ts";
import { describeTotal, listIncidents } from "./incident-table.ts";

type Incidents = readonly ProjectIncident[];

function describeClock(date: Date): string {
  return `${date.toISOString().slice(11, 19)} UTC`;
}

/** While the server does not answer, the last incidents stay on the screen, and the last line says since when. */
export async function openIncidentScreen(
  io: Io,
  screen: Screen,
  intervalMs: number,
  now: () => Date,
): Promise<Display<Incidents>> {
  const { language } = screen;
  const canvas = await io.openCanvas();
  let known: Incidents | undefined;

  const draw = (status: string, footStyle: (line: string) => string) => {
    const incidents = known ?? [];
    const total = known === undefined ? [] : [describeTotal(known.length, language)];
    return canvas.draw((columns) => {
      const size = { ...screen, columns, width: columns };
      const list = listIncidents(incidents, now(), size);
      const describeLeft = (count: number) => {
        const others = countOthers(count);
        return say({ fr: `… et ${others.fr}`, en: `… and ${others.en}` }, language);
      };
      return { ...list, describeLeft, foot: [...total, status].join(" "), footStyle };
    });
  };

  return {
    async show(incidents, readAt) {
      known = cleanValue(incidents);
      const seconds = intervalMs / 1000;
      const status = {
        fr: `Dernière lecture à ${describeClock(readAt)}, puis toutes les ${seconds} s. Ctrl-C pour arrêter.`,
        en: `Read at ${describeClock(readAt)}, again every ${seconds} s. Press Ctrl-C to stop.`,
      };
      await draw(say(status, language), (line) => line);
      return true;
    },
    async showLoss({ what }, since) {
      const status = {
        fr: `Sans réponse depuis ${describeClock(since)} : ${what.fr}.`,
        en: `No response since ${describeClock(since)}: ${what.en}.`,
      };
      await draw(cleanText(say(status, language)), screen.chalk.yellow);
    },
    close: () => canvas.close(),
  };
}

/** A closed incident gets the time of the first read that no longer lists it. */
export function listChanges(before: Incidents, after: Incidents, readAt: Date): Row[] {
  const keyOf = ({ projectId, id }: ProjectIncident) => `${projectId} ${id}`;
  const without = (incidents: Incidents, others: Incidents) => {
    const keys = new Set(others.map(keyOf));
    return incidents.filter((incident) => !keys.has(keyOf(incident)));
  };
  const rowOf = (change: string, time: string, { projectName, url, reason }: ProjectIncident) =>
    [change, time, projectName ?? null, url, reason] as const;
  return [
    ...without(before, after).map((one) => rowOf("closed", readAt.toISOString(), one)),
    ...without(after, before).map((one) => rowOf("opened", one.since, one)),
  ];
}

export function openIncidentLines(io: Io): Display<Incidents> {
  let known: Incidents = [];
  let isLost = false;
  return {
    async show(incidents, readAt) {
      if (isLost) {
        const time = describeClock(readAt);
        const back = {
          fr: `le serveur répond de nouveau, à ${time}.`,
          en: `responding again at ${time}.`,
        };
        await io.note(`shipscore: ${say(back, io.language)}`);
      }
      isLost = false;
      const rows = listChanges(known, incidents, readAt);
      known = incidents;
      return rows.length === 0 || io.print(formatRows(rows));
    },
    async showLoss({ what }, since) {
      if (isLost) return;
      isLost = true;
      const lost = {
        fr: `sans réponse depuis ${describeClock(since)} : ${what.fr}.`,
        en: `no response since ${describeClock(since)}: ${what.en}.`,
      };
      await io.note(`shipscore: ${say(lost, io.language)}`);
    },
    close: async () => {},
  };
}
