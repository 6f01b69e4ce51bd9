import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Hosting } from "./static-host.ts";

/** A complete site that somebody published in an npm package, and the kind of host it is put on. */
export interface PublishedSite {
  /** The files that are deployed. */
  folder: string;
  /** The page to check. */
  page: string;
  hosting: Hosting;
}

/** What GitHub Pages, the most common host of such sites, sends under a domain of the site's own. */
const GITHUB_PAGES: Hosting = {
  headers: {
    server: "GitHub.com",
    "access-control-allow-origin": "*",
    "cache-control": "max-age=600",
  },
  hasCompression: true,
  hasCharset: true,
};

/** What it sends under github.io, where it imposes https as well. */
const GITHUB_IO: Hosting = {
  ...GITHUB_PAGES,
  headers: { ...GITHUB_PAGES.headers, "strict-transport-security": "max-age=31556952" },
};

/** A bare nginx: validators and its version, but no compression, no charset and no Cache-Control. */
const PLAIN_NGINX: Hosting = {
  headers: { server: "nginx/1.22.1" },
  hasCompression: false,
  hasCharset: false,
};

/** A platform for apps: every path that leads nowhere is the app's own to answer. */
const APP_PLATFORM: Hosting = {
  headers: {
    "cache-control": "public,max-age=0,must-revalidate",
    "strict-transport-security": "max-age=31536000",
  },
  hasCompression: true,
  hasCharset: true,
  missing: { file: "index.html", status: 200 },
};

const OWN_404: Hosting = { ...GITHUB_PAGES, missing: { file: "404.html", status: 404 } };

const require = createRequire(import.meta.url);

/** @param manifest the package.json of the package that the site was published in */
function describeSite(
  manifest: string,
  folder: string,
  page: string,
  hosting: Hosting,
): PublishedSite {
  return { folder: join(dirname(manifest), folder), page, hosting };
}

export const PUBLISHED_SITES: Readonly<Record<string, PublishedSite>> = {
  accounting: describeSite(require.resolve("accounting/package.json"), ".", "", GITHUB_IO),
  awesomplete: describeSite(require.resolve("awesomplete/package.json"), ".", "", GITHUB_PAGES),
  bignumber: describeSite(
    require.resolve("bignumber.js/package.json"),
    "doc",
    "API.html",
    GITHUB_PAGES,
  ),
  boilerplate: describeSite(require.resolve("html5-boilerplate/package.json"), "dist", "", OWN_404),
  "coverage-report": describeSite(
    require.resolve("parsleyjs/package.json"),
    "coverage/lcov-report",
    "",
    PLAIN_NGINX,
  ),
  fauxton: describeSite(require.resolve("pouchdb-fauxton/package.json"), "www", "", PLAIN_NGINX),
  grayscale: describeSite(
    require.resolve("startbootstrap-grayscale/package.json"),
    ".",
    "",
    GITHUB_IO,
  ),
  hover: describeSite(require.resolve("hover.css/package.json"), ".", "", PLAIN_NGINX),
  impress: describeSite(require.resolve("impress.js/package.json"), ".", "", GITHUB_IO),
  particles: describeSite(require.resolve("particles.js/package.json"), ".", "demo/", GITHUB_IO),
  pino: describeSite(require.resolve("pino/package.json"), ".", "", GITHUB_IO),
  "react-unbuilt": describeSite(
    require.resolve("cra-template/package.json"),
    "template/public",
    "",
    GITHUB_PAGES,
  ),
  reveal: describeSite(require.resolve("reveal.js/package.json"), ".", "demo.html", GITHUB_IO),
  skeleton: describeSite(require.resolve("skeleton-css/package.json"), ".", "", GITHUB_IO),
  slick: describeSite(require.resolve("slick-carousel/package.json"), ".", "", GITHUB_IO),
  spinkit: describeSite(require.resolve("spinkit/package.json"), ".", "examples.html", PLAIN_NGINX),
  swagger: describeSite(require.resolve("swagger-ui-dist/package.json"), ".", "", APP_PLATFORM),
  tablesaw: describeSite(
    require.resolve("tablesaw/package.json"),
    ".",
    "demo/kitchensink.html",
    GITHUB_PAGES,
  ),
  typed: describeSite(require.resolve("typed.js/package.json"), ".", "", GITHUB_PAGES),
  "typed-docs": describeSite(require.resolve("typed.js/package.json"), "docs", "", GITHUB_IO),
  "vite-unbuilt": describeSite(
    require.resolve("create-vite/package.json"),
    "template-react",
    "",
    APP_PLATFORM,
  ),
};
