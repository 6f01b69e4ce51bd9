import type { Evidence } from "../evidence/evidence.ts";
import type { Html } from "../evidence/html.ts";
import { ACCEPT_ANY } from "./answer.ts";
import type { VisitContext } from "./context.ts";
import { redactUrl } from "./privacy/redact.ts";
import { fetchSample } from "./samples.ts";

const MAX_PREVIOUS_FILES = 6;

/** Leaves out the files that the page still loads, and all if there is no page. */
export function choosePreviousFiles(
  files: readonly string[],
  html: Html | null | undefined,
): string[] {
  if (!html) return [];
  const loaded = new Set(html.resources.map(({ url }) => url));
  return files.filter((url) => !loaded.has(url)).slice(0, MAX_PREVIOUS_FILES);
}

/** Null if no request was left. */
export async function fetchPreviousFile(
  context: VisitContext,
  url: string,
): Promise<Evidence["previousFiles"][number] | null> {
  const options = { accept: ACCEPT_ANY, maxBytes: 0 };
  const sent = await fetchSample(context, new URL(url), options);
  return sent && { ...sent.answer, url: redactUrl(url) };
}
