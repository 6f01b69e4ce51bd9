import type { CommonFlags } from "../terminal/command.ts";
import { readSettings, readTargetHeaders } from "../client/settings.ts";
import { subjectOf } from "../check/checked.ts";
import type { TypedGateFlags } from "../check/gate-flags.ts";
import { checkStableUrl, type PageFlags } from "../check/page-flags.ts";
import { type Pages, toPages } from "../check/pages.ts";
import { waitUntilReady } from "../check/ready.ts";
import { findOrigin } from "../check/urls.ts";
import type { Context } from "../terminal/context.ts";
import { usageError } from "../terminal/errors.ts";
import type { ConfigFile } from "./config-file.ts";
import type { Configured } from "./configured.ts";
import { listSitemapPaths } from "./sitemap.ts";

/**
 * The pages of a file, and then those of its site's sitemap: at the site that `--site` names, reported under the names that
 * they have at the file's own.
 * @throws CliError 2, 41 for the token, and 3 for a sitemap that can't be read
 */
export async function openSite(
  context: Context,
  { path: file, config }: ConfigFile,
  { flags, pages, isList }: Configured<PageFlags & TypedGateFlags & CommonFlags>,
): Promise<Pages> {
  const own = findOrigin(config.site ?? "");
  const site = flags.site ?? own;
  if (site === undefined)
    throw usageError(
      `${file} names no site`,
      'Add "site": "https://example.com", or give --site ORIGIN',
    );
  const { sitemap } = config;
  if (sitemap === undefined && flags.limit !== undefined)
    throw usageError("--limit has no sitemap to limit", `Add "sitemap": {} to ${file}`);
  checkStableUrl(flags, pages.length);

  const gates = new Map(pages.map(({ path, gate }) => [path, gate] as const));
  if (sitemap) {
    // What is wrong in the environment is told before the site is asked.
    readTargetHeaders(context.env);
    readSettings(context.env, flags);
    if (flags.waitForReady !== undefined)
      await waitUntilReady(site, flags.waitForReady * 1000, context);
    const limit = flags.limit ?? sitemap.limit;
    const choice = { ...sitemap, limit, known: new Set(gates.keys()) };
    for (const path of await listSitemapPaths(context, site, choice)) gates.set(path, flags);
  }
  const found = [...gates.keys()].map((path) => ({
    url: site + path,
    subject: subjectOf(site + path, flags.as ?? (own ?? site) + path),
  }));
  return {
    ...toPages(context, found, { ...flags, isList }, true),
    gates: [...gates.values()],
  };
}
