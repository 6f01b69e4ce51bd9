import { openApi } from "../api.ts";
import type { Context } from "../context.ts";
import { readSettings } from "../settings.ts";
import { cleanText } from "../views/clean.ts";

const TIMEOUT_MS = 300;

/** The names of the visible projects; none without a token, or where they do not come within 300 ms. */
export async function listProjectNames(context: Context): Promise<string[]> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const io = { ...context.io, note: async () => {} };
  try {
    const api = openApi(readSettings(context.env, {}), { ...context, io, signal });
    const { projects } = await api.listProjects();
    return projects.map(({ name }) => cleanText(name));
  } catch {
    return [];
  }
}
