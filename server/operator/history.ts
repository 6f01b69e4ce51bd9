import * as z from "zod";
import { AppError } from "../base/errors.ts";
import { fault } from "../base/input-faults.ts";
import type { HistoryDay, PastDeployment, PastIncident } from "../db/projects/history.ts";
import { defineOperation, type AddCommands } from "./command.ts";
import { column, dateColumn, type ListedRow } from "./output.ts";

const DAY_MS = 86_400_000;
/** Longer than the history of any project. */
const MAX_DAYS = 36_500;
const DAYS_INVALID = fault("days_invalid");
/** The lowest bar means this uptime or less. */
const LEAST_UPTIME = 0.9;

/** Dates are texts in the JSON result. */
type Printed<Past> = { [Key in keyof Past]: Past[Key] extends Date | null ? string : Past[Key] };

interface PrintedHistory extends ListedRow {
  days: HistoryDay[];
  incidents: Printed<PastIncident>[];
  deployments: Printed<PastDeployment>[];
}

function fillDays(days: readonly HistoryDay[]): (HistoryDay | undefined)[] {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const timeOf = ({ day }: HistoryDay) => Date.parse(day);
  const known = new Map(days.map((day) => [timeOf(day), day]));
  const count = (timeOf(last) - timeOf(first)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, index) => known.get(timeOf(first) + index * DAY_MS));
}

const LEVELS = "▁▂▃▄▅▆▇█";
const NOTHING = "·";

/** Draws a full bar only for `top`, and a dot for null. */
export function drawSparkline(
  values: readonly (number | null)[],
  { bottom, top }: { bottom: number; top: number },
): string {
  const levelOf = (value: number) => {
    const share = Math.min(1, Math.max(0, (value - bottom) / (top - bottom)));
    return LEVELS.charAt(Math.floor(share * (LEVELS.length - 1)));
  };
  return values.map((value) => (value === null ? NOTHING : levelOf(value))).join("");
}

function drawDays({ days }: PrintedHistory): ListedRow[] {
  const filled = fillDays(days);
  const draw = (key: "score" | "uptime", bottom: number, top: number) => ({
    name: key,
    line: drawSparkline(
      filled.map((day) => day?.[key] ?? null),
      { bottom, top },
    ),
    newest: days.findLast((day) => day[key] !== null)?.[key] ?? null,
  });
  const uptime = draw("uptime", LEAST_UPTIME, 1);
  const percent = uptime.newest === null ? null : `${Math.round(uptime.newest ** 1e4) / 100}%`;
  return [draw("score", 0, 100), { ...uptime, newest: percent }];
}

const NONE = { closedAt: null, deployment: null, score: null, previousScore: null, verdict: null };

function mergeEvents({ incidents, deployments }: PrintedHistory): ListedRow[] {
  const events = [
    ...incidents.map(({ since, reason, ...incident }) => {
      return { ...NONE, ...incident, kind: "incident", at: since, details: reason };
    }),
    ...deployments.map(({ deployedAt, changed, ...deployment }) => {
      return {
        ...NONE,
        ...deployment,
        kind: "deployment",
        at: deployedAt,
        details: changed.join(", "),
      };
    }),
  ];
  return events.toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

export const addHistoryCommand: AddCommands = (program, operate) =>
  operate(
    program
      .command("history <project>")
      .description("show a project's score and uptime day by day, its incidents and deployments")
      .option("--days <number>", "the number of days", "30"),
    {
      async print(result: PrintedHistory, { table, isForPeople }) {
        if (isForPeople)
          await table(drawDays(result), [
            column("", "name"),
            column("DAYS", "line"),
            column("NEWEST", "newest"),
          ]);
        await table(mergeEvents(result), [
          dateColumn("AT", "at", "minute"),
          column("WHAT", "kind"),
          column("ID", "id"),
          column("URL", "url"),
          dateColumn("CLOSED", "closedAt", "minute"),
          column("AFTER", "deployment"),
          column("SCORE", "score"),
          column("BEFORE", "previousScore"),
          column("VERDICT", "verdict"),
          column("DETAILS", "details"),
        ]);
      },
      async load() {
        const { findHistory } = await import("../db/projects/history.ts");
        return defineOperation({
          input: z.object({
            project: z.string(),
            days: z.coerce
              .number(DAYS_INVALID)
              .positive(DAYS_INVALID)
              .transform((days) => Math.min(MAX_DAYS, Math.ceil(days)))
              .default(30),
          }),
          async run({ database }, { project: projectId, days }) {
            const history = await findHistory(database.sql, projectId, days, "en");
            if (history === undefined) throw new AppError("project_not_found", { projectId });
            return history;
          },
        });
      },
    },
  );
