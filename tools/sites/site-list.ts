import { fileURLToPath } from "node:url";
import type { Hosting } from "./static-host.ts";

export interface PublishedSite {
  folder: string;
  page: string;
  hosting: Hosting;
}

/** The headers of GitHub Pages, the most common host of such sites, under a custom domain. */
const GITHUB_PAGES: Hosting = {
  headers: {
    server: "GitHub.com",
    "access-control-allow-origin": "*",
    "cache-control": "max-age=600",
  },
  hasCompression: true,
  hasCharset: true,
};

/** The headers under github.io, where GitHub Pages also enforces https. */
const GITHUB_IO: Hosting = {
  ...GITHUB_PAGES,
  headers: { ...GITHUB_PAGES.headers, "strict-transport-security": "max-age=31556952" },
};

/** A bare nginx sends validators and its version, but no compression, no charset and no Cache-Control. */
const PLAIN_NGINX: Hosting = {
  headers: { server: "nginx/1.22.1" },
  hasCompression: false,
  hasCharset: false,
};

/** A platform for apps, where the app itself answers every unknown path. */
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

const PACKAGES = new URL("node_modules/", import.meta.url);

/** @param folder begins with the name of the npm package */
function describeSite(folder: string, page: string, hosting: Hosting): PublishedSite {
  return { folder: fileURLToPath(new URL(folder, PACKAGES)), page, hosting };
}

export const PUBLISHED_SITES: Readonly<Record<string, PublishedSite>> = {
  accounting: describeSite("accounting", "", GITHUB_IO),
  awesomplete: describeSite("awesomplete", "", GITHUB_PAGES),
  bignumber: describeSite("bignumber.js/doc", "API.html", GITHUB_PAGES),
  boilerplate: describeSite("html5-boilerplate/dist", "", OWN_404),
  "coverage-report": describeSite("parsleyjs/coverage/lcov-report", "", PLAIN_NGINX),
  fauxton: describeSite("pouchdb-fauxton/www", "", PLAIN_NGINX),
  grayscale: describeSite("startbootstrap-grayscale", "", GITHUB_IO),
  hover: describeSite("hover.css", "", PLAIN_NGINX),
  impress: describeSite("impress.js", "", GITHUB_IO),
  particles: describeSite("particles.js", "demo/", GITHUB_IO),
  pino: describeSite("pino", "", GITHUB_IO),
  "react-unbuilt": describeSite("cra-template/template/public", "", GITHUB_PAGES),
  reveal: describeSite("reveal.js", "demo.html", GITHUB_IO),
  skeleton: describeSite("skeleton-css", "", GITHUB_IO),
  slick: describeSite("slick-carousel", "", GITHUB_IO),
  spinkit: describeSite("spinkit", "examples.html", PLAIN_NGINX),
  swagger: describeSite("swagger-ui-dist", "", APP_PLATFORM),
  tablesaw: describeSite("tablesaw", "demo/kitchensink.html", GITHUB_PAGES),
  typed: describeSite("typed.js", "", GITHUB_PAGES),
  "typed-docs": describeSite("typed.js/docs", "", GITHUB_IO),
  "vite-unbuilt": describeSite("create-vite/template-react", "", APP_PLATFORM),
};
