/** Platforms whose names are those of deployments, not of the sites that people are meant to see. */
const DEPLOYMENT_NAME =
  /\.(?:vercel\.app|netlify\.app|pages\.dev|ngrok\.io|ngrok\.app|ngrok-free\.app|trycloudflare\.com|loca\.lt|gitpod\.io|app\.github\.dev|csb\.app|webcontainer\.io)$/i;

/** One deployment among others, by the shape of its name: production sites on these platforms have a plain one. */
const ONE_DEPLOYMENT =
  /(?:-git-[^.]+|-[a-z0-9]{9}-[^.]+)\.vercel\.app$|--[^.]+\.netlify\.app$|^[^.]+\.[^.]+\.pages\.dev$|\.(?:ngrok\.io|ngrok\.app|ngrok-free\.app|trycloudflare\.com|loca\.lt|gitpod\.io|app\.github\.dev|csb\.app|webcontainer\.io)$/i;

const LOCAL_NAME =
  /^localhost$|\.(?:localhost|local|localdomain|internal|intranet|lan|home|corp|test|home\.arpa)$/i;
const LOCAL_IPV4 = /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./;
const LOCAL_IPV6 = /^\[(?:::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/i;

/** Whether the host belongs to a platform of preview deployments or tunnels. */
export function isDeploymentHost(host: string): boolean {
  return DEPLOYMENT_NAME.test(host);
}

/** Whether the host is a single preview deployment or a tunnel, and can be no site's public name. */
export function isPreviewHost(host: string): boolean {
  return ONE_DEPLOYMENT.test(host);
}

/** Whether the host, by its name or literal alone, is one of a developer's machine or private network. */
export function isLocalHost(host: string): boolean {
  return LOCAL_NAME.test(host) || LOCAL_IPV4.test(host) || LOCAL_IPV6.test(host);
}
