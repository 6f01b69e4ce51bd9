import type { Rule } from "../../rule.ts";
import { brokenAssets } from "./rules/asset-broken.ts";
import { cacheAssets, cacheHtml } from "./rules/perf-cache.ts";
import { cookieSecure, cookieSession } from "./rules/cookie-attributes.ts";
import { cors } from "./rules/cors-credentials.ts";
import { csp } from "./rules/hdr-csp.ts";
import { framing } from "./rules/hdr-framing.ts";
import { disclosure, isolation, nosniff, permissions, referrer } from "./rules/hdr-hygiene.ts";
import { validity } from "./rules/hdr-valid.ts";
import { hsts } from "./rules/hdr-hsts.ts";
import { content, imageAlt } from "./rules/html-content.ts";
import { charset, doctype, lang } from "./rules/html-document.ts";
import { description, title, viewport } from "./rules/html-head.ts";
import { indexable } from "./rules/seo-indexable.ts";
import { connect, dns, status } from "./rules/reach-connection.ts";
import { html, leak, softNotFound } from "./rules/reach-html.ts";
import { redirectChain } from "./rules/redir-chain.ts";
import { redirectHost } from "./rules/redir-host.ts";
import { redirectPermanent, redirectToHttps } from "./rules/redir-https.ts";
import { internalLinks, leftovers, mixedContent } from "./rules/page-references.ts";
import { robotsFile } from "./rules/seo-robots.ts";
import { canonical, social } from "./rules/seo-sharing.ts";
import { compression, firstByte, http2, weight } from "./rules/perf-speed.ts";
import { chain } from "./rules/tls-chain.ts";
import { expiry } from "./rules/tls-expiry.ts";
import { hostname } from "./rules/tls-hostname.ts";
import { strength, versions } from "./rules/tls-strength.ts";

/** Every rule there is. */
export const RULES: readonly Rule[] = [
  dns,
  connect,
  status,
  html,
  softNotFound,
  leak,
  chain,
  hostname,
  expiry,
  versions,
  strength,
  redirectToHttps,
  redirectChain,
  redirectPermanent,
  redirectHost,
  hsts,
  csp,
  framing,
  nosniff,
  referrer,
  disclosure,
  validity,
  permissions,
  isolation,
  cookieSecure,
  cookieSession,
  cors,
  doctype,
  charset,
  lang,
  title,
  description,
  viewport,
  content,
  imageAlt,
  indexable,
  canonical,
  social,
  robotsFile,
  brokenAssets,
  mixedContent,
  leftovers,
  internalLinks,
  compression,
  cacheHtml,
  cacheAssets,
  weight,
  firstByte,
  http2,
];
