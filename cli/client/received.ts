import * as z from "zod";
import { Cap, Category, Check, Finding } from "../../shared/check.ts";
import { Incident } from "../../shared/incident.ts";
import { LastShip } from "../../shared/last-ship.ts";
import { Project } from "../../shared/project.ts";

// To compile a parser takes longer than to read one response without, even one of ten thousand projects.
z.config({ jitless: true });

/*
 * The API's values as the command reads them, from servers of any version since 0.1.0. A newer server may send fields
 * that are unknown here, which `--json` keeps, and new words of a closed list, which are shown as they are. An older one
 * does not send what the wire has gained since 0.1.0: each such field is optional here, by `.partial({ field: true })`.
 */
const Word = z.string();

const ReceivedFinding = Finding.extend({ category: Word, status: Word })
  .partial({ fixLine: true })
  .loose();
export type ReceivedFinding = z.infer<typeof ReceivedFinding>;

const ReceivedCheck = Check.extend({
  verdict: Word,
  scoreRange: Check.shape.scoreRange.loose(),
  caps: z.array(Cap.loose()),
  categories: z.array(Category.extend({ id: Word }).loose()),
  findings: z.array(ReceivedFinding),
  quota: Check.shape.quota.loose(),
  timings: Check.shape.timings.loose(),
}).loose();
export type ReceivedCheck = z.infer<typeof ReceivedCheck>;

const ReceivedProject = Project.extend({ state: Word, role: Word }).loose();
export type ReceivedProject = z.infer<typeof ReceivedProject>;

const ReceivedProjectList = z.looseObject({ projects: z.array(ReceivedProject) });
export type ReceivedProjectList = z.infer<typeof ReceivedProjectList>;

const ReceivedIncidentList = z.looseObject({ incidents: z.array(Incident.loose()) });
export type ReceivedIncidentList = z.infer<typeof ReceivedIncidentList>;

/** An incident and the project that it was found in. */
export type ProjectIncident = ReceivedIncidentList["incidents"][number] & {
  readonly projectId: string;
};

const ReceivedShip = LastShip.extend({
  environment: Word,
  verdict: Word.nullable(),
}).loose();
export type ReceivedShip = z.infer<typeof ReceivedShip>;

const ReceivedLastShip = z.looseObject({ lastShip: ReceivedShip.nullable() });
export type ReceivedLastShip = z.infer<typeof ReceivedLastShip>;

/** Reads a value of the API, or of a file that holds one; undefined where it is none. */
export type Read<T> = (value: unknown) => T | undefined;

const reads =
  <T>(schema: z.ZodType<T>): Read<T> =>
  (value) =>
    schema.safeParse(value).data;

export const readCheck = reads<ReceivedCheck>(ReceivedCheck);
export const readProjectList = reads<ReceivedProjectList>(ReceivedProjectList);
export const readIncidentList = reads<ReceivedIncidentList>(ReceivedIncidentList);
export const readLastShip = reads<ReceivedLastShip>(ReceivedLastShip);
