import { openApi } from "../client/api.ts";
import type { Context } from "../terminal/context.ts";
import { readSettings } from "../client/settings.ts";
import { withTimeLimit } from "../client/time-limit.ts";
import { cleanText } from "../terminal/clean.ts";

const TIMEOUT_MS = 300;

/** The names of the visible projects, or the ids of those that share a name. None without a token, or after 300 ms. */
export async function listProjectNames(context: Context): Promise<string[]> {
  const io = { ...context.io, note: async () => {} };
  try {
    const settings = readSettings(context.env, {});
    const { projects } = await withTimeLimit(context.signal, TIMEOUT_MS, (signal) =>
      openApi(settings, { ...context, io, signal }).listProjects(),
    );
    const names = projects.map(({ name }) => name);
    return projects.map(({ id, name }) =>
      names.indexOf(name) === names.lastIndexOf(name) ? cleanText(name) : id,
    );
  } catch {
    return [];
  }
}
