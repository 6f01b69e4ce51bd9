import { getDomainWithoutSuffix } from "tldts";

/** Tunnels and sandboxes: each of their names leads to somebody's machine or trial, and to no site's public self. */
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
  "csb.app",
  "replit.dev",
  "stackblitz.io",
  "webcontainer.io",
];

/** Platforms whose names are those of deployments, not of the sites that people are meant to see. */
const PLATFORMS = ["vercel.app", "netlify.app", "pages.dev"];

/** One deployment among others, by the shape of its name: production sites on these platforms have a plain one. */
const ONE_DEPLOYMENT =
  /\.vercel\.app$(?<=(?:-git-|-[a-z0-9]{9}-)[^.]+\.vercel\.app)|\.netlify\.app$(?<=--[^.]+\.netlify\.app)|^[^.]+\.[^.]+\.pages\.dev$/i;

function isUnder(host: string, suffixes: readonly string[]): boolean {
  return suffixes.some((suffix) => host.toLowerCase().endsWith(`.${suffix}`));
}

/** Whether the host belongs to a platform of preview deployments or tunnels. */
export function isDeploymentHost(host: string): boolean {
  return isUnder(host, PLATFORMS) || isUnder(host, TUNNELS);
}

/** Whether the host is a single preview deployment or a tunnel, and can be no site's public name. */
export function isPreviewHost(host: string): boolean {
  return ONE_DEPLOYMENT.test(host) || isUnder(host, TUNNELS);
}

/** Long enough to be no part of other names by chance. */
const MIN_NAME_LENGTH = 4;

/**
 * Whether what is shown of the host cannot be meant for visitors: a preview or a tunnel, or a deployment that bears the
 * name of one of the site's own hosts. Other deployments on these platforms are the sites of others, badges for instance.
 */
export function isLeftoverHost(host: string, ownHosts: readonly string[]): boolean {
  if (isPreviewHost(host)) return true;
  const [label = ""] = host.toLowerCase().split(".", 1);
  const names = ownHosts.map(
    (own) => getDomainWithoutSuffix(own, { allowPrivateDomains: true })?.toLowerCase() ?? "",
  );
  const isNamed = names.some((name) => name.length >= MIN_NAME_LENGTH && label.includes(name));
  return isDeploymentHost(host) && isNamed;
}
