import { openApi } from "../client/api.ts";
import type { Settings } from "../client/settings.ts";
import { subjectOf } from "../check/checked.ts";
import type { TypedGateFlags } from "../check/gate-flags.ts";
import type { PageFlags } from "../check/page-flags.ts";
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
 * @throws CliError 2, and 3 for a sitemap that can't be read
 */
export async function openSite(
  context: Context,
  settings: Settings,
  { path: file, config }: ConfigFile,
  { flags, pages, isList }: Configured<PageFlags & TypedGateFlags>,
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
    throw usageError(`--limit has no sitemap to limit`, `Add "sitemap": {} to ${file}`);

  const gates = new Map(pages.map(({ path, gate }) => [path, gate] as const));
  if (sitemap) {
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
  const findQuota = () => openApi(settings, context).findQuota();
  return {
    ...toPages(context, settings, found, { ...flags, isList }, findQuota),
    gates: [...gates.values()],
  };
}
