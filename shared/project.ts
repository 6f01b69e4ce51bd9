import * as z from "zod/mini";

/** `down`: the project's own URL is failing. `degraded`: another URL is failing. `unknown`: not probed yet. */
export const ProjectState = z.enum(["up", "degraded", "down", "unknown"]);
export type ProjectState = z.infer<typeof ProjectState>;

export const Project = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  state: ProjectState,
  stateSince: z.nullable(z.iso.datetime()),
  role: z.enum(["owner", "member"]),
  lastCheckedAt: z.nullable(z.iso.datetime()),
  score: z.nullable(z.int().check(z.gte(0), z.lte(100))),
});
export type Project = z.infer<typeof Project>;

export const ProjectList = z.object({ projects: z.array(Project) });
export type ProjectList = z.infer<typeof ProjectList>;
