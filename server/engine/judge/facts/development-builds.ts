import type { Resource } from "../../evidence/html.ts";
import { urlOf } from "../../evidence/page.ts";

/** Files that a framework offers for development, by what their addresses show; docs name them too, but as text. */
const BY_PATH: readonly RegExp[] = [
  /\.development(?:\.min)?\.js$/,
  /\.debug\.js$/,
  /\/vue(?:\.runtime)?\.(?:global|esm-browser|esm-bundler)\.js$/,
  /\/vue(?:@[^/]{1,40})?(?:\/dist)?\/vue(?:\.runtime)?\.js$/,
  /\/(?:@babel\/standalone|babel-standalone)(?:[@/]|$)/,
  /\/@tailwindcss\/browser(?:[@/]|$)/,
  /\/less(?:@[^/]{1,40})?(?:\/dist)?\/less(?:\.min)?\.js$/,
  /\/(?:dart_sdk|ddc_module_loader|main_module\.bootstrap)\.js$/,
  /\/_framework\/aspnetcore-browser-refresh\.js$/,
  /\/_vs\/browserLink$/i,
];
/** CDNs that answer with the development build where no file is named. */
const BARE = /^\/(?:npm\/)?(?:vue|less)(?:@[^/]{1,40})?\/?$/;
const BARE_HOSTS = ["unpkg.com", "cdn.jsdelivr.net"];

function isDevelopmentBuild({ url, kind }: Resource): boolean {
  if (kind !== "script" && kind !== "module") return false;
  const { hostname, pathname } = urlOf(url);
  return (
    hostname === "cdn.tailwindcss.com" ||
    (BARE_HOSTS.includes(hostname) && BARE.test(pathname)) ||
    BY_PATH.some((pattern) => pattern.test(pathname))
  );
}

/** The page's scripts that are development builds: larger, slower, or compiling in the visitor's browser. */
export function findDevelopmentBuilds(resources: readonly Resource[]): Resource[] {
  return resources.filter(isDevelopmentBuild);
}
