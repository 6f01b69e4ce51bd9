import { say } from "../../shared/report/words.ts";
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

/** Keeps the incidents on the whole terminal; while the server is away, the last ones, with the time since when. */
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
      const describeLeft = (count: number) =>
        say({ fr: `... et ${count} de plus`, en: `... and ${count} more` }, language);
      return { ...list, describeLeft, foot: [...total, status].join(" "), footStyle };
    });
  };

  return {
    async show(incidents, readAt) {
      known = cleanValue(incidents);
      const seconds = intervalMs / 1000;
      const status = {
        fr: `Lu à ${describeClock(readAt)}, puis toutes les ${seconds}\u00a0s. Ctrl-C pour arrêter.`,
        en: `Read at ${describeClock(readAt)}, again every ${seconds} s. Ctrl-C ends.`,
      };
      await draw(say(status, language), (line) => line);
      return true;
    },
    async lose({ message }, since) {
      const status = {
        fr: `Sans réponse depuis ${describeClock(since)} : `,
        en: `No answer since ${describeClock(since)}: `,
      };
      await draw(`${say(status, language)}${cleanText(message)}.`, screen.chalk.yellow);
    },
    close: () => canvas.close(),
  };
}

/** What changed between two looks, as rows for programs; a closing has the time of the look that missed the incident. */
export function listChanges(before: Incidents, after: Incidents, lookedAt: Date): Row[] {
  const keyOf = ({ projectId, id }: ProjectIncident) => `${projectId} ${id}`;
  const without = (incidents: Incidents, others: Incidents) => {
    const keys = new Set(others.map(keyOf));
    return incidents.filter((incident) => !keys.has(keyOf(incident)));
  };
  const rowOf = (change: string, time: string, { projectName, url, reason }: ProjectIncident) =>
    [change, time, projectName ?? null, url, reason] as const;
  return [
    ...without(before, after).map((one) => rowOf("closed", lookedAt.toISOString(), one)),
    ...without(after, before).map((one) => rowOf("opened", one.since, one)),
  ];
}

/** Prints a line for each incident that opens or closes, and notes when the server is away and when it is back. */
export function openIncidentLines(io: Io): Display<Incidents> {
  let known: Incidents = [];
  let isLost = false;
  return {
    async show(incidents, readAt) {
      if (isLost) await io.note(`shipscore: an answer again at ${describeClock(readAt)}.`);
      isLost = false;
      const rows = listChanges(known, incidents, readAt);
      known = incidents;
      return rows.length === 0 || io.print(formatRows(rows));
    },
    async lose({ message }, since) {
      if (isLost) return;
      isLost = true;
      await io.note(`shipscore: no answer since ${describeClock(since)}: ${message}.`);
    },
    close: async () => {},
  };
}
