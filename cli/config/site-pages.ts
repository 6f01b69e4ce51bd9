import type { CommonFlags, Context } from "../terminal/command.ts";
import { readSettings, readTargetHeaders } from "../client/settings.ts";
import { subjectOf } from "../check/results.ts";
import type { TypedGateFlags } from "../check/gate-flags.ts";
import { checkCount, checkStableUrl, type PageFlags } from "../check/page-flags.ts";
import { type Pages, toPages } from "../check/pages.ts";
import { waitUntilReady } from "../check/readiness.ts";
import { usageError } from "../terminal/errors.ts";
import { countOf } from "../terminal/words.ts";
import { say } from "../../shared/report/words.ts";
import { findOrigin } from "../../shared/url.ts";
import type { ConfigFile } from "./config-file.ts";
import type { EffectiveSettings } from "./effective-settings.ts";
import { listSitemapPaths } from "./sitemap.ts";

/**
 * Pages are checked at the origin of `--site`, and reported under their URLs at the file's own site.
 * @throws CliError 2, 41 for the token, and 3 for a sitemap that cannot be read
 */
export async function openSite(
  context: Context,
  { path: file, config }: ConfigFile,
  { flags, pages, isList }: EffectiveSettings<PageFlags & TypedGateFlags & CommonFlags>,
): Promise<Pages> {
  const own = findOrigin(config.site ?? "");
  const site = flags.site ?? own;
  if (site === undefined)
    throw usageError(
      { fr: `${file} n'indique aucun site`, en: `${file} has no site` },
      {
        fr: 'Ajoutez-y "site": "https://example.com", ou utilisez --site ORIGINE',
        en: 'Add "site": "https://example.com" to it, or use --site ORIGIN',
      },
    );
  const { sitemap } = config;
  if (flags.limit !== undefined) checkCount(flags, pages.length, file);
  checkStableUrl(flags, pages.length);
  const headers = readTargetHeaders(context.env, [site], flags.site === undefined ? [] : [site]);

  const gates = new Map(pages.map(({ path, gate }) => [path, gate] as const));
  if (sitemap) {
    // Errors of the environment come before any request to the site.
    readSettings(context.env, flags);
    if (flags.waitForReady !== undefined)
      await waitUntilReady(site, flags.waitForReady * 1000, context);
    const choice = { ...sitemap, known: new Set(gates.keys()), headers };
    const listed = await listSitemapPaths(context, site, choice);
    const { limit = Infinity } = flags;
    const leftOut = listed.splice(limit - gates.size);
    for (const path of listed) gates.set(path, flags);
    if (leftOut.length > 0) {
      const rest = countOf(leftOut.length, "page");
      const note = {
        fr: `--limit ${limit} exclut ${rest.fr} du sitemap.`,
        en: `--limit ${limit} leaves out ${rest.en} of the sitemap.`,
      };
      await context.io.note(`shipscore: ${say(note, context.io.language)}`);
    }
  }
  checkCount(flags, gates.size, file);
  const found = [...gates.keys()].map((path) => ({
    url: site + path,
    subject: subjectOf(site + path, flags.as ?? (own ?? site) + path),
  }));
  return {
    ...toPages(context, found, { ...flags, isList }, headers, true),
    gates: [...gates.values()],
  };
}
