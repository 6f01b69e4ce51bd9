import type { TargetHeaders } from "../../shared/check.ts";
import { openApi } from "../client/api.ts";
import { readSettings, readTargetHeaders } from "../client/settings.ts";
import type { CommonFlags, Context } from "../terminal/command.ts";
import type { Io } from "../terminal/io.ts";
import { type CheckOutcome, type CompletedCheck, subjectOf, type Subject } from "./results.ts";
import { checkCount, checkStableUrl, type PageFlags } from "./page-flags.ts";
import { waitUntilReady } from "./readiness.ts";
import { checkList, checkSingle, describeOutcome, type Page } from "./run.ts";
import type { TypedGateFlags } from "./gate-flags.ts";
import type { SavedResults } from "./saved-results.ts";
import { completeUrl, readUrls } from "./urls.ts";

export interface Pages {
  readonly subjects: readonly Subject[];
  /** A list is shown as a table, even with a single page. */
  readonly isList: boolean;
  /** One for each page, where pages have separate conditions. */
  readonly gates?: readonly TypedGateFlags[];
  check(): Promise<CheckOutcome[]>;
}

/**
 * Sends nothing yet.
 * @param isSite true to note the month's quota before the first check
 * @throws CliError 2 for a wrong flag or setting; otherwise 41 if the token cannot be used
 */
export function toPages(
  context: Context,
  pages: readonly Page[],
  flags: PageFlags & CommonFlags & { readonly isList: boolean },
  headers: TargetHeaders,
  isSite = false,
): Pages {
  const { io, env } = context;
  const { isList, preview = false, waitForReady } = flags;
  checkStableUrl(flags, pages.length);
  const settings = readSettings(env, flags);
  const findQuota = () => openApi(settings, context).findQuota();

  async function checkOne({ url, subject }: Page): Promise<CompletedCheck> {
    if (waitForReady !== undefined) await waitUntilReady(url, waitForReady * 1000, context);
    const check = await openApi(settings, context).check({ url, preview, headers });
    return { ...subject, check };
  }

  return {
    subjects: pages.map(({ subject }) => subject),
    isList,
    check: () =>
      isList
        ? checkList(io, pages, checkOne, isSite ? findQuota : undefined)
        : Promise.all(pages.map((page) => checkSingle(io, page, checkOne))),
  };
}

/** @throws CliError 2 for a wrong URL, flag or setting; otherwise 41 if the token cannot be used */
export async function openPages(
  context: Context,
  typed: readonly string[],
  flags: PageFlags & CommonFlags,
): Promise<Pages> {
  const { urls, isList } = await readUrls(typed, flags.urls, context);
  if (flags.urls !== undefined) checkCount(flags, urls.length, `--urls ${flags.urls}`);
  const headers = readTargetHeaders(context.env, urls, typed.map(completeUrl));
  const pages = urls.map((url) => ({ url, subject: subjectOf(url, flags.as) }));
  return toPages(context, pages, { ...flags, isList }, headers);
}

export function openSavedPages(
  io: Io,
  { checks, unchecked, isList }: SavedResults,
  flags: PageFlags,
): Pages {
  checkStableUrl(flags, checks.length + unchecked.length);
  const pages = checks.map((check) => ({ check, subject: subjectOf(check.url, flags.as) }));
  return {
    subjects: [...pages.map(({ subject }) => subject), ...unchecked],
    isList,
    async check() {
      for (const one of unchecked) await io.note(`shipscore: ${describeOutcome(one, io.language)}`);
      return [
        ...pages.map(({ subject, check }) => ({ ...subject, check, isSaved: true as const })),
        ...unchecked,
      ];
    },
  };
}
