import { registeredName } from "../../../base/syntax/host-pattern.ts";

const PLAIN_HOST = /^[a-z0-9][a-z0-9.-]*$/i;

/** A URL's host may contain quotes and `$()`, which are unsafe in a shell, a configuration file and HTML. */
export function isPlainHost(host: string): boolean {
  return PLAIN_HOST.test(host);
}

/** Tunnels lead to a developer's machine, never to a public site. */
const TUNNELS = [
  "ngrok.io",
  "ngrok.app",
  "ngrok.dev",
  "ngrok-free.app",
  "ngrok-free.dev",
  "trycloudflare.com",
  "loca.lt",
  "lhr.life",
  "serveo.net",
  "devtunnels.ms",
  "gitpod.io",
  "app.github.dev",
  "ddev.site",
  "lndo.site",
  "lvh.me",
  "localtest.me",
];

/** Sandboxes are not public sites, but a page may link to them as examples. */
const SANDBOXES = ["csb.app", "replit.dev", "stackblitz.io", "webcontainer.io"];

const PLATFORMS = ["vercel.app", "netlify.app", "pages.dev"];

/** Host names of a single preview deployment. Production deployments on these platforms have plain names. */
const ONE_DEPLOYMENT =
  /\.vercel\.app$(?<=(?:-git-|-[a-z0-9]{9}-)[^.]+\.vercel\.app)|\.netlify\.app$(?<=--[^.]+\.netlify\.app)|^[^.]+\.[^.]+\.pages\.dev$/i;

function isUnder(host: string, suffixes: readonly string[]): boolean {
  return suffixes.some((suffix) => host.toLowerCase().endsWith(`.${suffix}`));
}

export function isDeploymentHost(host: string): boolean {
  return isUnder(host, PLATFORMS) || isUnder(host, TUNNELS) || isUnder(host, SANDBOXES);
}

export function isPreviewLink(host: string): boolean {
  return ONE_DEPLOYMENT.test(host) || isUnder(host, TUNNELS);
}

/** A shorter name may occur in another name by chance. */
const MIN_NAME_LENGTH = 4;

/**
 * A deployment host counts as a leftover only if it contains the site's name. Others belong to other sites, such as
 * those of badges.
 */
export function isLeftoverHost(host: string, ownHosts: readonly string[]): boolean {
  if (isPreviewLink(host) || isUnder(host, SANDBOXES)) return true;
  const [label = ""] = host.toLowerCase().split(".", 1);
  const names = ownHosts.map((own) => registeredName(own).toLowerCase());
  const isNamed = names.some((name) => name.length >= MIN_NAME_LENGTH && label.includes(name));
  return isDeploymentHost(host) && isNamed;
}
