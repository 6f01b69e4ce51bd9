import type { Text } from "../../../../shared/language.ts";

/**
 * Hosts, including their subdomains, from which a new owner has served malicious code. Sansec published the list on
 * 2024-06-25 (https://sansec.io/research/polyfill-supply-chain-attack) and extended it until 2024-07-02.
 */
const COMPROMISED: readonly string[] = [
  "polyfill.io",
  "polyfill.com",
  "bootcdn.net",
  "bootcss.com",
  "staticfile.net",
  "staticfile.org",
  "unionadjs.com",
  "xhsbpza.com",
  "union.macoms.la",
  "newcrbpc.com",
];
export const COMPROMISED_SINCE: Text = { fr: "juin 2024", en: "June 2024" };

/** Public CDNs that send CORS headers, which browsers need to compare a file with its digest. */
const PUBLIC_CDNS: readonly string[] = [
  "ajax.aspnetcdn.com",
  "ajax.googleapis.com",
  "cdn.datatables.net",
  "cdn.jsdelivr.net",
  "cdnjs.cloudflare.com",
  "code.jquery.com",
  "fastly.jsdelivr.net",
  "maxcdn.bootstrapcdn.com",
  "netdna.bootstrapcdn.com",
  "stackpath.bootstrapcdn.com",
  "unpkg.com",
  "use.fontawesome.com",
];
/** Matches the version in `jquery-3.7.1.min.js`, `/vue@3.4.21/` or `/jquery/3.7.1/`. */
const VERSION = /[@/-]v?\d+\.\d+\.\d+/;
/** Files that the CDN builds itself, which may change without a new version. */
const COMBINED = /^\/combine\//;

export function isCompromised(hostname: string): boolean {
  return COMPROMISED.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}

export function isPinned({ hostname, pathname }: URL): boolean {
  return PUBLIC_CDNS.includes(hostname) && VERSION.test(pathname) && !COMBINED.test(pathname);
}

const COUNTERS =
  /(?:^|\.)(?:js-agent\.newrelic\.com|sentry-cdn\.com|cdn\.segment\.com|cdn\.mxpnl\.com|cdn\.amplitude\.com|snap\.licdn\.com|analytics\.tiktok\.com|bat\.bing\.com|googletagmanager\.com|google-analytics\.com|cloudflareinsights\.com|clarity\.ms|hotjar\.com|connect\.facebook\.net|plausible\.io|usefathom\.com|simpleanalyticscdn\.com|umami\.is|goatcounter\.com|matomo\.cloud|mc\.yandex\.ru|hm\.baidu\.com)$/;
/** Paths of scripts that a network adds or serves. They exclude Rocket Loader, which runs the page's own scripts. */
const OF_NETWORK = /^\/(?:cdn-cgi|\.well-known|_vercel|\.netlify)\/(?!.{0,80}\/rocket-loader\.)/;

export function isOfNetwork({ pathname }: URL): boolean {
  return OF_NETWORK.test(pathname);
}

/** Share buttons, chats, comments and advertisements of other sites, which fill a place of their own. */
const WIDGETS =
  /(?:^|\.)(?:addthis\.com|addtoany\.com|sharethis\.com|skypeassets\.com|platform\.twitter\.com|platform\.linkedin\.com|assets\.pinterest\.com|disqus\.com|gravatar\.com|ghbtns\.com|buttons\.github\.io|embed\.tawk\.to|widget\.intercom\.io|js\.hs-scripts\.com|static\.jsbin\.com|googlesyndication\.com|doubleclick\.net|amazon-adsystem\.com|adnxs\.com|criteo\.net|taboola\.com|outbrain\.com|statcounter\.com|histats\.com|quantserve\.com|scorecardresearch\.com)$/;
const WIDGET_PATHS =
  /^(?:apis\.google\.com\/js\/(?:plusone|platform)\.js|download\.skype\.com\/share\/|s\.gravatar\.com\/|cdn\.carbonads\.com\/)/;

function isWidget({ hostname, pathname }: URL): boolean {
  return WIDGETS.test(hostname) || WIDGET_PATHS.test(hostname + pathname);
}

/** True if the page works without the script: it counts visits, shows something of its own, or is of a network. */
export function isAside(url: URL): boolean {
  return COUNTERS.test(url.hostname) || isWidget(url) || isOfNetwork(url);
}

/** Clients of development servers, which reload the page after each change. */
const RELOADER =
  /\/(?:livereload\.js|browser-sync\/browser-sync-client[\w.-]{0,40}|@vite\/client|webpack-dev-server\.js)$/;

export function isReloader({ pathname }: URL): boolean {
  return RELOADER.test(pathname);
}
