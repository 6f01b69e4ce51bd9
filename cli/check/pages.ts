import { openApi } from "../client/api.ts";
import { type Settings, readTargetHeaders } from "../client/settings.ts";
import { cleanText } from "../terminal/clean.ts";
import type { Context } from "../terminal/context.ts";
import type { Io } from "../terminal/io.ts";
import { type Answered, subjectOf, type Subject } from "./checked.ts";
import { checkStableUrl, type PageFlags } from "./page-flags.ts";
import { waitUntilReady } from "./ready.ts";
import { checkList, checkSingle, describeDone } from "./run.ts";
import type { Saved } from "./saved.ts";
import { readUrls } from "./urls.ts";

/** The pages of a run. A list is shown as a table, even of a single page. */
export interface Pages {
  readonly subjects: readonly Subject[];
  readonly isList: boolean;
  /** Checks all of them, and returns the answer for each, in their order. */
  check(): Promise<Answered[]>;
}

/** The pages whose URLs were typed or listed. Nothing is sent yet. @throws CliError 2 */
export async function openPages(
  context: Context,
  settings: Settings,
  typed: readonly string[],
  flags: PageFlags,
): Promise<Pages> {
  const { io, env } = context;
  const headers = readTargetHeaders(env);
  const { urls, isList } = await readUrls(typed, flags.urls, context);
  checkStableUrl(flags, urls.length);
  const pages = urls.map((url) => ({ url, subject: subjectOf(url, flags.as) }));
  return {
    subjects: pages.map(({ subject }) => subject),
    isList,
    async check() {
      const run = isList ? checkList : checkSingle;
      return run(io, pages, async ({ url, subject }) => {
        if (flags.waitForReady !== undefined)
          await waitUntilReady(url, flags.waitForReady * 1000, context);
        const request = { url, preview: flags.preview ?? false, headers };
        return { ...subject, check: await openApi(settings, context).check(request) };
      });
    },
  };
}

/** The pages of a saved answer; those that could not be checked then come last. */
export function openSavedPages(
  io: Io,
  { checks, unchecked, isList }: Saved,
  flags: PageFlags,
): Pages {
  checkStableUrl(flags, checks.length + unchecked.length);
  const pages = checks.map((check) => ({ check, subject: subjectOf(check.url, flags.as) }));
  return {
    subjects: [...pages.map(({ subject }) => subject), ...unchecked],
    isList,
    async check() {
      for (const one of unchecked) await io.note(cleanText(`shipscore: ${describeDone(one)}`));
      return [
        ...pages.map(({ subject, check }) => ({ ...subject, check, isSaved: true as const })),
        ...unchecked,
      ];
    },
  };
}
