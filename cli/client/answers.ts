import * as z from "zod";
import { Cap, Category, Check, Finding } from "../../shared/check.ts";
import { Incident } from "../../shared/incident.ts";
import { LastShip } from "../../shared/last-ship.ts";
import { Project } from "../../shared/project.ts";

// Compiling a parser costs more than reading one answer, and no less than reading ten thousand projects.
z.config({ jitless: true });

/*
 * The wire schemas as a reader takes them: a newer server may add fields, which `--json` keeps,
 * and words to a closed list, which are shown as they are.
 */
const Word = z.string();

const FindingAnswer = Finding.extend({ category: Word, status: Word }).loose();
export type FindingAnswer = z.infer<typeof FindingAnswer>;

export const CheckAnswer = Check.extend({
  verdict: Word,
  scoreRange: Check.shape.scoreRange.loose(),
  caps: z.array(Cap.loose()),
  categories: z.array(Category.extend({ id: Word }).loose()),
  findings: z.array(FindingAnswer),
  quota: Check.shape.quota.loose(),
  timings: Check.shape.timings.loose(),
}).loose();
export type CheckAnswer = z.infer<typeof CheckAnswer>;

export const ProjectAnswer = Project.extend({ state: Word, role: Word }).loose();
export type ProjectAnswer = z.infer<typeof ProjectAnswer>;

export const ProjectListAnswer = z.looseObject({ projects: z.array(ProjectAnswer) });
export type ProjectListAnswer = z.infer<typeof ProjectListAnswer>;

export const IncidentListAnswer = z.looseObject({ incidents: z.array(Incident.loose()) });
export type IncidentListAnswer = z.infer<typeof IncidentListAnswer>;

/** An incident and the project that it was found in. */
export type ProjectIncident = IncidentListAnswer["incidents"][number] & {
  readonly projectId: string;
};

const Ship = LastShip.extend({ environment: Word, verdict: Word.nullable() }).loose();

export const LastShipAnswer = z.looseObject({ lastShip: Ship.nullable() });
export type LastShipAnswer = z.infer<typeof LastShipAnswer>;
